internal import WatchwordCore
internal import WatchwordJSON
internal import WatchwordProtocol
internal import WatchwordReactor

/// `explain`: the cache is asked as a fetch would ask it, and nothing is sent.
@ReactorActor
enum ExplainMethod {
  static func explain(_ daemon: Daemon, _ call: Call, _ object: JSONObject?) throws(RPCError) {
    let parameters = try Explain.Parameters(object)
    let session = try daemon.registry.find(parameters.session, for: call.peer, environment: daemon)
    let url = try URLParameter.parse(parameters.url)
    let use = CredentialUse(
      url: url, method: parameters.method, process: call.peer.process.pid, now: session.now,
      wallClock: session.wallClock)
    let policy = session.configuration.methods
    let machine = AuthenticationStateMachine(
      policy: policy, refusalBudget: session.configuration.challenges.refusalBudget)
    let fields = CallerFields.merged(task: [], session: session.configuration.headers, for: url)
    let authorization = machine.expectation(
      for: use, hasCallerAuthorization: fields.first("authorization") != nil, cache: &session.cache)
    let pending = session.board.pending.filter {
      $0.question.space.origin == url.origin && session.board.isEntitled(call.peer.identifier, to: $0)
    }
    session.forgetIdentitiesThatAreOver()
    let reply = Explain.Reply(
      url: call.peer.sessions[session.name] == nil ? url.textWithoutQuery : url.text, origin: url.origin,
      authorization: authorization,
      methods: policy.inForce.map(\.rawValue), headers: session.configuration.headers,
      redirects: session.configuration.redirects,
      trust: session.trustDescriptions(about: url.origin),
      identityDecisions: session.identities.decisions(about: url.origin),
      identities: url.origin.isSecure ? session.identitiesUsable(at: url.origin) : [],
      pins: session.configuration.tls.pins.rules.filter { $0.host.matches(url.origin.host) }.map(\.host.text),
      rules: session.policy.rules(for: url.origin.host), pendingChallenges: pending.map(\.identifier))
    call.succeed(reply.write)
  }
}

extension MethodPolicy {
  /// The methods that would be answered, in the order in which they would be tried.
  fileprivate var inForce: [AuthenticationMethod] {
    let ordered: [AuthenticationMethod] =
      switch order {
      case .list(let methods): methods
      case .server: MethodPolicy.defaultOrder
      }
    return ordered.filter { !disabled.contains($0) && OfferSelection.supportedMethods.contains($0) }
  }
}
