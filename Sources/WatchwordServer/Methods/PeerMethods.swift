internal import WatchwordCore
internal import WatchwordJSON
internal import WatchwordProtocol
internal import WatchwordReactor
internal import WatchwordVocabulary

/// `peer/*`: connections that give up rights.
@ReactorActor
enum PeerMethods {
  static func restrict(_ daemon: Daemon, _ call: Call, _ object: JSONObject?) throws(RPCError) {
    let parameters = try PeerRestrict.Parameters(object)
    let rules = try RestrictionRule.list(parameters.rules, path: "params.rules")
    let session = try daemon.registry.find(parameters.session, for: call.peer, environment: daemon)
    let restriction = try daemon.makeRestriction(rules, in: session)
    daemon.subscriptions.remove(call.peer.identifier)
    call.peer.restrict(to: restriction)
    restriction.begin(rules, seconds: parameters.expiresSeconds)
    session.take { $0.restrict(call.peer.identifier, by: restriction.identifier, at: $1) }
    call.succeed {
      PeerRestrict.write(session: session.name, restriction: restriction.identifier.description, to: &$0)
    }
    daemon.noteChange()
  }
}
