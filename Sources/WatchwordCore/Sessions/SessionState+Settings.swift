internal import WatchwordVocabulary

/// The settings of a session: what is made of them, and how they change.
extension SessionState {
  /// Those of the machines of every new task.
  static func authentication(
    _ settings: SessionSettings, _ surroundings: SessionSurroundings
  ) -> AuthenticationStateMachine.Settings {
    var policy = settings.configuration.methods
    policy.disabled.formUnion(surroundings.unavailableMethods)
    return AuthenticationStateMachine.Settings(
      policy: policy, refusalBudget: settings.configuration.challenges.refusalBudget,
      connectionLimit: settings.configuration.connectionsPerHost, ambientOrigins: settings.ambientOrigins,
      clientNonce: surroundings.clientNonce)
  }

  /// Nil: no setting concerns any origin.
  static func rules(_ settings: SessionSettings, _ surroundings: SessionSurroundings) -> ProxyRules? {
    let rules =
      switch settings.configuration.proxies {
      case .environment: surroundings.proxies
      case .listed: settings.proxies
      case .none: nil as ProxyRules?
      }
    return rules?.isEmpty ?? true ? nil : rules
  }

  /// Takes other settings: tasks that have begun keep theirs, except for credentials from netrc, which belong
  /// to the session, and for the deadlines of later challenges.
  ///
  /// No task may run when the change leads elsewhere. Then everything that was given under the previous
  /// settings is forgotten: credentials, decisions and identities.
  ///
  /// - Parameter userRoots: those of the uid; other settings may count them, or count them no more.
  package mutating func configure(_ settings: SessionSettings, userRoots: UserRoots) -> [SessionEffect] {
    let change = SessionConfigurationChange(from: configuration, to: settings.configuration)
    let isOtherNetrc = configuration.netrc != settings.configuration.netrc
    configuration = settings.configuration
    allowedOrigins = settings.allowedOrigins
    ambientOrigins = settings.ambientOrigins
    authentication = SessionState.authentication(settings, surroundings)
    forms = settings.forms
    proxies = SessionState.rules(settings, surroundings)
    board.settings = configuration.challenges
    if isOtherNetrc { memory.netrc = NetrcStore(configuration.netrc) }
    self.userRoots = configuration.tls.counted(userRoots)
    if change.leadsElsewhere {
      rootedOrigins = [:]
      memory.ways.change(
        to: CallersWays(
          configuration, proxies: proxies, forms: forms, environment: surroundings.proxies))
      wipe()
      stopUnboundReadings()
    }
    return takeEffects()
  }
}
