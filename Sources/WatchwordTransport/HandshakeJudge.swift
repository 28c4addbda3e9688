package import WatchwordCore
package import WatchwordReactor
package import WatchwordVocabulary

/// Decides during a handshake whether to accept a server's certificates, and which client certificate to present.
@ReactorActor
package protocol HandshakeJudge: AnyObject {
  /// What the connection must satisfy beyond the configuration of the engine.
  func requirements(for origin: Origin) -> TrustPolicy.Requirements
  /// - Parameter faults: the faults that default evaluation found.
  func ruling(
    on presented: PresentedChain, with faults: [TrustFault], from origin: Origin,
    in partition: ConnectionPartition
  ) -> TrustStore.Ruling

  /// Called after the server's own certificates have been accepted.
  ///
  /// - Parameter isAsked: whether a delegate takes the question for an exchange that the connection may serve.
  func ruling(
    on request: CertificateRequest, from origin: Origin, in partition: ConnectionPartition, isAsked: Bool
  ) -> IdentityRuling

  /// Whether a TLS session may be resumed in which this identity was presented: the server treats that as presenting.
  func mayStillPresent(_ identity: String) -> Bool

  /// The server has refused this identity.
  func refused(
    _ identity: String, for request: CertificateRequest, from origin: Origin,
    in partition: ConnectionPartition)
}
