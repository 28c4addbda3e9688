internal import CLinux
internal import WatchwordCore
internal import WatchwordJSON
internal import WatchwordMessages
internal import WatchwordProtocol
internal import WatchwordReactor
internal import WatchwordVocabulary

/// `peer/*`: connections that give up rights.
@ReactorActor
enum PeerMethods {
  static func restrict(_ daemon: Daemon, _ call: Call, _ object: JSONNode?) throws(RPCError) {
    let parameters = try PeerRestrictParameters(object)
    let restriction = try begin(
      parameters.rules, of: parameters.session, seconds: parameters.expiresSeconds, daemon, call)
    daemon.subscriptions.remove(call.peer.identifier)
    restriction.take(call.peer)
    answer(call, restriction)
    daemon.noteChange()
  }

  static func listen(_ daemon: Daemon, _ call: Call, _ object: JSONNode?) throws(RPCError) {
    let parameters = try PeerListenParameters(object)
    let path = "params.descriptor"
    let socket = try call.takeDescriptor(parameters.descriptor, path: path)
    guard clinux_is_listening(socket) else {
      DescriptorCloser.close(socket)
      throw RPCError(
        .descriptorUnusable, "\(path): must be a Unix stream socket that listens",
        details: ["path": .string(path)])
    }
    let restriction: ActiveRestriction
    do throws(RPCError) {
      try daemon.checkListeners(of: call.peer)
      restriction = try begin(
        parameters.rules, of: parameters.session, seconds: parameters.expiresSeconds, daemon, call)
    } catch {
      DescriptorCloser.close(socket)
      throw error
    }
    daemon.listen(on: socket, for: restriction, of: call.peer)
    answer(call, restriction)
    daemon.noteChange()
  }

  private static func begin(
    _ rules: [RestrictionRuleMembers], of session: String?, seconds: Double?, _ daemon: Daemon, _ call: Call
  ) throws(RPCError) -> ActiveRestriction {
    let rules = try RestrictionRule.list(rules, path: "params.rules")
    let session = try daemon.registry.find(session, for: call.peer, environment: daemon)
    let restriction = try daemon.makeRestriction(rules, by: call.peer.identifier, in: session)
    restriction.begin(rules, seconds: seconds)
    return restriction
  }

  private static func answer(_ call: Call, _ restriction: ActiveRestriction) {
    call.succeed(
      Sent.AddedRestriction(
        session: restriction.session?.name ?? "", restriction: restriction.identifier.description))
  }
}
