internal import WatchwordCore
internal import WatchwordVocabulary

extension FetchParameters {
  /// The path of a member that a restricted connection may not set; nil when there is none.
  ///
  /// Each would let the request outlive the connection, go elsewhere, or name
  /// another sender, host, path or method than its rule.
  package var memberBeyondRestriction: String? {
    if detached { return "params.detached" }
    if proxies != nil { return "params.proxies" }
    return headers?.firstIndex { !RestrictedFields.mayBeSet($0.name) }.map { "params.headers[\($0)][0]" }
  }
}
