/// Every method, by its name on the wire.
///
/// Made from `protocol/openrpc.json` by `protocol/generate`.
package enum MethodName: String, CaseIterable, Sendable {
  case initialize
  case ping
  case rpcDiscover = "rpc.discover"
  case sessionOpen = "session/open"
  case sessionClose = "session/close"
  case sessionFinish = "session/finish"
  case sessionInvalidate = "session/invalidate"
  case sessionReset = "session/reset"
  case sessionConfigure = "session/configure"
  case sessionList = "session/list"
  case sessionPrune = "session/prune"
  case sessionDescribe = "session/describe"
  case fetch
  case taskStart = "task/start"
  case taskCancel = "task/cancel"
  case taskSuspend = "task/suspend"
  case taskResume = "task/resume"
  case taskList = "task/list"
  case taskDescribe = "task/describe"
  case challengeReply = "challenge/reply"
  case challengeList = "challenge/list"
  case challengeDescribe = "challenge/describe"
  case redirectReply = "redirect/reply"
  case credentialSet = "credential/set"
  case credentialList = "credential/list"
  case credentialRead = "credential/read"
  case credentialRemove = "credential/remove"
  case credentialSetDefault = "credential/setDefault"
  case credentialRetry = "credential/retry"
  case credentialHistory = "credential/history"
  case trustList = "trust/list"
  case trustRemove = "trust/remove"
  case trustAddRoots = "trust/addRoots"
  case trustListRoots = "trust/listRoots"
  case trustRemoveRoots = "trust/removeRoots"
  case identityAdd = "identity/add"
  case identityList = "identity/list"
  case identityTokens = "identity/tokens"
  case identityRemove = "identity/remove"
  case cookieList = "cookie/list"
  case cookieSet = "cookie/set"
  case cookieRemove = "cookie/remove"
  case explain
  case peerRestrict = "peer/restrict"
  case peerListen = "peer/listen"
  case status
  case statusSubscribe = "status/subscribe"
  case statusUnsubscribe = "status/unsubscribe"
  case vaultInit = "vault/init"
  case vaultPassphrase = "vault/passphrase"
  case vaultRekey = "vault/rekey"
  case vaultCheck = "vault/check"
  case vaultExport = "vault/export"
  case vaultImport = "vault/import"
  case agentLock = "agent/lock"
  case agentUnlock = "agent/unlock"
  case agentForget = "agent/forget"
  case serverConfiguration = "server/configuration"
  case serverReload = "server/reload"
  case serverShutdown = "server/shutdown"
  case serverRestart = "server/restart"
  case cancelRequest = "$/cancelRequest"

  /// The type of its parameters.
  package var parameters: any MethodParameters.Type {
    switch self {
    case .initialize: InitializeParameters.self
    case .sessionOpen: SessionOpenParameters.self
    case .sessionClose, .sessionFinish, .sessionInvalidate, .sessionReset, .sessionDescribe, .taskList,
      .challengeList, .credentialList, .trustList, .identityList:
      SessionParameters.self
    case .sessionConfigure: SessionConfigureParameters.self
    case .sessionPrune: SessionPruneParameters.self
    case .fetch, .taskStart: FetchParameters.self
    case .taskCancel, .taskSuspend, .taskResume, .taskDescribe: TaskParameters.self
    case .challengeReply: ChallengeReply.Parameters.self
    case .challengeDescribe: ChallengeParameters.self
    case .redirectReply: RedirectReplyParameters.self
    case .credentialSet: CredentialSetParameters.self
    case .credentialRead: CredentialReadParameters.self
    case .credentialRemove: CredentialRemoveParameters.self
    case .credentialSetDefault: CredentialSetDefaultParameters.self
    case .credentialRetry: CredentialRetryParameters.self
    case .credentialHistory: CredentialHistoryParameters.self
    case .trustRemove: TrustRemoveParameters.self
    case .trustAddRoots: TrustAddRootsParameters.self
    case .trustRemoveRoots: TrustRemoveRootsParameters.self
    case .identityAdd: IdentityAddParameters.self
    case .identityRemove: IdentityRemoveParameters.self
    case .cookieList: CookieListParameters.self
    case .cookieSet: CookieSetParameters.self
    case .cookieRemove: CookieRemoveParameters.self
    case .explain: ExplainParameters.self
    case .peerRestrict: PeerRestrictParameters.self
    case .peerListen: PeerListenParameters.self
    case .statusSubscribe: StatusSubscribeParameters.self
    case .vaultInit: VaultInitParameters.self
    case .vaultPassphrase: VaultPassphraseParameters.self
    case .vaultRekey: VaultRekeyParameters.self
    case .vaultExport, .vaultImport: VaultTransferParameters.self
    case .agentLock, .agentUnlock: PassphraseParameters.self
    case .serverShutdown: ServerShutdownParameters.self
    case .cancelRequest: CancelRequestParameters.self
    default: NoParameters.self
    }
  }

  /// Whether a restricted connection may call it. The methods that name a task are for its own.
  package var isForRestricted: Bool {
    switch self {
    case .initialize, .ping, .fetch, .taskStart, .taskCancel, .taskSuspend, .taskResume, .taskList,
      .taskDescribe, .cancelRequest:
      true
    default: false
    }
  }

  /// Whether it uses what is in the vault, which is read first when it was forgotten (storage.md 9.8).
  package var usesVault: Bool {
    switch self {
    case .sessionOpen, .fetch, .taskStart, .challengeReply, .credentialSet, .credentialList, .credentialRead,
      .credentialRemove, .credentialSetDefault, .trustList, .trustRemove, .identityAdd, .identityList,
      .identityRemove, .explain, .vaultInit, .vaultPassphrase, .vaultRekey, .vaultCheck, .vaultExport,
      .vaultImport:
      true
    default: false
    }
  }

  /// Whether a call of it counts as a use of the agent (storage.md 9.11.13).
  package var isUse: Bool {
    switch self {
    case .initialize, .ping, .rpcDiscover, .status, .statusSubscribe, .statusUnsubscribe, .agentLock,
      .agentForget, .serverConfiguration, .serverReload, .serverShutdown, .serverRestart, .cancelRequest:
      false
    default: true
    }
  }

  /// What becomes of it while the agent is locked (storage.md 9.11.3).
  package var underLock: UnderLock {
    switch self {
    case .sessionReset, .sessionConfigure, .sessionPrune, .sessionDescribe, .taskDescribe, .credentialSet,
      .credentialRead, .credentialRemove, .credentialSetDefault, .credentialRetry, .trustRemove,
      .trustAddRoots, .trustRemoveRoots, .identityAdd, .identityRemove, .cookieSet, .cookieRemove, .explain,
      .vaultInit, .vaultPassphrase, .vaultRekey, .vaultCheck, .vaultExport, .vaultImport:
      .fails
    case .sessionList: .listsNothing("sessions")
    case .taskList: .listsNothing("tasks")
    case .credentialList: .listsNothing("credentials")
    case .credentialHistory: .listsNothing("entries")
    case .trustList: .listsNothing("trust")
    case .identityList, .identityTokens: .listsNothing("identities")
    case .cookieList: .listsNothing("cookies")
    default: .works
    }
  }
}
