package import WatchwordCore
package import WatchwordMessages
internal import WatchwordVocabulary

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
