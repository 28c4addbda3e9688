package import WatchwordCore

extension FetchParameters {
  /// The versions of TLS and HTTP that the task may use, of those of its session; nil when it excludes none.
  ///
  /// - Throws: `invalidParams` when no version of TLS is left.
  package func versions(of session: SessionConfiguration) throws(RPCError) -> AllowedVersions? {
    guard tls != nil || httpVersions != nil else { return nil }
    let all = AllowedVersions(session)
    let narrowed = all.narrowed(
      minimumTLS: tls?.minimumVersion, maximumTLS: tls?.maximumVersion, httpVersions: httpVersions)
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
