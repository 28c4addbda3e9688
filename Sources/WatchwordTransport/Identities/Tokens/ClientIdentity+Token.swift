internal import CTransport
internal import WatchwordCore
internal import WatchwordReactor
internal import WatchwordVocabulary

/// Identities whose keys stay in tokens.
extension ClientIdentity {
  /// An identity whose key the process has opened and keeps open for this identity alone.
  ///
  /// - Parameters:
  /// - own: DER, the token's certificates with the key's id; for a key that was given without certificates.
  /// - others: DER, the token's other certificates.
  @ReactorActor
  convenience init(
    _ key: TokenKey, own: [[UInt8]], others: [[UInt8]], openIn process: TokenProcess
  ) throws(IdentityFault) {
    let descriptor = process.duplicate()
    guard descriptor >= 0 else { throw .tokenUnavailable }
    var fault = TRANSPORT_IDENTITY_OUT_OF_MEMORY
    var given = key.certificates ?? ""
    let stored = own + others
    let handle = given.withUTF8 { given in
      Array(stored.joined()).withUnsafeBytes { bytes in
        var offset = 0
        let certificates = stored.map { certificate in
          defer { offset += certificate.count }
          return transport_bytes(
            UnsafeRawBufferPointer(rebasing: bytes[offset..<(offset + certificate.count)]))
        }
        return transport_identity_of_token(
          transport_bytes(given), certificates, certificates.count, own.count, descriptor, &fault)
      }
    }
    guard let handle else { throw IdentityFault(fault) }
    guard let identity = Identity(handle, token: key.uri) else {
      transport_identity_free(handle)
      throw .certificatesUnreadable
    }
    self.init(handle, identity, place: process.place)
  }

  /// The packet that asks the token to prove that its key is that of the certificate.
  func requestForProof() -> [UInt8]? {
    var packet = [UInt8](repeating: 0, count: ClientIdentity.proofRequestBytes)
    let count = transport_identity_ask_for_proof(handle, &packet, packet.count)
    return count > 0 ? Array(packet.prefix(count)) : nil
  }

  private static let proofRequestBytes = 128

  /// Whether this packet is the token's proof.
  func isProof(_ packet: UnsafeRawBufferPointer) -> Bool {
    guard let bytes = packet.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return false }
    return transport_identity_is_proof(handle, bytes, packet.count)
  }

  /// Whether its token has failed to sign; it cannot be used any more.
  var hasFailed: Bool { transport_identity_has_failed(handle) }

  /// Its token does not sign; the process with the key ends.
  func fail() { transport_identity_fail(handle) }

  /// A duplicate of the connection to the process with the key, which the caller closes; nil when descriptors have run
  /// out.
  func duplicateConnection() -> Int32? {
    let descriptor = transport_identity_duplicate(handle)
    return descriptor >= 0 ? descriptor : nil
  }
}
