internal import CTokenWire
internal import CTransport
internal import WatchwordCore
package import WatchwordReactor
internal import WatchwordSecret
package import WatchwordVocabulary

/// Asks the modules which certificates their tokens hold, without login.
@ReactorActor
package final class TokenListing {
  private static let patienceSeconds = 10.0

  private let process: TokenProcess
  private var found: [TokenCertificate] = []
  private var then: (@ReactorActor ([TokenCertificate]?) -> Void)?

  /// - Parameter then: called once, in a later turn of the loop, unless it is cancelled before; nil when a module fails.
  package convenience init(
    on host: TokenHost, for uid: UInt32, then: @escaping @ReactorActor ([TokenCertificate]?) -> Void
  ) throws(IdentityFault) {
    try self.init(host.start(for: uid), then: then)
  }

  package init(
    _ process: TokenProcess, then: @escaping @ReactorActor ([TokenCertificate]?) -> Void
  ) throws(IdentityFault) {
    self.then = then
    self.process = process
    // The watch retains this until it ends.
    try process.receive(within: TokenListing.patienceSeconds) { self.receive($0) }
    // If the process has ended already, the watch reports it.
    _ = process.send(Secret([UInt8(TOKEN_LIST.rawValue)]))
  }

  package func cancel() {
    then = nil
    process.stop()
  }

  private func receive(_ packet: UnsafeRawBufferPointer) {
    switch packet.first.map({ token_packet(UInt32($0)) }) {
    case TOKEN_LISTED:
      if let certificate = TokenCertificate(packet.dropFirst()), found.count < Int(token_maximum_certificates)
      {
        found.append(certificate)
      }
    case TOKEN_END: finish(found)
    default: finish(nil)
    }
  }

  private func finish(_ result: [TokenCertificate]?) {
    let then = self.then
    cancel()
    then?(result)
  }
}
