internal import WatchwordMessages
internal import WatchwordProtocol

extension MethodName {
  /// What a client sends for it; nil for what is no request.
  ///
  /// Made from `protocol/openrpc.json` by `protocol/generate`.
  var request: (any (MethodRequest & SentObject).Type)? {
    switch rawValue {
    case "initialize": Request.Initialize.self
    case "ping": Request.Ping.self
    case "rpc.discover": Request.RpcDiscover.self
    case "session/open": Request.SessionOpen.self
    case "session/close": Request.SessionClose.self
    case "session/finish": Request.SessionFinish.self
    case "session/invalidate": Request.SessionInvalidate.self
    case "session/reset": Request.SessionReset.self
    case "session/configure": Request.SessionConfigure.self
    case "session/list": Request.SessionList.self
    case "session/prune": Request.SessionPrune.self
    case "session/describe": Request.SessionDescribe.self
    case "fetch": Request.Fetch.self
    case "task/start": Request.TaskStart.self
    case "task/cancel": Request.TaskCancel.self
    case "task/suspend": Request.TaskSuspend.self
    case "task/resume": Request.TaskResume.self
    case "task/list": Request.TaskList.self
    case "task/describe": Request.TaskDescribe.self
    case "challenge/reply": Request.ChallengeReply.self
    case "challenge/list": Request.ChallengeList.self
    case "challenge/describe": Request.ChallengeDescribe.self
    case "redirect/reply": Request.RedirectReply.self
    case "credential/set": Request.CredentialSet.self
    case "credential/list": Request.CredentialList.self
    case "credential/read": Request.CredentialRead.self
    case "credential/remove": Request.CredentialRemove.self
    case "credential/setDefault": Request.CredentialSetDefault.self
    case "credential/retry": Request.CredentialRetry.self
    case "credential/history": Request.CredentialHistory.self
    case "trust/list": Request.TrustList.self
    case "trust/remove": Request.TrustRemove.self
    case "trust/addRoots": Request.TrustAddRoots.self
    case "trust/listRoots": Request.TrustListRoots.self
    case "trust/removeRoots": Request.TrustRemoveRoots.self
    case "identity/add": Request.IdentityAdd.self
    case "identity/list": Request.IdentityList.self
    case "identity/tokens": Request.IdentityTokens.self
    case "identity/remove": Request.IdentityRemove.self
    case "cookie/list": Request.CookieList.self
    case "cookie/set": Request.CookieSet.self
    case "cookie/remove": Request.CookieRemove.self
    case "explain": Request.Explain.self
    case "peer/restrict": Request.PeerRestrict.self
    case "peer/listen": Request.PeerListen.self
    case "status": Request.Status.self
    case "status/subscribe": Request.StatusSubscribe.self
    case "status/unsubscribe": Request.StatusUnsubscribe.self
    case "vault/init": Request.VaultInit.self
    case "vault/passphrase": Request.VaultPassphrase.self
    case "vault/rekey": Request.VaultRekey.self
    case "vault/check": Request.VaultCheck.self
    case "vault/export": Request.VaultExport.self
    case "vault/import": Request.VaultImport.self
    case "agent/lock": Request.AgentLock.self
    case "agent/unlock": Request.AgentUnlock.self
    case "agent/forget": Request.AgentForget.self
    case "server/configuration": Request.ServerConfiguration.self
    case "server/reload": Request.ServerReload.self
    case "server/shutdown": Request.ServerShutdown.self
    case "server/restart": Request.ServerRestart.self
    default: nil
    }
  }
}
