internal import WatchwordCore
internal import WatchwordVocabulary

extension RedirectReplyParameters.Request {
  /// Bytes that are kept until the task ends.
  package var heldBytes: Int {
    (headers ?? []).reduce(url?.utf8.count ?? 0) { $0 + $1.heldBytes }
  }
}
