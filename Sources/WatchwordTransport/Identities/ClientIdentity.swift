internal import CTransport
package import WatchwordCore
package import WatchwordVocabulary

/// A client certificate with its chain and its private key, ready for a handshake.
///
/// OpenSSL holds the key and wipes it with the last reference; nothing here exports it.
package final class ClientIdentity: Sendable {
  package let identity: Identity
  /// Immutable after creation; OpenSSL counts and locks what connections share. One of a token is used on the
  /// loop only.
  nonisolated(unsafe) let handle: OpaquePointer
  /// The place of the process that holds the key; nil when the key is in this process.
  private let place: TokenProcessPlace?
  /// Has the token sign; nil when the key is in this process.
  let signer: TokenSigner?

  /// Reads and checks an identity. Deriving a key from a passphrase may take a second: do not call it on the
  /// loop.
  ///
  /// - Parameter wallClock: seconds since 1970.
  package convenience init(_ material: IdentityMaterial, wallClock: Double) throws(IdentityFault) {
    try self.init(anyTime: material)
    if let fault = identity.fault(at: wallClock) { throw fault }
  }

  /// The same for one that may have expired: a store keeps it.
  package convenience init(anyTime material: IdentityMaterial) throws(IdentityFault) {
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
  }

  init(_ handle: OpaquePointer, _ identity: Identity, place: TokenProcessPlace? = nil) {
    self.handle = handle
    self.identity = identity
    self.place = place
    signer = place.map { _ in TokenSigner() }
  }

  deinit { transport_identity_free(handle) }

  /// Presents it in the handshake of this `SSL`; false when OpenSSL refuses it.
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
  init(_ bytes: UnsafeRawBufferPointer) {
    self.init(bytes: bytes.baseAddress, count: bytes.count)
  }

  init(_ bytes: UnsafeBufferPointer<UInt8>) { self.init(UnsafeRawBufferPointer(bytes)) }
}

extension Identity {
  /// Nil when a certificate cannot be described, or its kind of key is unknown to TLS.
  ///
  /// - Parameter token: the token that holds the key; nil: in memory.
  init?(_ handle: OpaquePointer, token: TokenURI? = nil) {
    let count = transport_identity_count(handle)
    var issuers: Set<Fingerprint> = []
    var heldBytes = HeldBytes.identity
    for index in 0..<count {
      guard let certificate = transport_identity_certificate(handle, index),
        let issuer = Fingerprint(ofName: X509_get_issuer_name(certificate))
      else { return nil }
      issuers.insert(issuer)
      heldBytes += HeldBytes.certificate(der: max(0, Int(i2d_X509(certificate, nil))))
    }
    guard let own = transport_identity_certificate(handle, 0), let certificate = Certificate(own),
      let keyType = IdentityKeyType(rawValue: certificate.keyType)
    else { return nil }
    heldBytes += HeldBytes.key(signing: Int(EVP_PKEY_get_size(X509_get0_pubkey(own))))
    self.init(
      certificate: certificate, chainLength: Int(count), issuers: issuers, keyType: keyType, token: token,
      heldBytes: heldBytes)
  }
}

extension Fingerprint {
  /// Of an `X509_NAME`; equal for names that are considered equal.
  init?(ofName name: OpaquePointer?) {
    guard let name else { return nil }
    var digest = [UInt8](repeating: 0, count: Int(transport_name_digest_bytes))
    guard transport_name_digest(name, &digest) else { return nil }
    self.init(digest)
  }
}

/// Identities that a store keeps.
extension ClientIdentity {
  /// What a store keeps of it: the key without a passphrase. Nil for a key in a token, and when memory is
  /// short.
  package func kept() -> KeptIdentity? {
    guard let certificates = transport_identity_certificates_text(handle) else { return nil }
    defer { BIO_free(certificates) }
    guard let key = transport_identity_key_text(handle) else { return nil }
    defer { BIO_free(key) }
    let privateKey = Secret(copying: ClientIdentity.bytes(of: key))
    return KeptIdentity(
      identity, certificates: String(decoding: ClientIdentity.bytes(of: certificates), as: UTF8.self),
      privateKey: privateKey)
  }

  private static func bytes(of text: OpaquePointer) -> UnsafeRawBufferPointer {
    let bytes = transport_text_bytes(text)
    return UnsafeRawBufferPointer(start: bytes.bytes, count: bytes.count)
  }
}

extension IdentityFault {
  init(_ fault: transport_identity_fault) {
    switch fault {
    case TRANSPORT_IDENTITY_CERTIFICATES_UNREADABLE: self = .certificatesUnreadable
    case TRANSPORT_IDENTITY_KEY_UNREADABLE: self = .keyUnreadable
    case TRANSPORT_IDENTITY_PKCS12_UNREADABLE: self = .pkcs12Unreadable
    case TRANSPORT_IDENTITY_PASSPHRASE_NEEDED: self = .passphraseNeeded
    case TRANSPORT_IDENTITY_WRONG_PASSPHRASE: self = .wrongPassphrase
    case TRANSPORT_IDENTITY_KEY_MISMATCH: self = .keyMismatch
    case TRANSPORT_IDENTITY_WRONG_PURPOSE: self = .wrongPurpose
    case TRANSPORT_IDENTITY_UNSUPPORTED: self = .unsupported
    case TRANSPORT_IDENTITY_TOO_WEAK: self = .tooWeak
    case TRANSPORT_IDENTITY_TOO_LARGE: self = .tooLarge
    case TRANSPORT_IDENTITY_CERTIFICATE_MISSING: self = .certificateMissing
    default: self = .outOfMemory
    }
  }
}
