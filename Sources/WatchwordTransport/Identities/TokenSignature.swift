internal import CTransport
internal import WatchwordReactor

/// The signature of a token that one handshake waits for, outside of the loop's stack; see `transport_signing`.
@ReactorActor
final class TokenSignature {
  /// Whose key signs; nil once it is over.
  private(set) var identity: ClientIdentity?
  /// Lives as long as the connection, which the handshake outlives.
  private let signing: UnsafeMutablePointer<transport_signing>
  private var whenSettled: (@ReactorActor () -> Void)?

  /// Nil when out of memory. Call it where the client's certificate is chosen.
  init?(of identity: ClientIdentity, in connection: OpaquePointer) {
    self.identity = identity
    signing = .allocate(capacity: 1)
    signing.initialize(to: transport_signing())
    guard transport_signing_begin(signing, connection) else { return nil }
  }

  isolated deinit { signing.deallocate() }

  private var isPending: Bool {
    signing.pointee.state == TRANSPORT_SIGNING_WANTED || signing.pointee.state == TRANSPORT_SIGNING_ASKED
  }

  /// Whether the handshake has come to its signature, and the token has not been asked.
  var isWanted: Bool { signing.pointee.state == TRANSPORT_SIGNING_WANTED }

  /// Whether the handshake has gone on, or has failed.
  var isOver: Bool { signing.pointee.state == TRANSPORT_SIGNING_OVER }

  /// A fatal alert of the server that has come since the last call.
  func takeAlert() -> Int32? {
    guard signing.pointee.alert != 0 else { return nil }
    defer { signing.pointee.alert = 0 }
    return signing.pointee.alert
  }

  /// Has the token sign when it has signed for those before.
  ///
  /// - Parameter then: called once when the handshake can go on, or fails; not after `abandon`.
  func ask(then: @escaping @ReactorActor () -> Void) {
    guard isWanted, let signer = identity?.signer else { return }
    whenSettled = then
    signing.pointee.state = TRANSPORT_SIGNING_ASKED
    signer.sign(self)
  }

  /// Ends the handshake that waits. Call it while its connection is there, and not from inside libcurl.
  func abandon() {
    whenSettled = nil
    identity?.signer?.withdraw(self)
    transport_signing_unwind(signing)
  }

  // MARK: The signer

  /// Sends the request to the token's process; false when that has ended.
  func send(over descriptor: Int32) -> Bool { transport_signing_send(signing, descriptor) }

  /// Whether the packet that has come is the signature; nil when none has come.
  func receive(over descriptor: Int32) -> Bool? {
    let result = transport_signing_receive(signing, descriptor)
    return result == 0 ? nil : result > 0
  }

  /// The token has signed, or has not.
  func settle(isSigned: Bool) {
    identity = nil
    guard isPending else { return }
    signing.pointee.is_token_failure = !isSigned
    signing.pointee.state = isSigned ? TRANSPORT_SIGNING_ANSWERED : TRANSPORT_SIGNING_REFUSED
    let then = whenSettled
    whenSettled = nil
    then?()
  }
}
