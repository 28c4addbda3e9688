internal import CTransport
package import WatchwordCore
internal import WatchwordReactor
internal import WatchwordSecret

/// A client certificate with its chain and its private key, ready for a handshake.
///
/// The key is OpenSSL's, which wipes it when the last reference goes; nothing here gives it out.
package final class ClientIdentity: Sendable {
  package let identity: Identity
  /// Does not change once it is made; OpenSSL counts and locks what it shares among connections.
  /// One of a token is used on the loop only.
  private nonisolated(unsafe) let handle: OpaquePointer
  /// Of the process that has the key; nil when it is here.
  private let place: TokenProcessPlace?

  /// Reads and checks an identity. Deriving a key from a passphrase may take a second: not for the loop.
  ///
  /// - Parameter wallClock: seconds since 1970.
  package convenience init(_ material: IdentityMaterial, wallClock: Double) throws(IdentityFault) {
    var fault = TRANSPORT_IDENTITY_OUT_OF_MEMORY
    let handle =
      switch material {
      case .pem(let certificates, let privateKey, let passphrase):
        ClientIdentity.lend(passphrase) { passphrase in
          privateKey.withBytes { key in
            var certificates = certificates
            return certificates.withUTF8 {
              transport_identity_read_pem(transport_bytes($0), transport_bytes(key), passphrase, &fault)
            }
          }
        }
      case .pkcs12(let bytes, let passphrase):
        ClientIdentity.lend(passphrase) { passphrase in
          bytes.withBytes { transport_identity_read_pkcs12(transport_bytes($0), passphrase, &fault) }
        }
      }
    guard let handle else { throw IdentityFault(fault) }
    guard let identity = Identity(handle) else {
      transport_identity_free(handle)
      throw .certificatesUnreadable
    }
    self.init(handle, identity)
    if let fault = identity.fault(at: wallClock) { throw fault }
  }

  private init(_ handle: OpaquePointer, _ identity: Identity, place: TokenProcessPlace? = nil) {
    self.handle = handle
    self.identity = identity
    self.place = place
  }

  deinit { transport_identity_free(handle) }

  /// An identity whose key the process has open, and goes on having for it alone.
  ///
  /// - Parameters:
  ///   - given: PEM, the certificate of the key first; nil: those of the token count.
  ///   - stored: DER, the certificate of the key first.
  @ReactorActor
  convenience init(_ given: String?, or stored: [[UInt8]], openIn process: TokenProcess) throws(IdentityFault)
  {
    var fault = TRANSPORT_IDENTITY_OUT_OF_MEMORY
    var given = given ?? ""
    let handle = given.withUTF8 { given in
      Array(stored.joined()).withUnsafeBytes { bytes in
        var offset = 0
        let certificates = stored.map { certificate in
          defer { offset += certificate.count }
          return transport_bytes(
            UnsafeRawBufferPointer(rebasing: bytes[offset..<(offset + certificate.count)]))
        }
        return transport_identity_of_token(
          transport_bytes(given), certificates, certificates.count, process.duplicate(), &fault)
      }
    }
    guard let handle else { throw IdentityFault(fault) }
    guard let identity = Identity(handle) else {
      transport_identity_free(handle)
      throw .certificatesUnreadable
    }
    self.init(handle, identity, place: process.place)
  }

  /// What its token has to be sent to prove that the key is that of the certificate.
  func requestForProof() -> [UInt8]? {
    var packet = [UInt8](repeating: 0, count: ClientIdentity.proofRequestBytes)
    let count = transport_identity_ask_for_proof(handle, &packet, packet.count)
    return count > 0 ? Array(packet.prefix(count)) : nil
  }

  private static let proofRequestBytes = 128

  /// Whether that is the token's proof.
  func isProof(_ packet: UnsafeRawBufferPointer) -> Bool {
    guard let bytes = packet.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return false }
    return transport_identity_is_proof(handle, bytes, packet.count)
  }

  /// Whether its token has failed to sign; it is of no use any more.
  var hasFailed: Bool { transport_identity_has_failed(handle) }

  /// Presents it in the handshake of this `SSL`; false when OpenSSL does not take it there.
  func present(_ connection: OpaquePointer) -> Bool { transport_identity_present(handle, connection) }

  private static func lend(
    _ passphrase: Secret?, _ body: (UnsafePointer<transport_bytes>?) -> OpaquePointer?
  ) -> OpaquePointer? {
    guard let passphrase else { return body(nil) }
    return passphrase.withBytes { bytes in
      var lent = transport_bytes(bytes)
      return body(&lent)
    }
  }
}

extension transport_bytes {
  fileprivate init(_ bytes: UnsafeRawBufferPointer) {
    self.init(bytes: bytes.baseAddress, count: bytes.count)
  }

  fileprivate init(_ bytes: UnsafeBufferPointer<UInt8>) { self.init(UnsafeRawBufferPointer(bytes)) }
}

extension Identity {
  /// Nil when a certificate cannot be described, or is of a kind of key that TLS does not know.
  fileprivate init?(_ handle: OpaquePointer) {
    let count = transport_identity_count(handle)
    var issuers: Set<Fingerprint> = []
    for index in 0..<count {
      guard let certificate = transport_identity_certificate(handle, index),
        let issuer = Fingerprint(ofName: X509_get_issuer_name(certificate))
      else { return nil }
      issuers.insert(issuer)
    }
    guard let own = transport_identity_certificate(handle, 0), let certificate = Certificate(own),
      let keyType = IdentityKeyType(rawValue: certificate.keyType)
    else { return nil }
    self.init(
      certificate: certificate, chainLength: Int(count), issuers: issuers, keyType: keyType)
  }
}

extension Fingerprint {
  /// Of an `X509_NAME`, the same for names that are held equal.
  init?(ofName name: OpaquePointer?) {
    guard let name else { return nil }
    var digest = [UInt8](repeating: 0, count: Int(transport_name_digest_bytes))
    guard transport_name_digest(name, &digest) else { return nil }
    self.init(digest)
  }
}
