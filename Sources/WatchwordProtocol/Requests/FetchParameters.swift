package import WatchwordCore
package import WatchwordVocabulary

extension FetchParameters {
  /// Whether the task has cookies of its own, which end with it (messages.md 10.5): a fetch does not log in
  /// the next program, unless its caller has chosen a session or asks for that.
  ///
  /// - Parameters:
  ///   - hasForms: whether the session has login forms.
  ///   - isChosen: whether the caller has chosen the session, by name or as a private one.
  /// - Throws: `invalidParams` when the session's login forms need its cookies.
  package func hasOwnCookies(hasForms: Bool, isChosen: Bool) throws(RPCError) -> Bool {
    switch cookies {
    case .session: return false
    case .task:
      guard !hasForms else {
        throw .invalidParams("params.cookies", "the session's login forms need its cookies")
      }
      return true
    case nil: return !isChosen && !hasForms
    }
  }
}

extension FetchParameters {
  /// The path of a member that a restricted connection may not set; nil when there is none.
  ///
  /// Each would let the request outlive the connection, go elsewhere, or name another sender, host, path or
  /// method than its rule. Whether the rule of the request adds a field is judged with the request.
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

extension FetchParameters {
  /// The header fields, with that of `traceparent`.
  package func allHeaders() throws(RPCError) -> [HeaderField] {
    let headers = headers ?? []
    guard let traceparent else { return headers }
    if let index = headers.firstIndex(where: { $0.name.asciiLowercased == TraceContext.fieldName }) {
      throw .invalidParams("params.headers[\(index)][0]", "params.traceparent is given, too")
    }
    return headers + [HeaderField(TraceContext.fieldName, traceparent.text)]
  }

  /// Whoever gives the field, as libraries for traces do, has given the member.
  package var traceContext: TraceContext? {
    let given = headers?.first { $0.name.asciiLowercased == TraceContext.fieldName }
    return traceparent ?? given.flatMap { TraceContext($0.value) }
  }
}

extension FetchParameters {
  /// Whether any member excludes a version, as a speed does.
  package var excludesVersions: Bool {
    tls != nil || httpVersions != nil || ipVersion != nil || maximumBytesPerSecond != nil
  }

  /// The versions of TLS, HTTP and IP that the task may use, of those of its session; nil when it excludes
  /// none.
  ///
  /// - Throws: `invalidParams` when no version of TLS is left.
  package func versions(of session: SessionConfiguration) throws(RPCError) -> AllowedVersions? {
    guard excludesVersions else { return nil }
    let all = AllowedVersions(session)
    let narrowed = all.narrowed(
      minimumTLS: tls?.minimumVersion, maximumTLS: tls?.maximumVersion,
      // Other streams of an HTTP/2 connection would wait with a slow one.
      httpVersions: maximumBytesPerSecond == nil ? httpVersions : [.http11],
      ip: ipVersion)
    guard !narrowed.isEmpty else {
      let (minimum, maximum) = (tls?.minimumVersion ?? .tls12, tls?.maximumVersion ?? .tls13)
      if minimum == .tls13, maximum == .tls13 {
        throw .invalidParams("params.tls.minimumVersion", "is above the session's maximumVersion")
      }
      throw .invalidParams(
        "params.tls.maximumVersion",
        "is below \(minimum == .tls13 ? "minimumVersion" : "the session's minimumVersion")")
    }
    return narrowed
  }
}
