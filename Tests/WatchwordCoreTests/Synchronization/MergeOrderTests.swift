import Testing
import WatchwordVocabulary

@testable import WatchwordCore

/// What hosts did without knowledge of each other ends in the same state, in whatever order they tell the store of it
/// (storage.md 9.12.4).
@Suite struct MergeOrderTests {
  private typealias Key = CredentialKey

  private static let space = ProtectionSpace(
    origin: Origin(scheme: .https, host: "a.example", port: 443), realm: "staff",
    authenticationMethod: .basic)

  private static func giving(_ password: String) -> PermanentCredentials.Change {
    let credential = Credential(
      .password(user: "u", password: Secret(password.utf8)), persistence: .synchronizable)
    return .store(credential, for: [space], isDefault: true, over: [])
  }
  private static let removal = PermanentCredentials.Change.remove([space], user: "u")

  /// What a host does while it does not reach the store, all at the same moment.
  private enum Event: CaseIterable {
    case nothing, give, remove, giveAndRemove, removeAndGive

    func carryOut(_ host: inout FleetModelHost, _ password: String) throws {
      switch self {
      case .nothing: break
      case .give: try host.change(MergeOrderTests.giving(password), now: 2)
      case .remove: try host.change(MergeOrderTests.removal, now: 2)
      case .giveAndRemove:
        try host.change(MergeOrderTests.giving(password), now: 2)
        try host.change(MergeOrderTests.removal, now: 2)
      case .removeAndGive:
        try host.change(MergeOrderTests.removal, now: 2)
        try host.change(MergeOrderTests.giving(password), now: 2)
      }
    }

    var leavesCredential: Bool { self == .give || self == .removeAndGive }
  }

  private static let orders = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]]

  /// Three hosts that have the same credential, or none.
  private static func hosts(_ store: inout FleetModelStore, isGiven: Bool) throws -> [FleetModelHost] {
    var hosts = [FleetModelHost(), FleetModelHost(), FleetModelHost()]
    guard isGiven else { return hosts }
    try hosts[0].change(giving("first"), now: 1)
    try hosts[0].writeNext(&store, losesReply: false, now: 1)
    for host in hosts.indices { try hosts[host].readWhole(store, now: 1) }
    return hosts
  }

  private static func tell(_ host: inout FleetModelHost, _ store: inout FleetModelStore) throws {
    try host.readWhole(store, now: 3)
    while host.credentials.outgoing != nil { try host.writeNext(&store, losesReply: false, now: 3) }
  }

  @Test(arguments: [true, false], [true, false])
  func everyOrderEndsInTheSameState(isGiven: Bool, areRepliesLost: Bool) throws {
    for events in Event.allCases.flatMap({ one in
      Event.allCases.flatMap { two in Event.allCases.map { [one, two, $0] } }
    }) {
      var store = FleetModelStore()
      var hosts = try Self.hosts(&store, isGiven: isGiven)
      for (host, event) in events.enumerated() { try event.carryOut(&hosts[host], "p\(host)") }
      var ends: Set<[String]> = []
      for order in Self.orders {
        var (store, hosts) = (store, hosts)
        for host in order {
          if areRepliesLost { try hosts[host].writeNext(&store, losesReply: true, now: 3) }
          try Self.tell(&hosts[host], &store)
        }
        for host in order { try Self.tell(&hosts[host], &store) }
        for host in hosts { ends.insert(host.summary) }
      }
      #expect(ends.count == 1, "\(events)")
      let isKept =
        events.contains(where: \.leavesCredential) || isGiven && events.allSatisfy { $0 == .nothing }
      #expect(ends.first?.isEmpty == !isKept, "\(events)")
    }
  }

  /// A write that never came to the store is no reason to take another host's for one's own.
  @Test func aRemovalLeavesWhatAnotherHostHasGivenAtTheSameMoment() throws {
    var store = FleetModelStore()
    var hosts = try Self.hosts(&store, isGiven: true)
    try hosts[0].change(Self.giving("lost"), now: 2)
    if let outgoing = hosts[0].credentials.outgoing { hosts[0].credentials.noteSent(outgoing) }
    try hosts[0].change(Self.removal, now: 2.5)
    try hosts[1].change(Self.giving("second"), now: 2.5)
    for host in [1, 0, 2] { try Self.tell(&hosts[host], &store) }
    for host in hosts {
      #expect(
        host.credentials.entry(Key(space: Self.space, user: "u"))?.credential.kind
          == .password(user: "u", password: Secret("second".utf8)))
    }
  }

  /// What a host has removed stays removed, also when it does not remember what it sent.
  @Test(arguments: [true, false])
  func aRemovalEndsWhatItsHostHasWritten(isRestarted: Bool) throws {
    var store = FleetModelStore()
    var hosts = try Self.hosts(&store, isGiven: true)
    try hosts[0].change(Self.giving("second"), now: 2)
    try hosts[0].writeNext(&store, losesReply: true, now: 2)
    if isRestarted { hosts[0].restart() }
    try hosts[0].change(Self.removal, now: 60)
    for host in [1, 0, 1, 2] { try Self.tell(&hosts[host], &store) }
    for host in hosts { #expect(host.summary.isEmpty) }
  }

  /// The same password was given on another host, which knew nothing of the removed one.
  @Test func theSamePasswordOfAnotherHostIsAnotherCredential() throws {
    var store = FleetModelStore()
    var hosts = try Self.hosts(&store, isGiven: false)
    try hosts[0].change(Self.giving("p"), now: 2)
    try Self.tell(&hosts[0], &store)
    try hosts[1].change(Self.giving("p"), now: 3)
    try hosts[0].change(Self.removal, now: 4)
    try hosts[1].change(.adopt(store.states), now: 5)
    try Self.tell(&hosts[0], &store)
    for host in [1, 0, 2] { try Self.tell(&hosts[host], &store) }
    for host in hosts { #expect(host.summary.count == 1) }
  }
}
