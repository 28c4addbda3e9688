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
    case .rpcDiscover: ServerMethods.discover
    case .cancelRequest: ServerMethods.cancelRequest
    case .status: ServerMethods.status
    case .statusSubscribe: ServerMethods.subscribe
    case .statusUnsubscribe: ServerMethods.unsubscribe
    case .serverConfiguration: ServerMethods.showConfiguration
    case .serverReload: ServerMethods.reload
    case .serverShutdown: ServerMethods.shutdown
    case .serverRestart: ServerMethods.restart
    case .sessionOpen: SessionMethods.open
    case .sessionClose: SessionMethods.close
    case .sessionFinish: SessionMethods.finish
    case .sessionInvalidate: SessionMethods.invalidate
    case .sessionReset: SessionMethods.reset
    case .sessionConfigure: SessionMethods.configure
    case .sessionList: SessionMethods.list
    case .sessionPrune: SessionMethods.prune
    case .sessionDescribe: SessionMethods.describe
    case .fetch: TaskMethods.fetch
    case .taskStart: TaskMethods.start
    case .taskCancel: TaskMethods.cancel
    case .taskSuspend: TaskMethods.suspend
    case .taskResume: TaskMethods.resume
    case .taskList: TaskMethods.list
    case .taskDescribe: TaskMethods.describe
    case .redirectReply: TaskMethods.redirectReply
    case .challengeReply: ChallengeMethods.reply
    case .challengeList: ChallengeMethods.list
    case .challengeDescribe: ChallengeMethods.describe
    case .credentialSet: CredentialMethods.set
    case .credentialList: CredentialMethods.list
    case .credentialRead: CredentialReading.read
    case .credentialRemove: CredentialMethods.remove
    case .credentialSetDefault: CredentialMethods.setDefault
    case .credentialRetry: CredentialMethods.retry
    case .credentialHistory: CredentialMethods.history
    case .trustList: TrustMethods.list
    case .trustRemove: TrustMethods.remove
    case .trustAddRoots: RootMethods.add
    case .trustListRoots: RootMethods.list
    case .trustRemoveRoots: RootMethods.remove
    case .cookieList: CookieMethods.list
    case .cookieSet: CookieMethods.set
    case .cookieRemove: CookieMethods.remove
    case .identityAdd: IdentityMethods.add
    case .identityList: IdentityMethods.list
    case .identityRemove: IdentityMethods.remove
    case .identityTokens: TokenMethods.list
    case .explain: ExplainMethod.explain
    case .peerRestrict: PeerMethods.restrict
    case .peerListen: PeerMethods.listen
    case .vaultInit: VaultMethods.make
    case .vaultPassphrase: VaultMethods.setPassphrase
    case .vaultRekey: VaultMethods.rekey
    case .vaultCheck: VaultMethods.check
    case .vaultExport: VaultMethods.export
    case .vaultImport: VaultMethods.importCredentials
    case .agentLock: AgentMethods.lock
    case .agentUnlock: AgentMethods.unlock
    case .agentForget: AgentMethods.forget
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
    do throws(RPCError) { try method.handler(self, call, parameters) } catch { call.fail(error) }
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
