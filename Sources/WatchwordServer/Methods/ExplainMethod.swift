internal import WatchwordCore
internal import WatchwordJSON
internal import WatchwordMessages
internal import WatchwordProtocol
internal import WatchwordReactor
internal import WatchwordVocabulary

/// `explain`: reads the memory as a fetch would, and sends nothing.
@ReactorActor
enum ExplainMethod {
  static func explain(_ daemon: Daemon, _ call: Call, _ object: JSONNode?) throws(RPCError) {
    let parameters = try ExplainParameters(object)
    let session = try daemon.registry.find(parameters.session, for: call.peer, environment: daemon)
    let url = try URLParameter.parse(parameters.url)
    let proxies = try TaskRequest.Proxies(parameters.proxies)
    let headers = parameters.headers ?? []
    let prospect = session.ask {
      $0.prospect(
        for: url, through: proxies, method: parameters.method, headers: headers, process: call.peer.caller)
    }
    let (proxy, proxyProspect) = session.ask {
      $0.proxyProspect(
        for: url, through: proxies, method: parameters.method, headers: headers, process: call.peer.caller)
    }
    let board = session.state.board
    let pending = board.pending.filter {
      ($0.question.space.hop == .origin
        ? $0.question.space.origin == url.origin : $0.question.space.origin == proxy?.proxy?.origin)
        && board.isEntitled(call.peer.identifier, to: $0)
    }
    session.forgetWhatIsOver()
    let reply = Sent.Explanation(
      url: url.text, origin: url.origin, prospect: prospect, proxy: proxy, proxyProspect: proxyProspect,
      methods: session.configuration.methods.inForce.map(\.rawValue), headers: session.configuration.headers,
      redirects: session.configuration.redirects,
      trust: TrustMethods.descriptions(of: session, about: url.origin),
      root: session.state.userRoot(of: url.origin),
      identityDecisions: session.state.identities.decisions(about: url.origin),
      identities: url.origin.isSecure
        ? session.ask { $0.identitiesUsable(at: url.origin) } : [],
      pins: session.configuration.tls.pins.hosts(pinning: url.origin),
      rules: session.policy.rules(for: url.origin.host),
      unusableOffers: session.state.memory.offersSeen.unusableOffers(of: url.origin),
      proxyUnusableOffers: proxy?.proxy.map {
        session.state.memory.offersSeen.unusableOffers(of: $0.origin, at: .proxy)
      } ?? UnusableOffers(),
      refusedSources: session.refusedSources {
        $0.origin == ($0.isProxy ? proxy?.proxy?.origin : url.origin)
      },
      pendingChallenges: pending.map(\.identifier))
    call.succeed(reply)
  }
}

extension MethodPolicy {
  /// The methods that the session may answer, in the order in which they would be tried.
  fileprivate var inForce: [AuthenticationMethod] {
    let ordered: [AuthenticationMethod] =
      switch order {
      case .list(let methods): methods
      case .server: MethodPolicy.defaultOrder
      }
    return ordered.filter { !disabled.contains($0) && OfferSelection.supportedMethods.contains($0) }
  }
}
