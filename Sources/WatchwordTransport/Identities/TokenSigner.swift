internal import CTransport
internal import Glibc
internal import WatchwordReactor
internal import WatchwordVocabulary

/// Has one token sign for the handshakes that wait for it, one after the other.
@ReactorActor
final class TokenSigner {
  /// A card takes 0.2 s, a slow one a second. A token that takes longer may never answer.
  private static let patienceSeconds = 2.0

  /// The token is signing for the first one.
  private var waiting: [TokenSignature] = []
  private var watch: Watch?
  private var timer: LoopTimer?

  nonisolated init() {}

  func sign(_ signature: TokenSignature) {
    waiting.append(signature)
    if waiting.count == 1 { askForFirst() }
  }

  /// The first one stays until the token has answered; its answer is dropped.
  func withdraw(_ signature: TokenSignature) {
    guard let place = waiting.firstIndex(where: { $0 === signature }), place > 0 else { return }
    waiting.remove(at: place)
  }

  private func askForFirst() {
    guard let first = waiting.first else { return stop() }
    guard let descriptor = connection(of: first), first.send(over: descriptor) else { return fail() }
    timer?.cancel()
    timer = EventLoop.shared.schedule(after: Self.patienceSeconds) { self.fail() }
  }

  /// The watch, and with it this, lives while a signature is awaited.
  private func connection(of signature: TokenSignature) -> Int32? {
    if let watch { return watch.descriptor }
    guard let descriptor = signature.identity?.duplicateConnection() else { return nil }
    watch = try? EventLoop.shared.watch(descriptor, for: .readable) { _ in self.receive() }
    if watch == nil { close(descriptor) }
    return watch?.descriptor
  }

  private func receive() {
    guard let watch, let first = waiting.first,
      let isSigned = first.receive(over: watch.descriptor)
    else { return }
    guard isSigned else { return fail() }
    waiting.removeFirst()
    first.settle(isSigned: true)
    askForFirst()
  }

  /// A later packet would be taken for the answer to another request: the token is not asked again.
  private func fail() {
    let refused = waiting
    waiting.removeAll()
    stop()
    refused.first?.identity?.fail()
    for signature in refused { signature.settle(isSigned: false) }
  }

  private func stop() {
    timer?.cancel()
    timer = nil
    guard let watch else { return }
    watch.cancel()
    close(watch.descriptor)
    self.watch = nil
  }
}

/// The signature of a token that one handshake waits for, outside of the loop's stack; see
/// `transport_signing`.
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

/// How many processes hold a key for each uid; usable from every thread.
final class TokenProcessCounts: Sendable {
  private let counts = Locked<[UInt32: Int]>([:])

  var all: Int { counts.withLock { $0.values.reduce(0, +) } }
  func count(of uid: UInt32) -> Int { counts.withLock { $0[uid] ?? 0 } }

  func add(_ change: Int, for uid: UInt32) {
    counts.withLock {
      let count = ($0[uid] ?? 0) + change
      $0[uid] = count > 0 ? count : nil
    }
  }
}

/// One of the limited number of token processes; freed with the last reference.
final class TokenProcessPlace: Sendable {
  private let counts: TokenProcessCounts
  private let uid: UInt32

  init(_ counts: TokenProcessCounts, _ uid: UInt32) {
    self.counts = counts
    self.uid = uid
    counts.add(1, for: uid)
  }

  deinit { counts.add(-1, for: uid) }
}
