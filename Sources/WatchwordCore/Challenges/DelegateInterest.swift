package import WatchwordVocabulary

/// Which challenges a connection takes.
package struct DelegateInterest: Sendable, Equatable {
  package enum Methods: Sendable, Equatable {
    case all
    case only(Set<AuthenticationMethod>)

    package func contains(_ method: AuthenticationMethod) -> Bool {
      switch self {
      case .all: true
      case .only(let methods): methods.contains(method)
      }
    }
  }

  /// For tasks that the connection started.
  package var tasks: Methods
  /// For any task of the session.
  package var session: Methods
  /// Whether it is asked about every chain, or only about chains that default evaluation refuses.
  package var trustVerdicts: TrustVerdicts

  package enum TrustVerdicts: String, Sendable, CaseIterable {
    case all
    case refused
  }

  package init(
    tasks: Methods = .only([]), session: Methods = .only([]), trustVerdicts: TrustVerdicts = .all
  ) {
    self.tasks = tasks
    self.session = session
    self.trustVerdicts = trustVerdicts
  }

  /// Whether it takes this challenge from any task of the session.
  func takesOfSession(_ subject: ChallengeSubject) -> Bool {
    session.contains(subject.method) && isAskedAbout(subject)
  }

  /// Whether it takes this challenge from its own tasks.
  func takesOfOwnTasks(_ subject: ChallengeSubject) -> Bool {
    (tasks.contains(subject.method) || session.contains(subject.method)) && isAskedAbout(subject)
  }

  private func isAskedAbout(_ subject: ChallengeSubject) -> Bool {
    trustVerdicts == .all || !subject.isTrustedChain
  }

  package static let nothing = DelegateInterest()
}
