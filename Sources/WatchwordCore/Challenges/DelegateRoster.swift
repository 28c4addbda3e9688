/// One connection to the daemon, for the daemon's life.
package struct PeerIdentifier: Hashable, Sendable {
  package let number: UInt64

  package init(_ number: UInt64) { self.number = number }
}

/// One fetch of a session, as the board knows it.
package struct TaskIdentifier: Hashable, Sendable {
  /// Rises with every task of the daemon.
  package let number: UInt64

  package init(_ number: UInt64) { self.number = number }
}

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

  package init(tasks: Methods = .only([]), session: Methods = .only([])) {
    self.tasks = tasks
    self.session = session
  }

  package static let nothing = DelegateInterest()
}

/// The connections that hold a session, and who of them takes which challenges (challenges §3).
package struct DelegateRoster: Sendable {
  /// In the order in which they registered.
  private var order: [PeerIdentifier] = []
  private var interests: [PeerIdentifier: DelegateInterest] = [:]

  package init() {}

  package var holders: [PeerIdentifier] { order }
  package var isEmpty: Bool { order.isEmpty }

  package func interest(of peer: PeerIdentifier) -> DelegateInterest? { interests[peer] }

  package func isHolder(_ peer: PeerIdentifier) -> Bool { interests[peer] != nil }

  /// Adds a holder, or changes what it takes; nil leaves that as it is.
  package mutating func register(_ peer: PeerIdentifier, interest: DelegateInterest?) {
    if interests[peer] == nil {
      order.append(peer)
      interests[peer] = interest ?? .nothing
    } else if let interest {
      interests[peer] = interest
    }
  }

  package mutating func remove(_ peer: PeerIdentifier) {
    guard interests.removeValue(forKey: peer) != nil else { return }
    order.removeAll { $0 == peer }
  }

  /// Whether the peer is a session delegate that takes this method: it answers for every task.
  package func isSessionDelegate(_ peer: PeerIdentifier, for method: AuthenticationMethod) -> Bool {
    interests[peer]?.session.contains(method) ?? false
  }

  /// Whether the peer takes this method for a task of its own.
  package func takes(_ method: AuthenticationMethod, forOwnTaskOf peer: PeerIdentifier) -> Bool {
    guard let interest = interests[peer] else { return false }
    return interest.tasks.contains(method) || interest.session.contains(method)
  }

  /// Who is asked next (challenges §3), or nil.
  ///
  /// Session-wide methods go to the session's delegates first, the others to the connections of those who wait.
  func candidate(
    for method: AuthenticationMethod, among line: [ChallengeWaiter], without excluded: Set<PeerIdentifier>
  ) -> PeerIdentifier? {
    let delegates = order.lazy.filter { !excluded.contains($0) && isSessionDelegate($0, for: method) }
    let owners = line.lazy.compactMap(\.peer).filter { peer in
      !excluded.contains(peer) && takes(method, forOwnTaskOf: peer)
    }
    return method.isSessionWide ? delegates.first ?? owners.first : owners.first ?? delegates.first
  }
}
