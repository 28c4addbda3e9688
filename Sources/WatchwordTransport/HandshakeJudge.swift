package import WatchwordCore
package import WatchwordReactor

/// Who says in the middle of a handshake whether a server's certificates will do, and what it is presented with.
@ReactorActor
package protocol HandshakeJudge: AnyObject {
  /// What the connection has to hold to beyond the configuration of the engine.
  func requirements(for origin: Origin) -> TrustPolicy.Requirements
  /// - Parameter faults: what default evaluation has found.
  func ruling(
    on presented: PresentedChain, with faults: [TrustFault], from origin: Origin,
    in partition: ConnectionPartition
  ) -> TrustLedger.Ruling

  /// The server's own certificates have been accepted by then.
  ///
  /// - Parameter isAsked: whether somebody takes the question for one of the exchanges that the connection may serve.
  func ruling(
    on request: CertificateRequest, from origin: Origin, in partition: ConnectionPartition, isAsked: Bool
  ) -> IdentityRuling

  /// Whether a TLS session in which this identity was presented may be resumed: the server takes that for presenting it.
  func mayStillPresent(_ identity: String) -> Bool

  /// The server does not take this identity.
  func refused(
    _ identity: String, for request: CertificateRequest, from origin: Origin,
    in partition: ConnectionPartition)
}
