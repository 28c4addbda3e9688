internal import WatchwordCore
internal import WatchwordJSON
internal import WatchwordProtocol
internal import WatchwordVocabulary

/// A call goes to the handler of its method, unless the connection is restricted or the agent locked.
extension Daemon: PeerDelegate {
  func peer(_ peer: Peer, didReceive call: Call, _ request: Message.Request) {
    let method: MethodName
    switch request.method {
    case .known(let known): method = known
    case .unknown(let name):
      return call.fail(RPCError(.methodNotFound, "no method \(name.prefix(Limits.namedBytes))"))
    }
    if peer.restriction == nil, method.isUse { noteUse(of: peer.process.uid) }
    guard mayBegin(call, of: method, by: peer) else { return }
    guard !request.isPositional else {
      return call.fail(.invalidParams("params", "must be an object: parameters go by name"))
    }
    // While the agent is locked, the vault stays closed.
    guard method.usesVault, !isLocked(peer.process.uid),
      let account = vaults.unreadAccount(of: peer.process.uid)
    else { return begin(call, of: method, request.parameters) }
    let charge = MemoryCharge(budget, uid: peer.process.uid)
    guard charge.grow(by: call.heldBytes) else { return call.fail(.overBudget) }
    account.read { [unowned self] in
      charge.giveBack()
      // Meanwhile the agent may have been locked, and the connection restricted.
      if !peer.isClosed, mayBegin(call, of: method, by: peer) { begin(call, of: method, request.parameters) }
    }
  }

  private func begin(_ call: Call, of method: MethodName, _ parameters: JSONNode?) {
    do throws(RPCError) {
      try method.handler(self, call, parameters)
    } catch {
      call.fail(error)
    }
  }

  /// False when the call has its reply: the connection is restricted, or the agent locked.
  private func mayBegin(_ call: Call, of method: MethodName, by peer: Peer) -> Bool {
    if let restriction = peer.restriction, !method.isForRestricted {
      call.fail(restriction.refuse(RestrictionFault(.call), to: peer))
      return false
    }
    guard isLocked(peer.process.uid) else { return true }
    switch method.underLock {
    case .works: return true
    case .fails: call.fail(.agentLocked)
    case .listsNothing(let list): call.succeed(nothingIn: list)
    }
    return false
  }

  func peerCannotBeAsked(_ peer: Peer) {
    Session.owe(.askNoMore(peer.identifier), in: Array(peer.sessions.values), inTurnsOf: peer.taker)
  }
}
