extension MethodName {
  /// The type of its parameters.
  ///
  /// Made from `protocol/openrpc.json` by `protocol/generate`.
  package var parameters: any MethodParameters.Type {
    switch rawValue {
    case "initialize": InitializeParameters.self
    case "session/open": SessionOpenParameters.self
    case "session/close", "session/finish", "session/invalidate", "session/reset", "session/describe",
      "task/list", "challenge/list", "credential/list", "trust/list", "identity/list":
      SessionParameters.self
    case "session/configure": SessionConfigureParameters.self
    case "session/prune": SessionPruneParameters.self
    case "fetch", "task/start": FetchParameters.self
    case "task/cancel", "task/suspend", "task/resume", "task/describe": TaskParameters.self
    case "challenge/reply": ChallengeReply.Parameters.self
    case "challenge/describe": ChallengeParameters.self
    case "redirect/reply": RedirectReplyParameters.self
    case "credential/set": CredentialSetParameters.self
    case "credential/read": CredentialReadParameters.self
    case "credential/remove": CredentialRemoveParameters.self
    case "credential/setDefault": CredentialSetDefaultParameters.self
    case "credential/retry": CredentialRetryParameters.self
    case "credential/history": CredentialHistoryParameters.self
    case "trust/remove": TrustRemoveParameters.self
    case "trust/addRoots": TrustAddRootsParameters.self
    case "trust/removeRoots": TrustRemoveRootsParameters.self
    case "identity/add": IdentityAddParameters.self
    case "identity/remove": IdentityRemoveParameters.self
    case "cookie/list": CookieListParameters.self
    case "cookie/set": CookieSetParameters.self
    case "cookie/remove": CookieRemoveParameters.self
    case "explain": ExplainParameters.self
    case "peer/restrict": PeerRestrictParameters.self
    case "peer/listen": PeerListenParameters.self
    case "status/subscribe": StatusSubscribeParameters.self
    case "vault/init": VaultInitParameters.self
    case "vault/passphrase": VaultPassphraseParameters.self
    case "vault/rekey": VaultRekeyParameters.self
    case "vault/export", "vault/import": VaultTransferParameters.self
    case "agent/lock", "agent/unlock": PassphraseParameters.self
    case "server/shutdown": ServerShutdownParameters.self
    case "$/cancelRequest": CancelRequestParameters.self
    // "ping", "rpc.discover", "session/list", "trust/listRoots", "identity/tokens", "status",
    // "status/unsubscribe", "vault/check", "agent/forget", "server/configuration", "server/reload",
    // "server/restart"
    default: NoParameters.self
    }
  }
}
