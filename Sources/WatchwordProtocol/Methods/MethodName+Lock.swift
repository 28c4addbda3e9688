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
      .reload, .shutdown, .lockAgent, .forgetSecrets:
      false
    case .openSession, .closeSession, .finishSession, .invalidateSession, .resetSession, .configureSession,
      .listSessions, .pruneSessions, .describeSession, .fetch, .startTask, .cancelTask, .suspendTask,
      .resumeTask, .listTasks, .describeTask,
      .replyToRedirect, .replyToChallenge, .listChallenges, .describeChallenge, .setCredential,
      .listCredentials, .readCredential, .removeCredentials, .setDefaultCredential, .retryCredentials,
      .listHistory,
      .listTrust, .removeTrust, .listCookies, .setCookie, .removeCookies, .addIdentity, .listIdentities,
      .removeIdentities, .listTokens, .addRoots, .listRoots, .removeRoots,
      .explain, .restrictPeer, .listenForPeers, .makeVault, .setVaultPassphrase, .rekeyVault, .checkVault,
      .exportVault, .importVault, .unlockAgent:
      true
    }
  }

  /// The one table of storage.md 9.11.3.
  package var underLock: UnderLock {
    switch self {
    case .initialize, .ping, .discover, .cancelRequest, .status, .subscribe, .unsubscribe, .showConfiguration,
      .reload, .shutdown, .openSession, .closeSession, .finishSession, .invalidateSession, .fetch, .startTask,
      .cancelTask,
      .suspendTask, .resumeTask, .replyToChallenge, .listChallenges, .describeChallenge, .restrictPeer,
      .listenForPeers, .lockAgent, .unlockAgent, .forgetSecrets, .replyToRedirect, .listRoots:
      .works
    case .resetSession, .configureSession, .pruneSessions, .describeSession, .describeTask, .setCredential,
      .readCredential, .removeCredentials, .setDefaultCredential, .retryCredentials, .removeTrust, .setCookie,
      .removeCookies, .addIdentity, .removeIdentities, .explain, .makeVault, .setVaultPassphrase, .rekeyVault,
      .checkVault, .exportVault,
      .importVault, .addRoots, .removeRoots:
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
