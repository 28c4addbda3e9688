package import WatchwordVocabulary

/// Requests that a restricted connection may make. A limit that is nil does not limit.
package struct RestrictionRule: Sendable, Equatable {
  /// Nil: every method.
  package let methods: Set<String>?
  package let origin: Origin
  package let path: PathPattern
  /// Header fields, in lower case, that requests may set beside those that every rule allows.
  package let addedFields: Set<String>
  /// Of one request's body.
  package let requestBytes: Int64?
  /// Of one response's body, after decoding.
  package let responseBytes: Int64?
  package let perMinute: Double?

  package init(
    methods: Set<String>?, origin: Origin, path: PathPattern, addedFields: Set<String> = [],
    requestBytes: Int64? = nil, responseBytes: Int64? = nil, perMinute: Double? = nil
  ) {
    self.methods = methods
    self.origin = origin
    self.path = path
    self.addedFields = addedFields
    self.requestBytes = requestBytes
    self.responseBytes = responseBytes
    self.perMinute = perMinute
  }

  /// Of what is kept of it.
  package var heldBytes: Int {
    let texts = (methods ?? []).union(addedFields)
    return texts.reduce(HeldBytes.text(origin.host) + HeldBytes.text(path.byteCount)) {
      $0 + HeldBytes.text($1)
    }
  }

  /// The response to TRACE repeats the request with its credential (RFC 9110 §9.3.8), and so does TRACK of
  /// some servers: no caller gets one, and no rule allows them. Some servers compare methods without case.
  package static func isForbidden(_ method: String) -> Bool {
    ["trace", "track"].contains(method.asciiLowercased)
  }

  /// Why the rule does not allow the request, apart from its rate; nil when it does.
  ///
  /// - Parameters:
  ///   - fields: those of the request that a rule has to add.
  ///   - bodyBytes: nil for a stream, which is counted while it is sent.
  func refusal(
    of method: String, _ url: RequestURL, fields: Set<String>, bodyBytes: Int64?
  ) -> RestrictionFault.Reason? {
    guard url.origin == origin else { return .origin }
    guard path.covers(url.path) else { return .path }
    guard !RestrictionRule.isForbidden(method), methods?.contains(method) ?? true else { return .method }
    guard fields.isSubset(of: addedFields) else { return .field }
    if let requestBytes, let bodyBytes, bodyBytes > requestBytes { return .requestBytes }
    return nil
  }
}

/// The paths that a rule names: one path, or with `*` at its end all that begin with its text.
package struct PathPattern: Sendable, Equatable, CustomStringConvertible {
  private let text: String
  private let isPrefix: Bool

  /// - Parameter url: whose path is the pattern without the `*`.
  /// - Returns: Nil for a path that a server may read as another one: it would allow more than it says.
  package init?(_ url: RequestURL, isPrefix: Bool) {
    guard !PathReading.mayClimb(url.path) else { return nil }
    text = url.path
    self.isPrefix = isPrefix
  }

  /// Compares octets: a path that means the same in another spelling is not covered.
  package func covers(_ path: String) -> Bool {
    guard isPrefix else { return text.hasBytes(of: path) }
    return text == "/" || PathReading.begins(path, with: text)
  }

  package var byteCount: Int { text.utf8.count }

  package var description: String { isPrefix ? text + "*" : text }
}
