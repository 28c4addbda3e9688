package import WatchwordCore
package import WatchwordMessages
internal import WatchwordVocabulary

/// A source whose credential the server has refused, in `explain` and `status`.
extension Sent.RefusedSource {
  package init(_ refusal: SourceBindings.Refusal, wallClock: Double) {
    // Rounded up: a second that is named has not begun too early.
    let readAfter = refusal.pause > 0 ? (wallClock + refusal.pause).rounded(.up) : nil
    self.init(
      source: refusal.source, protectionSpace: refusal.space.sentName,
      readAfter: readAfter.map(Timestamp.text))
  }
}
