internal import WatchwordJSON
internal import WatchwordProtocol
internal import WatchwordReactor

/// Every method by name. A handler answers the call, now or later, or throws what is wrong with it.
@ReactorActor
struct MethodTable {
  typealias Handler = @ReactorActor (Daemon, Call, JSONObject?) throws(RPCError) -> Void

  private let handlers: [String: Handler]

  nonisolated init() {
    handlers = [
      "initialize": ServerMethods.initialize, "ping": ServerMethods.ping,
      "rpc.discover": ServerMethods.discover, "$/cancelRequest": ServerMethods.cancelRequest,
      "status": ServerMethods.status, "status/subscribe": ServerMethods.subscribe,
      "status/unsubscribe": ServerMethods.unsubscribe, "server/reload": ServerMethods.reload,
      "server/shutdown": ServerMethods.shutdown,
      "session/open": SessionMethods.open, "session/close": SessionMethods.close,
      "session/finish": SessionMethods.finish, "session/invalidate": SessionMethods.invalidate,
      "session/reset": SessionMethods.reset, "session/list": SessionMethods.list,
      "session/describe": SessionMethods.describe,
      "fetch": TaskMethods.fetch, "task/start": TaskMethods.start, "task/cancel": TaskMethods.cancel,
      "task/suspend": TaskMethods.suspend, "task/resume": TaskMethods.resume, "task/list": TaskMethods.list,
      "task/describe": TaskMethods.describe, "redirect/reply": TaskMethods.redirectReply,
      "challenge/reply": ChallengeMethods.reply, "challenge/list": ChallengeMethods.list,
      "challenge/describe": ChallengeMethods.describe,
      "credential/set": CredentialMethods.set, "credential/list": CredentialMethods.list,
      "credential/remove": CredentialMethods.remove, "credential/setDefault": CredentialMethods.setDefault,
      "trust/list": TrustMethods.list, "trust/remove": TrustMethods.remove,
      "cookie/list": CookieMethods.list, "cookie/set": CookieMethods.set,
      "cookie/remove": CookieMethods.remove,
      "identity/add": IdentityMethods.add, "identity/list": IdentityMethods.list,
      "identity/remove": IdentityMethods.remove, "identity/tokens": TokenMethods.list,
      "explain": ExplainMethod.explain,
    ]
  }

  subscript(name: String) -> Handler? { handlers[name] }
}
