internal import Glibc
internal import WatchwordCore
internal import WatchwordJSON
internal import WatchwordProtocol
internal import WatchwordReactor
internal import WatchwordVocabulary

/// Restricted connections and their sockets.
extension Daemon {
  /// A restriction for connections of the session's uid, within its budget.
  func makeRestriction(
    _ rules: [RestrictionRule], by maker: Peer, in session: Session
  ) throws(RPCError) -> ActiveRestriction {
    let charge = MemoryCharge(budget, uid: session.uid)
    guard charge.grow(by: rules.reduce(0) { $0 + $1.byteCount }) else { throw .overBudget }
    lastRestriction += 1
    return ActiveRestriction(
      RestrictionIdentifier(lastRestriction), by: maker.identifier, in: session, charge: charge)
  }

  /// Whether the connection may have one more listening socket.
  func checkListeners(of peer: Peer) throws(RPCError) {
    let own = listeners(of: peer.process.uid)
    let limit =
      listenerCount >= Limits.restrictedListeners
      ? "restrictedListeners" : own >= Limits.restrictedListenersPerUID ? "restrictedListenersPerUid" : nil
    if let limit {
      throw RPCError(.limitExceeded, "too many listening sockets", details: ["limit": .string(limit)])
    }
  }

  var listenerCount: Int { peers.values.reduce(0) { $0 + $1.listeners.count } }

  func listeners(of uid: UInt32) -> Int {
    peers.values.reduce(0) { $0 + ($1.process.uid == uid ? $1.listeners.count : 0) }
  }

  /// Serves restricted connections on the socket, which it takes over, until its maker's connection ends.
  func listen(on socket: Int32, for restriction: ActiveRestriction, of peer: Peer) {
    let listener = RestrictedListener(socket, for: restriction) { [unowned self] in accept($0, on: $1) }
    peer.listeners.append(listener)
    restriction.onExpire = { [weak listener] in listener?.end() }
    listener.begin()
  }

  /// Only for the uid of the session, even if another uid can reach the socket.
  private func accept(_ connection: Int32, on listener: RestrictedListener) {
    guard let process = PeerProcess(of: connection), let session = listener.restriction.session,
      process.uid == session.uid
    else { return DescriptorCloser.close(connection) }
    admit(connection, of: process, to: listener)
  }

  /// The connection has ended: so has what it lent to others.
  func releaseRestrictions(of peer: Peer) {
    if peer.restriction?.maker == peer.identifier { peer.restriction?.end() }
    peer.listener?.remove(peer.identifier)
    for listener in peer.listeners {
      listener.end()
      for borrower in listener.peers { peers[borrower]?.close() }
      listener.restriction.end()
    }
    peer.listeners = []
  }
}
