/// What a session asks of the world: randomness, the transport's parser, and who is connected.
package struct SessionSurroundings {
  /// Makes an id for a question: unique for the life of the daemon and not guessable.
  package let challengeIdentifier: @Sendable () -> String
  package let clientNonce: () -> String
  /// A `Location` against the URL that sent it.
  package let resolve: (String, RequestURL) -> RedirectTarget
  /// Nil when the connection is gone.
  package let process: (PeerIdentifier) -> Int32?

  package init(
    challengeIdentifier: @escaping @Sendable () -> String, clientNonce: @escaping () -> String,
    resolve: @escaping (String, RequestURL) -> RedirectTarget,
    process: @escaping (PeerIdentifier) -> Int32?
  ) {
    self.challengeIdentifier = challengeIdentifier
    self.clientNonce = clientNonce
    self.resolve = resolve
    self.process = process
  }
}
