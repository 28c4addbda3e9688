internal import CTokenWire
internal import CTransport
package import WatchwordCore
package import WatchwordReactor
internal import WatchwordSecret
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
