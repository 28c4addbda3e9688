internal import WatchwordReactor

/// A reading of a source that is not finished yet.
struct SourceTicket {
  /// Nothing is said about the reading any more; a person who was asked for it is asked no longer. False when it had
  /// ended before.
  let abandon: @ReactorActor () -> Bool
}
