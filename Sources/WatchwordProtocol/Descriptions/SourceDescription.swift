package import WatchwordCore
internal import WatchwordJSON

/// One of the administrator's sources in `status`.
package struct SourceDescription: Sendable {
  package let name: String
  package let kind: String
  /// Whether it has a token that is still valid; nil for a source that keeps none.
  package let hasToken: Bool?
  /// Whether a person has a code to enter; nil for a source that needs no person.
  package let isPrompting: Bool?
  /// Seconds since 1970; nil when there is no token, or its end is not known.
  package let validUntil: Double?
  package let lastError: SourceFault?

  package init(
    name: String, kind: String, hasToken: Bool?, isPrompting: Bool? = nil, validUntil: Double?,
    lastError: SourceFault?
  ) {
    self.name = name
    self.kind = kind
    self.hasToken = hasToken
    self.isPrompting = isPrompting
    self.validUntil = validUntil
    self.lastError = lastError
  }

  func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("source", name)
    writer.member("kind", kind)
    if let hasToken { writer.member("token", hasToken) }
    if let isPrompting { writer.member("awaitsPerson", isPrompting) }
    writer.key("validUntil")
    if let validUntil { writer.string(Timestamp.text(validUntil)) } else { writer.null() }
    writer.member("lastError", lastError?.rawValue)
    writer.endObject()
  }
}
