internal import Glibc
internal import WatchwordJSON
internal import WatchwordMessages
internal import WatchwordProtocol
internal import WatchwordReactor
internal import WatchwordVocabulary

/// Hello, liveness, status and the administrator's methods.
@ReactorActor
enum ServerMethods {
  static func initialize(_ daemon: Daemon, _ call: Call, _ object: JSONNode?) throws(RPCError) {
    let parameters = try InitializeParameters(object)
    call.peer.takesDescriptors = parameters.capabilities?.descriptors ?? false
    call.peer.callerName = parameters.name
    call.peer.callerVersion = parameters.version
    let reply = Sent.Greeting(
      version: DaemonOptions.version, pid: getpid(), uid: getuid(),
      limits: daemon.limits(for: call.peer).map { ($0.name, $0.value) })
    call.succeed(reply)
  }

  static func ping(_ daemon: Daemon, _ call: Call, _ object: JSONNode?) throws(RPCError) {
    _ = try NoParameters(object)
    call.succeed { $0.emptyObject() }
  }

  static func discover(_ daemon: Daemon, _ call: Call, _ object: JSONNode?) throws(RPCError) {
    _ = try NoParameters(object)
    call.succeed(sharing: OpenRPCDocument.text)
  }

  /// Cancels the requests of this connection with the id; they are answered with `requestCancelled`.
  static func cancelRequest(_ daemon: Daemon, _ call: Call, _ object: JSONNode?) throws(RPCError) {
    let identifier = try CancelRequestParameters(object).id
    for cancelled in call.peer.calls(with: identifier) where cancelled !== call { cancelled.onCancel?() }
    call.succeed { $0.emptyObject() }
  }

  static func status(_ daemon: Daemon, _ call: Call, _ object: JSONNode?) throws(RPCError) {
    _ = try NoParameters(object)
    StatusRound(daemon).snapshot(for: call.peer) { call.succeed($0.write) }
  }

  static func subscribe(_ daemon: Daemon, _ call: Call, _ object: JSONNode?) throws(RPCError) {
    let parameters = try StatusSubscribeParameters(object)
    let isAdded = daemon.subscriptions.add(
      call.peer.identifier, of: call.peer.process.uid, intervalSeconds: parameters.intervalSeconds)
    guard isAdded else {
      throw .limitExceeded(
        "more than \(Limits.statusSubscribersPerUID) subscribers", limit: "statusSubscribersPerUid")
    }
    call.succeed(Sent.Subscribed(subscribed: true))
  }

  static func unsubscribe(_ daemon: Daemon, _ call: Call, _ object: JSONNode?) throws(RPCError) {
    _ = try NoParameters(object)
    daemon.subscriptions.remove(call.peer.identifier)
    call.succeed(Sent.Unsubscribed(subscribed: false))
  }

  static func showConfiguration(_ daemon: Daemon, _ call: Call, _ object: JSONNode?) throws(RPCError) {
    _ = try NoParameters(object)
    try requireAdministrator(daemon, call)
    call.succeed(daemon.configurationInUse)
  }

  static func reload(_ daemon: Daemon, _ call: Call, _ object: JSONNode?) throws(RPCError) {
    _ = try NoParameters(object)
    try requireAdministrator(daemon, call)
    call.answer { () async throws(RPCError) in
      do throws(ConfigurationFault) { try await daemon.reload() } catch {
        throw .configurationInvalid(error.text, path: error.member)
      }
      return Sent.Reloaded(reloaded: true)
    }
  }

  static func shutdown(_ daemon: Daemon, _ call: Call, _ object: JSONNode?) throws(RPCError) {
    let parameters = try ServerShutdownParameters(object)
    try requireAdministrator(daemon, call)
    call.succeed(Sent.Stopping(stopping: true))
    daemon.stop(isGraceful: parameters.graceful)
  }

  static func restart(_ daemon: Daemon, _ call: Call, _ object: JSONNode?) throws(RPCError) {
    _ = try NoParameters(object)
    try requireAdministrator(daemon, call)
    call.begin { () async throws(RPCError) in
      try await daemon.restart { call.succeed(Sent.Restarting(restarting: true)) }
    }
  }

  private static func requireAdministrator(_ daemon: Daemon, _ call: Call) throws(RPCError) {
    guard daemon.isAdministrator(call.peer) else {
      throw .notPermitted("only the daemon's own user or root may do this")
    }
  }
}
