internal import CTokenWire
internal import CTransport
internal import WatchwordCore
package import WatchwordReactor
package import WatchwordVocabulary

/// Asks the modules which certificates their tokens hold, without login.
@ReactorActor
package final class TokenListing {
  private static let patienceSeconds = 10.0

  private let process: TokenProcess
  private var found: [TokenCertificate] = []
  private var then: (@ReactorActor ([TokenCertificate]?) -> Void)?

  /// - Parameter then: called once, in a later turn of the loop, unless it is cancelled before; nil when a
  ///   module fails.
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

/// A certificate that a token shows without login, and the URI of its key.
package struct TokenCertificate: Sendable {
  package let uri: String
  package let certificate: Certificate
}

extension TokenCertificate {
  /// Nil when it is not a certificate that can be described.
  init?(_ payload: Slice<UnsafeRawBufferPointer>) {
    guard let end = payload.firstIndex(of: 0) else { return nil }
    let der = UnsafeRawBufferPointer(rebasing: payload[(end + 1)...])
    var next = der.baseAddress?.assumingMemoryBound(to: UInt8.self)
    guard let read = d2i_X509(nil, &next, der.count) else { return nil }
    defer { X509_free(read) }
    guard let certificate = Certificate(read) else { return nil }
    self.init(uri: String(decoding: payload[..<end], as: UTF8.self), certificate: certificate)
  }
}
