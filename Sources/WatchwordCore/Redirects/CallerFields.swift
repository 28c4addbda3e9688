internal import WatchwordPrimitives
/// The header fields that a caller sets for a task: those of the task, and those of its session's `headers`.
///
/// A session's field is the caller's field of every task, so one set of rules holds for both: an `Authorization`
/// means no challenge and no cached credential (challenges.md 9.2.4), and a field that carries a secret is dropped with its
/// origin and never restored (challenges.md 13.2).
package enum CallerFields {
  /// The fields that the first hop begins with; the session's come first.
  ///
  /// A session's field gives way to the task's of the same name. Its `Authorization` gives way to the user that the
  /// URL names, too: the more specific one counts, and the task's own field is the most specific of the three.
  package static func merged(
    task: [HeaderField], session: [HeaderField], for url: RequestURL
  ) -> [HeaderField] {
    guard !session.isEmpty else { return task }
    var taken = Set(task.map { $0.name.asciiLowercased })
    if url.userinfo != nil { taken.insert("authorization") }
    return session.filter { !taken.contains($0.name.asciiLowercased) } + task
  }
}
