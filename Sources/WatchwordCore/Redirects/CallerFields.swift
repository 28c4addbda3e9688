internal import WatchwordPrimitives
package import WatchwordVocabulary

/// The header fields that a caller sets for a task: those of the task, and those of its session's `headers`.
///
/// A session's field is the caller's field of every task, so the same rules apply to both: an `Authorization` means
/// no challenge and no cached credential (storage.md 9.2.4), and a field with a secret is dropped with its origin
/// and never restored (challenges.md 13.2).
package enum CallerFields {
  /// The fields of the first hop; the session's come first.
  ///
  /// The task's field replaces a session's field of the same name. The user in the URL also replaces the session's
  /// `Authorization`: the more specific one counts, and the task's own field is the most specific of the three.
  package static func merged(
    task: [HeaderField], session: [HeaderField], for url: RequestURL
  ) -> [HeaderField] {
    guard !session.isEmpty else { return task }
    var taken = Set(task.map { $0.name.asciiLowercased })
    if url.userinfo != nil { taken.insert("authorization") }
    return session.filter { !taken.contains($0.name.asciiLowercased) } + task
  }
}
