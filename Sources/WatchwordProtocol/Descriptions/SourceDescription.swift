package import WatchwordCore
package import WatchwordMessages
internal import WatchwordVocabulary

/// One of the administrator's sources in `status`.
package struct SourceDescription: Sendable, Describing {
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

  package var sent: Sent.SourceStatus {
    Sent.SourceStatus(
      source: name, kind: kind, token: hasToken, awaitsPerson: isPrompting,
      validUntil: validUntil.map(Timestamp.text), lastError: lastError?.rawValue)
  }
}

/// A source whose credential the server has refused, in `explain` and `status`.
package struct RefusedSourceDescription: Sendable {
  private let refusal: SourceBindings.Refusal
  /// Seconds since 1970.
  private let readAfter: Double?

  package init(_ refusal: SourceBindings.Refusal, wallClock: Double) {
    self.refusal = refusal
    // Rounded up: a second that is named has not begun too early.
    readAfter = refusal.pause > 0 ? (wallClock + refusal.pause).rounded(.up) : nil
  }

  package var sent: Sent.RefusedSource {
    Sent.RefusedSource(
      source: refusal.source, protectionSpace: refusal.space.sentName,
      readAfter: readAfter.map(Timestamp.text))
  }
}
