internal import CLinux
internal import Glibc
internal import WatchwordCore
internal import WatchwordJSON
internal import WatchwordProtocol
internal import WatchwordReactor
internal import WatchwordVocabulary

/// One connection: its bytes, its framing, its requests in hand. Knows no method.
@ReactorActor
final class Peer {
  let identifier: PeerIdentifier
  let process: PeerProcess
  /// What tells the process from that of every other connection.
  let caller: ProcessIdentifier
  /// Said in `initialize`.
  var takesDescriptors = false
  var callerName: String?
  var callerVersion: String?
  /// The sessions that this connection holds, by id.
  private(set) var sessions: [String: SessionDriver] = [:]
  /// Nil: the connection has every right of its uid.
  private(set) var restriction: ActiveRestriction?
  /// The sockets on which restricted connections are accepted for it.
  var listeners: [RestrictedListener] = []
  /// Where this connection was accepted, if it is such a one.
  var entrance: RestrictedEntrance?
  /// Identities of this connection that are being read now.
  var identitiesInReading = 0

  let descriptor: Int32
  /// The daemon, which lives as long as the process.
  unowned let delegate: any PeerDelegate
  var decoder = FrameDecoder(messageLimit: Limits.messageBytes)
  var incoming: IncomingDescriptors
  var outgoing = OutgoingBytes()
  var watch: Watch?
  let taker: TurnTaker
  /// A batch whose messages are not all taken.
  var openBatch: OpenBatch?
  /// Whether messages that have arrived wait for the next step; no more is read meanwhile.
  var isBehind = false
  var calls = CallsInHand()
  var bytesReceived = 0
  var isFlushScheduled = false
  /// Whether nothing is read and taken apart until the peer has read more of what waits for it.
  var isPaused = false
  /// For the connection itself, which costs no more than its refusal.
  private let charge: MemoryCharge
  /// For the sessions that it holds.
  private let membershipCharge: ReservedCharge
  /// For what has arrived and is no whole message yet.
  let incomingCharge: ReservedCharge
  /// For what waits to be read by the peer.
  let outgoingCharge: MemoryCharge
  /// Whether the peer has closed both directions: no reply can be sent.
  var hasHungUp = false
  var hasInputEnded = false
  private(set) var isClosed = false
  var closesWhenFlushed = false
  var slowTimer: LoopTimer?
  var drainHandlers: [() -> Void] = []

  init(
    _ identifier: PeerIdentifier, descriptor: Int32, process: PeerProcess,
    delegate: any PeerDelegate
  ) {
    self.identifier = identifier
    self.descriptor = descriptor
    self.process = process
    caller = process.identifier(behind: identifier)
    self.delegate = delegate
    incoming = IncomingDescriptors(of: process.uid)
    taker = EventLoop.shared.taker(of: process.uid)
    membershipCharge = ReservedCharge(delegate.reserve, or: delegate.budget, uid: process.uid)
    incomingCharge = ReservedCharge(delegate.reserve, or: delegate.budget, uid: process.uid)
    outgoingCharge = MemoryCharge(delegate.budget, uid: process.uid)
    charge = MemoryCharge(delegate.reserve, uid: process.uid)
    charge.growAnyway(by: HeldBytes.caller)
  }

  struct OpenBatch {
    let batch: Batch
    var rest: ArraySlice<Message>
    /// Bytes of each of its messages, on average.
    let size: Int
    /// Where it ended in the bytes of the connection.
    let end: Int
  }

  var callsInHand: Int { calls.count }

  /// Private sessions of other connections are not its business.
  func mayRead(_ entry: HistoryEntry) -> Bool {
    !entry.session.hasPrefix(SessionOpen.privatePrefix) || sessions[entry.session] != nil
  }

  func sees(_ session: SessionDriver) -> Bool {
    restriction == nil && session.isVisible(to: identifier, of: process.uid)
  }

  /// Whether it may look at the task and stop it; a restricted connection only at those that it has started
  /// as one.
  func mayUse(_ task: TaskDriver) -> Bool {
    guard let restriction else { return sees(task.session) }
    return task.peer == identifier && task.known.restriction == restriction.identifier
  }

  /// Gives up every other right, for good.
  func restrict(to restriction: ActiveRestriction) {
    self.restriction = restriction
    leaveSessions(except: restriction.session)
  }

  /// Counts as done at once, and is carried out in steps: there may be thousands, and private ones end.
  func leaveSessions(except kept: SessionDriver?) {
    let left = sessions.values.filter { $0 !== kept }
    sessions = kept.map { [$0.name: $0] } ?? [:]
    countMemberships()
    SessionDriver.owe(.remove(identifier), in: left, inTurnsOf: taker)
  }

  /// Holds the session from now on; false when the uid has no room for that.
  func hold(_ session: SessionDriver) -> Bool {
    let count = sessions.count + (sessions[session.name] == nil ? 1 : 0)
    guard membershipCharge.grow(to: count * HeldBytes.membership) else { return false }
    sessions[session.name] = session
    return true
  }

  func leave(_ session: SessionDriver) {
    sessions[session.name] = nil
    countMemberships()
  }

  /// There are not more than before.
  private func countMemberships() { _ = membershipCharge.grow(to: sessions.count * HeldBytes.membership) }

  // MARK: End

  /// Says why, and ends the connection.
  func refuse(_ error: RPCError) {
    send { writer in Envelope.error(to: &writer, .null, error) }
    endAfterFlush()
  }

  /// Ends the connection once everything has been sent.
  func finish() {
    endAfterFlush()
    if outgoing.isEmpty { close() }
  }

  /// Reads no more: what is not taken apart any longer would only pile up.
  private func endAfterFlush() {
    closesWhenFlushed = true
    hasInputEnded = true
    watch?.interest.remove(.readable)
  }

  func close() {
    guard !isClosed else { return }
    isClosed = true
    watch?.cancel()
    watch = nil
    slowTimer?.cancel()
    decoder.wipe()
    openBatch = nil
    incoming.closeAll()
    outgoing.closeAll()
    incomingCharge.giveBack()
    outgoingCharge.giveBack()
    while let call = calls.popLast() { call.abandon() }
    drained()
    delegate.peerClosed(self)
    // Descriptors that were not received may still be in it.
    shutdown(descriptor, Int32(SHUT_RDWR))
    DescriptorCloser.close(descriptor, of: process.uid)
  }
}

@ReactorActor
protocol PeerDelegate: AnyObject {
  var budget: MemoryBudget { get }
  var reserve: MemoryBudget { get }
  func peer(_ peer: Peer, didReceive call: Call, _ request: Message.Request)
  /// It will send nothing more, so that it cannot answer a challenge.
  func peerCannotBeAsked(_ peer: Peer)
  /// It is closed for what it has not read.
  func peer(_ peer: Peer, endsBecause reason: String, waiting bytes: Int)
  func peerClosed(_ peer: Peer)
}

extension CredentialHistories {
  /// The newest entries of the peer's uid, without those of private sessions of other connections.
  func latest(
    _ limit: Int, for peer: Peer, where isWanted: (HistoryEntry) -> Bool = { _ in true }
  ) -> [HistoryEntry] {
    latest(limit, of: peer.process.uid) { peer.mayRead($0) && isWanted($0) }
  }
}
