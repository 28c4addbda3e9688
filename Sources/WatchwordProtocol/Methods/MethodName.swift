/// Every method, by its name on the wire.
///
/// The server's table and the parameter readers follow it: an added method is answered, and its parameters
/// are fuzzed.
package enum MethodName: String, CaseIterable, Sendable {
  case initialize
  case ping
  case discover = "rpc.discover"
  case cancelRequest = "$/cancelRequest"
  case status
  case subscribe = "status/subscribe"
  case unsubscribe = "status/unsubscribe"
  case showConfiguration = "server/configuration"
  case reload = "server/reload"
  case shutdown = "server/shutdown"
  case restart = "server/restart"

  case openSession = "session/open"
  case closeSession = "session/close"
  case finishSession = "session/finish"
  case invalidateSession = "session/invalidate"
  case resetSession = "session/reset"
  case configureSession = "session/configure"
  case listSessions = "session/list"
  case pruneSessions = "session/prune"
  case describeSession = "session/describe"

  case fetch
  case startTask = "task/start"
  case cancelTask = "task/cancel"
  case suspendTask = "task/suspend"
  case resumeTask = "task/resume"
  case listTasks = "task/list"
  case describeTask = "task/describe"
  case replyToRedirect = "redirect/reply"

  case replyToChallenge = "challenge/reply"
  case listChallenges = "challenge/list"
  case describeChallenge = "challenge/describe"

  case setCredential = "credential/set"
  case listCredentials = "credential/list"
  case readCredential = "credential/read"
  case removeCredentials = "credential/remove"
  case setDefaultCredential = "credential/setDefault"
  case retryCredentials = "credential/retry"
  case listHistory = "credential/history"
  case listTrust = "trust/list"
  case removeTrust = "trust/remove"
  case addRoots = "trust/addRoots"
  case listRoots = "trust/listRoots"
  case removeRoots = "trust/removeRoots"
  case listCookies = "cookie/list"
  case setCookie = "cookie/set"
  case removeCookies = "cookie/remove"
  case addIdentity = "identity/add"
  case listIdentities = "identity/list"
  case removeIdentities = "identity/remove"
  case listTokens = "identity/tokens"
  case explain
  case restrictPeer = "peer/restrict"
  case listenForPeers = "peer/listen"
  case makeVault = "vault/init"
  case setVaultPassphrase = "vault/passphrase"
  case rekeyVault = "vault/rekey"
  case checkVault = "vault/check"
  case exportVault = "vault/export"
  case importVault = "vault/import"
  case lockAgent = "agent/lock"
  case unlockAgent = "agent/unlock"
  case forgetSecrets = "agent/forget"

  /// Whether a restricted connection may call it. The methods that name a task are for its own tasks.
  package var isForRestricted: Bool {
    switch self {
    case .initialize, .ping, .cancelRequest, .fetch, .startTask, .cancelTask, .suspendTask, .resumeTask,
      .listTasks, .describeTask:
      true
    case .discover, .status, .subscribe, .unsubscribe, .showConfiguration, .reload, .shutdown, .restart,
      .openSession, .closeSession, .finishSession, .invalidateSession, .resetSession, .configureSession,
      .listSessions, .pruneSessions, .describeSession, .replyToRedirect, .replyToChallenge, .listChallenges,
      .describeChallenge, .setCredential, .listCredentials, .readCredential, .removeCredentials,
      .setDefaultCredential, .retryCredentials, .listHistory, .listTrust, .removeTrust, .addRoots, .listRoots,
      .removeRoots, .listCookies, .setCookie, .removeCookies, .addIdentity, .listIdentities,
      .removeIdentities, .listTokens, .explain, .restrictPeer, .listenForPeers, .makeVault,
      .setVaultPassphrase, .rekeyVault, .checkVault, .exportVault, .importVault, .lockAgent, .unlockAgent,
      .forgetSecrets:
      false
    }
  }

  /// Whether it uses what is in the vault, which is read again first when it was forgotten (storage.md 9.8).
  package var usesVault: Bool {
    switch self {
    case .fetch, .startTask, .openSession, .replyToChallenge, .setCredential, .listCredentials,
      .readCredential, .removeCredentials, .setDefaultCredential, .listTrust, .removeTrust, .addIdentity,
      .listIdentities, .removeIdentities, .explain, .makeVault, .setVaultPassphrase, .rekeyVault, .checkVault,
      .exportVault, .importVault:
      true
    case .initialize, .ping, .discover, .cancelRequest, .status, .subscribe, .unsubscribe, .showConfiguration,
      .reload, .shutdown, .restart, .closeSession, .finishSession, .invalidateSession, .resetSession,
      .configureSession, .listSessions, .pruneSessions, .describeSession, .cancelTask, .suspendTask,
      .resumeTask, .listTasks, .describeTask, .replyToRedirect, .listChallenges, .describeChallenge,
      .retryCredentials, .listHistory, .listCookies, .setCookie, .removeCookies, .listTokens, .addRoots,
      .listRoots, .removeRoots, .restrictPeer, .listenForPeers, .lockAgent, .unlockAgent, .forgetSecrets:
      false
    }
  }
}

extension MethodName {
  /// What becomes of a method while the agent is locked.
  package enum UnderLock: Sendable, Equatable {
    case works
    /// The error `agentLocked`.
    case fails
    /// A result whose only member is this empty list: as ssh-agent, the agent seems to have nothing.
    case listsNothing(StaticString)

    package static func == (left: UnderLock, right: UnderLock) -> Bool {
      switch (left, right) {
      case (.works, .works), (.fails, .fails): true
      case (.listsNothing(let name), .listsNothing(let other)): "\(name)" == "\(other)"
      case (.works, _), (.fails, _), (.listsNothing, _): false
      }
    }
  }

  /// Whether a call of it counts as a use of the agent (storage.md 9.11.13).
  package var isUse: Bool {
    switch self {
    case .initialize, .ping, .discover, .cancelRequest, .status, .subscribe, .unsubscribe, .showConfiguration,
      .reload, .shutdown, .restart, .lockAgent, .forgetSecrets:
      false
    case .openSession, .closeSession, .finishSession, .invalidateSession, .resetSession, .configureSession,
      .listSessions, .pruneSessions, .describeSession, .fetch, .startTask, .cancelTask, .suspendTask,
      .resumeTask, .listTasks, .describeTask, .replyToRedirect, .replyToChallenge, .listChallenges,
      .describeChallenge, .setCredential, .listCredentials, .readCredential, .removeCredentials,
      .setDefaultCredential, .retryCredentials, .listHistory, .listTrust, .removeTrust, .listCookies,
      .setCookie, .removeCookies, .addIdentity, .listIdentities, .removeIdentities, .listTokens, .addRoots,
      .listRoots, .removeRoots, .explain, .restrictPeer, .listenForPeers, .makeVault, .setVaultPassphrase,
      .rekeyVault, .checkVault, .exportVault, .importVault, .unlockAgent:
      true
    }
  }

  /// The one table of storage.md 9.11.3.
  package var underLock: UnderLock {
    switch self {
    case .initialize, .ping, .discover, .cancelRequest, .status, .subscribe, .unsubscribe, .showConfiguration,
      .reload, .shutdown, .restart, .openSession, .closeSession, .finishSession, .invalidateSession, .fetch,
      .startTask, .cancelTask, .suspendTask, .resumeTask, .replyToChallenge, .listChallenges,
      .describeChallenge, .restrictPeer, .listenForPeers, .lockAgent, .unlockAgent, .forgetSecrets,
      .replyToRedirect, .listRoots:
      .works
    case .resetSession, .configureSession, .pruneSessions, .describeSession, .describeTask, .setCredential,
      .readCredential, .removeCredentials, .setDefaultCredential, .retryCredentials, .removeTrust, .setCookie,
      .removeCookies, .addIdentity, .removeIdentities, .explain, .makeVault, .setVaultPassphrase, .rekeyVault,
      .checkVault, .exportVault, .importVault, .addRoots, .removeRoots:
      .fails
    case .listSessions: .listsNothing("sessions")
    case .listTasks: .listsNothing("tasks")
    case .listCredentials: .listsNothing("credentials")
    case .listHistory: .listsNothing("entries")
    case .listTrust: .listsNothing("trust")
    case .listCookies: .listsNothing("cookies")
    case .listIdentities, .listTokens: .listsNothing("identities")
    }
  }
}
