import Testing

@testable import WatchwordCore

/// Every event in every state: ``VaultLifecycleTable`` says what it comes to.
struct VaultLifecycleTableTests {
  private typealias Lifecycle = VaultLifecycle

  // MARK: Events

  private struct Event: Sendable {
    let name: String
    let happen: @Sendable (inout VaultLifecycle) -> String

    /// One that has effects.
    init(_ name: String, _ happen: @escaping @Sendable (inout VaultLifecycle) -> [VaultLifecycle.Effect]) {
      self.name = name
      self.happen = { text(happen(&$0)) }
    }

    /// One that asks for the vault.
    init(asking name: String, _ happen: @escaping @Sendable (inout VaultLifecycle) -> Lifecycle.Preparation) {
      self.name = name
      self.happen = {
        switch happen(&$0) {
        case .ready: "ready"
        case .refused(let fault): "refused(\(fault.text))"
        case .waits(let effects): ["waits", text(effects)].filter { !$0.isEmpty }.joined(separator: " ")
        }
      }
    }
  }

  /// With one change that waits, or none.
  private static func around(
    _ changes: Int = 0, mustBeWritten: Bool = true, needsPassphrase: Bool = false
  ) -> Lifecycle.Surroundings {
    Lifecycle.Surroundings(
      now: 100, isQueueEmpty: changes == 0, mustBeWritten: changes > 0 && mustBeWritten,
      needsPassphrase: needsPassphrase)
  }

  private static func opened(
    _ opening: Lifecycle.Opening, _ lifecycle: inout Lifecycle
  ) -> [VaultLifecycle.Effect] {
    lifecycle.opened(opening, isMade: false, mayWait: true, around())
  }

  private static let damaged = VaultFault.damaged("damaged")
  private static let full = VaultFault.unavailable("full")
  private static let held = Lifecycle.Opening.failed(.unavailable("held"), isInUse: true)

  private static let events = [
    Event(asking: "prepare") { $0.prepare() },
    Event(asking: "make") { $0.make() },
    Event(asking: "read") { $0.read(at: 1e9) },
    Event("trySoon") {
      $0.trySoon()
      return []
    },
    Event("openAgain") { $0.openAgain() },
    Event("opened found") { opened(.found, &$0) },
    Event("opened nothing") { opened(.nothing, &$0) },
    Event("opened held") { opened(held, &$0) },
    Event("opened locked") { opened(.failed(.locked, isInUse: false), &$0) },
    Event("opened postponed") { opened(.failed(.postponed, isInUse: false), &$0) },
    Event("opened damaged") { opened(.failed(damaged, isInUse: false), &$0) },
    Event("retried") { $0.retried(around()) },
    Event("schedule") { $0.schedule(around(1)) },
    Event("turnEnded") { $0.turnEnded(around()) },
    Event("turnEnded+1") { $0.turnEnded(around(1)) },
    Event("lookAgain") { $0.lookAgain(around()) },
    Event("lookAgain+1") { $0.lookAgain(around(1)) },
    Event("planned nothing") {
      $0.planned(isEmpty: true, around())
      return []
    },
    Event("planned") {
      $0.planned(isEmpty: false, around())
      return []
    },
    Event("wrote") { $0.wrote(nil) },
    Event("wrote full") { $0.wrote(full) },
    Event("wrote damaged") { $0.wrote(damaged) },
    Event("goOn") { $0.goOn(around()) },
    Event("goOn+1") { $0.goOn(around(1)) },
    Event("goOn+uses") { $0.goOn(around(1, mustBeWritten: false)) },
    Event("followed") { $0.sessionsFollowed(around()) },
    Event("followed+1") { $0.sessionsFollowed(around(1)) },
    Event("forget") { $0.forget(around()) },
    Event("forget+1") { $0.forget(around(1)) },
    Event("forget+key") { $0.forget(around(needsPassphrase: true)) },
    Event("wiped") { $0.wiped() },
    Event("close") { $0.close(around()) },
    Event("close+1") { $0.close(around(1)) },
    Event("awaitRelease") { $0.awaitRelease(around()) },
    Event("left") { $0.left(around()) },
  ]

  private static let lock = Event("lock") { $0.lock(true) }

  // MARK: States

  /// Each is what another one becomes.
  private static let states: [(name: String, before: String, events: [String])] = [
    ("new", "", []),
    ("looking", "new", ["opened postponed", "read"]),
    ("making", "new", ["prepare"]),
    ("waiting for the other daemon", "making", ["opened held"]),
    ("locked", "new", ["opened locked"]),
    ("damaged", "new", ["opened damaged"]),
    ("open", "new", ["opened found"]),
    ("scheduled", "open", ["schedule"]),
    ("planning", "scheduled", ["turnEnded+1"]),
    ("writing", "planning", ["planned"]),
    ("telling", "writing", ["wrote"]),
    ("telling of damage", "writing", ["wrote damaged"]),
    ("following", "telling", ["goOn"]),
    ("to be wiped, writing", "open", ["forget+1", "turnEnded+1", "planned"]),
    ("to be wiped, telling", "to be wiped, writing", ["wrote"]),
    ("wiping", "open", ["forget"]),
    ("locking", "open", ["forget+key"]),
    ("forgotten", "wiping", ["wiped"]),
    ("wanted", "wiping", ["prepare", "wiped"]),
    ("closed while it waits", "waiting for the other daemon", ["close"]),
    ("making under lock", "making", ["lock"]),
    ("forgotten under lock", "forgotten", ["lock"]),
    ("closing, writing", "writing", ["close"]),
    ("closing, telling", "closing, writing", ["wrote"]),
    ("closing, following", "closing, telling", ["goOn+1"]),
    ("leaving", "open", ["awaitRelease", "close"]),
    ("left", "leaving", ["left"]),
  ]

  private static func text(_ effects: [VaultLifecycle.Effect]) -> String {
    effects.map(text).joined(separator: " ")
  }

  private static func text(_ effect: VaultLifecycle.Effect) -> String {
    switch effect {
    case .open(let isMade): isMade ? "open(made)" : "open"
    case .hold(let keepsFile): keepsFile ? "hold" : "hold(withoutFile)"
    case .fail(let fault): "fail(\(fault.text))"
    case .answer(let waiter, nil): "answer(\(waiter))"
    case .answer(let waiter, let fault?): "answer(\(waiter), \(fault.text))"
    case .report(let fault): "report(\(fault.text))"
    case .retry: "retry"
    case .drop, .schedule, .write, .takeLater, .lookAgain, .follow, .wipe, .leave, .abandon, .note:
      "\(effect)"
    }
  }

  private static func text(_ lifecycle: VaultLifecycle) -> String {
    var words = [lifecycle.state.rawValue]
    if let work = lifecycle.work { words.append("\(work)") }
    if lifecycle.isScheduled { words.append("scheduled") }
    if lifecycle.awaitsSessions { words.append("following") }
    if lifecycle.isLast { words.append("last") }
    if lifecycle.isUnderLock { words.append("underLock") }
    if lifecycle.isClosed { words.append("closed") }
    return (words + lifecycle.waiters.map { "+\($0)" }.sorted()).joined(separator: " ")
  }

  /// One line for the events that come to the same. What comes to nothing is left out.
  private static func lines(_ lifecycle: VaultLifecycle) -> [String] {
    var lines: [(outcome: String, events: [String])] = []
    for event in events {
      let outcome = outcome(of: event, in: lifecycle)
      if let index = lines.firstIndex(where: { $0.outcome == outcome }) {
        lines[index].events.append(event.name)
      } else if !outcome.isEmpty {
        lines.append((outcome, [event.name]))
      }
    }
    return lines.map { "\($0.events.joined(separator: ", ")): \($0.outcome)" }
  }

  private static func outcome(of event: Event, in lifecycle: VaultLifecycle) -> String {
    var after = lifecycle
    let effects = event.happen(&after)
    let parts = [effects, after == lifecycle ? "" : "-> \(text(after))"]
    return parts.filter { !$0.isEmpty }.joined(separator: " ")
  }

  private static func reach(_ name: String) throws -> VaultLifecycle {
    guard let state = states.first(where: { $0.name == name }) else { return VaultLifecycle() }
    var lifecycle = try reach(state.before)
    for name in state.events {
      let event = try #require((events + [lock]).first { $0.name == name })
      _ = event.happen(&lifecycle)
    }
    return lifecycle
  }

  /// The table's, by the names of their states.
  private static let sections = Dictionary(
    VaultLifecycleTable.text.split(separator: "\n\n").map { section in
      (String(section.dropFirst(2).prefix { $0 != ":" }), section.split(separator: "\n").map(String.init))
    }
  ) { first, _ in first }

  @Test func theTableHasTheseStatesAndNoOthers() {
    #expect(Set(Self.sections.keys) == Set(Self.states.map(\.name)))
  }

  @Test(arguments: states.map(\.name)) func everyEvent(in state: String) throws {
    let lifecycle = try Self.reach(state)
    let section = ["# \(state): \(Self.text(lifecycle))"] + Self.lines(lifecycle)
    #expect(Self.sections[state] == section)
  }

  /// That the agent is locked forbids further steps, and is none.
  @Test(arguments: states.map(\.name)) func theAgentIsLockedAndUnlocked(in state: String) throws {
    let before = try Self.reach(state)
    var lifecycle = before
    for isLocked in [!before.isUnderLock, before.isUnderLock] {
      #expect(lifecycle.lock(isLocked) == [.note] && lifecycle.isUnderLock == isLocked)
    }
    #expect(lifecycle == before)
  }
}
