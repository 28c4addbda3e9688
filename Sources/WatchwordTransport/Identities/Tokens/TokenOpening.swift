internal import CTokenWire
internal import CTransport
package import WatchwordCore
package import WatchwordReactor
package import WatchwordVocabulary

/// Opens a key of a token, and has the token prove that the key is that of its certificate.
@ReactorActor
package final class TokenOpening {
  /// A reader with a keypad waits until a person has typed.
  private static let patienceSeconds = 30.0
  /// Certificates of one token that are read, in bytes.
  private static let maximumBytes = 1 << 20

  private let key: TokenKey
  /// Seconds since 1970.
  private let wallClock: Double
  private let process: TokenProcess
  /// Certificates with the key's id, and the others.
  private var own: [[UInt8]] = []
  private var others: [[UInt8]] = []
  private var storedBytes = 0
  /// While its proof is awaited.
  private var identity: ClientIdentity?
  private var then: (@ReactorActor (Result<ClientIdentity, IdentityFault>) -> Void)?

  /// - Parameter then: called once, in a later turn of the loop, unless it is cancelled before.
  package convenience init(
    _ key: TokenKey, on host: TokenHost, for uid: UInt32, wallClock: Double,
    then: @escaping @ReactorActor (Result<ClientIdentity, IdentityFault>) -> Void
  ) throws(IdentityFault) {
    if (key.pin?.count ?? 0) > Int(token_pin_bytes) { throw .wrongPassphrase }
    try self.init(key, over: host.start(for: uid), wallClock: wallClock, then: then)
  }

  package init(
    _ key: TokenKey, over process: TokenProcess, wallClock: Double,
    then: @escaping @ReactorActor (Result<ClientIdentity, IdentityFault>) -> Void
  ) throws(IdentityFault) {
    self.key = key
    self.wallClock = wallClock
    self.then = then
    self.process = process
    // The watch retains this until it ends.
    try process.receive(within: TokenOpening.patienceSeconds) { self.receive($0) }
    // If the process has ended already, the watch reports it.
    _ = process.send(TokenOpening.request(for: key))
  }

  package func cancel() {
    then = nil
    identity = nil
    process.stop()
  }

  private static func request(for key: TokenKey) -> Secret {
    let pin = key.pin ?? Secret([])
    let head: [UInt8] = [UInt8(TOKEN_OPEN.rawValue), key.pin == nil ? 0 : 1, UInt8(pin.count)]
    return Secret(joining: [Secret(head), pin, Secret(key.uri.text.utf8)])
  }

  private func receive(_ packet: UnsafeRawBufferPointer) {
    guard let identity else { return receiveOpened(packet) }
    guard let kind = packet.first, UInt32(kind) == TOKEN_SIGNATURE.rawValue else {
      return finish(.failure(.tokenUnavailable))
    }
    guard identity.isProof(packet) else { return finish(.failure(.keyMismatch)) }
    if let fault = identity.identity.fault(at: wallClock) { return finish(.failure(fault)) }
    finish(.success(identity))
  }

  private func receiveOpened(_ packet: UnsafeRawBufferPointer) {
    let payload = packet.dropFirst()
    switch packet.first.map({ token_packet(UInt32($0)) }) {
    case TOKEN_OWN_CERTIFICATE: keep(payload, in: &own)
    case TOKEN_CERTIFICATE: keep(payload, in: &others)
    case TOKEN_READY: askForProof()
    case TOKEN_FAULT: finish(.failure(IdentityFault(token: payload.first)))
    default: finish(.failure(.tokenUnavailable))
    }
  }

  private func keep(_ certificate: Slice<UnsafeRawBufferPointer>, in kept: inout [[UInt8]]) {
    storedBytes += certificate.count
    if storedBytes <= TokenOpening.maximumBytes { kept.append(Array(certificate)) }
  }

  private func askForProof() {
    do throws(IdentityFault) {
      let identity = try ClientIdentity(key, own: own, others: others, openIn: process)
      self.identity = identity
      guard let request = identity.requestForProof(), process.send(Secret(request)) else {
        throw .tokenUnavailable
      }
    } catch {
      finish(.failure(error))
    }
  }

  private func finish(_ result: Result<ClientIdentity, IdentityFault>) {
    let then = self.then
    cancel()
    then?(result)
  }
}

extension IdentityFault {
  /// - Parameter code: a `token_fault`.
  init(token code: UInt8?) {
    switch code.map({ token_fault(UInt32($0)) }) {
    case TOKEN_AMBIGUOUS: self = .tokenAmbiguous
    case TOKEN_PIN_NEEDED: self = .passphraseNeeded
    case TOKEN_PIN_WRONG: self = .wrongPassphrase
    case TOKEN_PIN_LOCKED: self = .tokenLocked
    case TOKEN_KEY_MISSING: self = .keyUnreadable
    default: self = .tokenUnavailable
    }
  }
}

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

  /// A duplicate of the connection to the process with the key, which the caller closes; nil when descriptors
  /// have run out.
  func duplicateConnection() -> Int32? {
    let descriptor = transport_identity_duplicate(handle)
    return descriptor >= 0 ? descriptor : nil
  }
}
