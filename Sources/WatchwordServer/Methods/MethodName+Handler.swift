internal import WatchwordCore
internal import WatchwordJSON
internal import WatchwordProtocol
internal import WatchwordReactor
internal import WatchwordVocabulary

extension MethodName {
  /// Answers a call of the method, now or later, or throws an error.
  typealias Handler = @ReactorActor (Daemon, Call, JSONNode?) throws(RPCError) -> Void

  var handler: Handler {
    switch self {
    case .initialize: ServerMethods.initialize
    case .ping: ServerMethods.ping
    case .discover: ServerMethods.discover
    case .cancelRequest: ServerMethods.cancelRequest
    case .status: ServerMethods.status
    case .subscribe: ServerMethods.subscribe
    case .unsubscribe: ServerMethods.unsubscribe
    case .showConfiguration: ServerMethods.showConfiguration
    case .reload: ServerMethods.reload
    case .shutdown: ServerMethods.shutdown
    case .restart: ServerMethods.restart
    case .openSession: SessionMethods.open
    case .closeSession: SessionMethods.close
    case .finishSession: SessionMethods.finish
    case .invalidateSession: SessionMethods.invalidate
    case .resetSession: SessionMethods.reset
    case .configureSession: SessionMethods.configure
    case .listSessions: SessionMethods.list
    case .pruneSessions: SessionMethods.prune
    case .describeSession: SessionMethods.describe
    case .fetch: TaskMethods.fetch
    case .startTask: TaskMethods.start
    case .cancelTask: TaskMethods.cancel
    case .suspendTask: TaskMethods.suspend
    case .resumeTask: TaskMethods.resume
    case .listTasks: TaskMethods.list
    case .describeTask: TaskMethods.describe
    case .replyToRedirect: TaskMethods.redirectReply
    case .replyToChallenge: ChallengeMethods.reply
    case .listChallenges: ChallengeMethods.list
    case .describeChallenge: ChallengeMethods.describe
    case .setCredential: CredentialMethods.set
    case .listCredentials: CredentialMethods.list
    case .readCredential: CredentialReading.read
    case .removeCredentials: CredentialMethods.remove
    case .setDefaultCredential: CredentialMethods.setDefault
    case .retryCredentials: CredentialMethods.retry
    case .listHistory: CredentialMethods.history
    case .listTrust: TrustMethods.list
    case .removeTrust: TrustMethods.remove
    case .addRoots: RootMethods.add
    case .listRoots: RootMethods.list
    case .removeRoots: RootMethods.remove
    case .listCookies: CookieMethods.list
    case .setCookie: CookieMethods.set
    case .removeCookies: CookieMethods.remove
    case .addIdentity: IdentityMethods.add
    case .listIdentities: IdentityMethods.list
    case .removeIdentities: IdentityMethods.remove
    case .listTokens: TokenMethods.list
    case .explain: ExplainMethod.explain
    case .restrictPeer: PeerMethods.restrict
    case .listenForPeers: PeerMethods.listen
    case .makeVault: VaultMethods.make
    case .setVaultPassphrase: VaultMethods.setPassphrase
    case .rekeyVault: VaultMethods.rekey
    case .checkVault: VaultMethods.check
    case .exportVault: VaultMethods.export
    case .importVault: VaultMethods.importCredentials
    case .lockAgent: AgentMethods.lock
    case .unlockAgent: AgentMethods.unlock
    case .forgetSecrets: AgentMethods.forget
    }
  }
}

/// A call goes to the handler of its method, unless the connection is restricted or the agent locked.
extension Daemon: PeerDelegate {
  func peer(_ peer: Peer, didReceive call: Call, _ request: Message.Request) {
    let method: MethodName
    switch request.method {
    case .known(let known): method = known
    case .unknown(let name):
      return call.fail(.methodNotFound("no method \(name.prefix(Limits.namedBytes))"))
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
    call.proceed { () throws(RPCError) in try method.handler(self, call, parameters) }
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
    SessionDriver.owe(.askNoMore(peer.identifier), in: Array(peer.sessions.values), inTurnsOf: peer.taker)
  }
}
