internal import Glibc
internal import Logging
internal import WatchwordCore
internal import WatchwordJSON
internal import WatchwordProtocol
internal import WatchwordReactor
internal import WatchwordVocabulary

/// Restricted connections and their sockets.
extension Daemon {
  /// A restriction for connections of the session's uid, within its budget.
  func makeRestriction(
    _ rules: [RestrictionRule], by maker: PeerIdentifier?, in session: SessionDriver
  ) throws(RPCError) -> ActiveRestriction {
    let charge = MemoryCharge(budget, uid: session.uid)
    guard charge.grow(by: rules.reduce(0) { $0 + $1.heldBytes }) else { throw .overBudget }
    lastRestriction += 1
    return ActiveRestriction(
      RestrictionIdentifier(lastRestriction), by: maker, in: session, charge: charge)
  }

  /// Whether the connection may have one more listening socket.
  func checkListeners(of peer: Peer) throws(RPCError) {
    let own = listeners(of: peer.process.uid)
    let limit =
      listenerCount >= Limits.restrictedListeners
      ? "restrictedListeners" : own >= Limits.restrictedListenersPerUID ? "restrictedListenersPerUid" : nil
    if let limit {
      throw .limitExceeded("too many listening sockets", limit: limit)
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
  private func accept(_ connection: Int32, on entrance: RestrictedEntrance) {
    guard let process = PeerProcess(of: connection), let session = entrance.restriction.session,
      process.uid == session.uid
    else { return DescriptorCloser.close(connection) }
    admit(connection, of: process, to: entrance)
  }

  /// Makes the administrator's sockets, or takes them over.
  func openRestrictedSockets(_ inheritance: Inheritance?) throws(ListenerFault) {
    for socket in options.settings.restrictedSockets {
      let listener: Listener
      if let given = inheritance?.takeListener(at: socket.path) {
        listener = Listener(given)
      } else {
        listener = try Listener(path: socket.path, isRestricted: true)
      }
      restrictedSockets.append(OpenRestrictedSocket(socket, listener))
    }
  }

  /// Serves them, for processes of the daemon's own uid.
  func serveRestrictedSockets() throws(ReactorError) {
    for (index, socket) in restrictedSockets.enumerated() {
      try socket.listener.begin(countingIn: counters) { [unowned self] in accept($0, at: index) }
    }
  }

  private func accept(_ connection: Int32, at index: Int) {
    guard let process = PeerProcess(of: connection), process.uid == getuid() else {
      return DescriptorCloser.close(connection)
    }
    do throws(RPCError) {
      admit(connection, of: process, to: try entrance(at: index))
    } catch {
      logger.warning("no restricted connection", metadata: ["reason": "\(error.message)"])
      DescriptorCloser.close(connection)
    }
  }

  /// The restriction of the socket's session, which is made when there is none.
  private func entrance(at index: Int) throws(RPCError) -> RestrictedEntrance {
    if let entrance = restrictedSockets[index].entrance, entrance.restriction.session != nil {
      return entrance
    }
    let socket = restrictedSockets[index].socket
    let session = try registry.named(socket.session, of: getuid(), environment: self)
    let restriction = try makeRestriction(socket.rules, by: nil, in: session)
    restriction.begin(socket.rules, seconds: nil)
    restrictedSockets[index].entrance?.restriction.end()
    let entrance = RestrictedEntrance(restriction)
    restrictedSockets[index].entrance = entrance
    return entrance
  }

  func closeRestrictedSockets() {
    for socket in restrictedSockets { socket.listener.remove() }
    restrictedSockets = []
  }

  /// The path of the administrator's socket that the restriction is of.
  func socketPath(of restriction: RestrictionIdentifier) -> String? {
    restrictedSockets.first { $0.entrance?.restriction.identifier == restriction }?.socket.path
  }

  /// The connection has ended: so has what it lent to others.
  func releaseRestrictions(of peer: Peer) {
    if peer.restriction?.maker == peer.identifier { peer.restriction?.end() }
    peer.entrance?.remove(peer.identifier)
    for listener in peer.listeners {
      listener.end()
      for borrower in listener.entrance.peers { peers[borrower]?.close() }
      listener.entrance.restriction.end()
    }
    peer.listeners = []
  }
}

/// One of the administrator's sockets while the daemon serves it.
struct OpenRestrictedSocket {
  let socket: RestrictedSocket
  let listener: Listener
  /// Of the session that there was when the last connection came.
  var entrance: RestrictedEntrance?

  init(_ socket: RestrictedSocket, _ listener: Listener) {
    self.socket = socket
    self.listener = listener
  }
}
