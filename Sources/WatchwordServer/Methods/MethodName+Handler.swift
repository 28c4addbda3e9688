internal import WatchwordJSON
internal import WatchwordProtocol
internal import WatchwordReactor

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
