package import WatchwordVocabulary

/// A task that waits for an answer, and the process it runs for.
package struct ChallengeWaiter: Sendable, Equatable {
  package let task: TaskIdentifier
  /// Nil when the connection that started it is gone (a detached task).
  package let peer: PeerIdentifier?

  package init(task: TaskIdentifier, peer: PeerIdentifier?) {
    self.task = task
    self.peer = peer
  }
}
