package import WatchwordCore
internal import WatchwordVocabulary

extension FetchParameters {
  /// The path of a member that a restricted connection may not set; nil when there is none.
  ///
  /// Each would let the request outlive the connection, go elsewhere, or name another sender, host, path or method than
  /// its rule. Whether the rule of the request adds a field is judged with the request.
  ///
  /// - Parameter restriction: nil when its session has ended.
  package func memberBeyond(_ restriction: Restriction?) -> String? {
    if detached { return "params.detached" }
    if proxies != nil { return "params.proxies" }
    let index = headers?.firstIndex { field in
      !RestrictedFields.isOwn(field.name) && restriction?.adds(field.name) != true
    }
    return index.map { "params.headers[\($0)][0]" }
  }
}
