import Testing
import WatchwordVocabulary

@testable import WatchwordCore

/// Which source of the administrator may be read for a space, and when (storage.md 9.7 and 9.4.14).
struct SourceBindingsTests {
  private let space = BoardScene.space("r")
  private let origin = BoardScene.space("r").origin
  private var bindings = SourceBindings()

  private static func credential(
    _ password: String = "x", ends: Double? = nil, receipt: Secret? = nil
  ) -> Credential {
    var limits = CredentialLimits()
    limits.notAfter = ends
    return Credential(
      BoardScene.password(password).kind, limits: limits,
      source: CredentialSource(name: "pages", limits: CredentialLimits(), receipt: receipt))
  }

  private static let binding = SourceBindings.Binding("pages", .forSession, CredentialLimits(), owner: nil)

  private mutating func note(_ credential: Credential = credential(), in space: ProtectionSpace? = nil) {
    bindings.note(credential, in: space ?? self.space, owner: nil, wallClock: 1000)
  }

  private func key(_ field: String, at host: String = "a.example") -> ProtectionSpace {
    ProtectionSpace(keyOf: Origin(scheme: .https, host: host, port: 443), field: field)
  }

  @Test mutating func aBoundSourceIsReadableAtOnce() {
    #expect(bindings.readable(space, now: 0) == nil)
    let isBound = bindings.bind(space, to: Self.binding)
    #expect(isBound && bindings.readable(space, now: 0)?.name == "pages")
    #expect(bindings.readable(space, now: 0)?.isPreemptive == false)
    #expect(bindings.readable(BoardScene.space("s"), now: 0) == nil)
  }

  @Test mutating func onlySoManySpacesAreBound() {
    let spaces = (0...SourceBindings.capacity).map { BoardScene.space("r\($0)") }
    let bound = (spaces + [spaces[0]]).map { bindings.bind($0, to: Self.binding) }
    #expect(bound == Array(repeating: true, count: SourceBindings.capacity) + [false, true])
    #expect(bindings.binding(of: spaces[256]) == nil)
  }

  /// A source that gives the refused credential again is read less and less often (storage.md 9.7.9); a
  /// binding of any realm counts for all its realms.
  @Test(arguments: [false, true]) mutating func aRefusedCredentialIsNotTakenAgain(_ isOfAnyRealm: Bool) {
    note(in: isOfAnyRealm ? space.ofAnyRealm : space)
    let credential = Self.credential()
    func take(_ password: String) -> Bool {
      bindings.noteGiven(Self.credential(password), in: space, now: 0)
    }
    var isTaken = take("x")
    #expect(isTaken)
    bindings.noteRefusal(of: CredentialMark(BoardScene.password("y").kind), in: space, now: 0)
    #expect(bindings.refusals(now: 0).isEmpty)
    bindings.noteRefusal(of: CredentialMark(credential.kind), in: BoardScene.space("s"), now: 0)
    #expect(bindings.refusals(now: 0).count == (isOfAnyRealm ? 1 : 0))
    bindings.noteRefusal(of: CredentialMark(credential.kind), in: space, now: 0)
    #expect(bindings.refusals(now: 0).map(\.pause) == [0])
    isTaken = take("x")
    #expect(!isTaken && bindings.refusals(now: 0).map(\.pause) == [5])
    #expect(bindings.readable(space, now: 4.9) == nil && bindings.readable(space, now: 5) != nil)
    isTaken = take("x")
    #expect(!isTaken && bindings.refusals(now: 1).map(\.pause) == [9])
    // What another space has refused is not concerned.
    var retried = bindings.retry { $0.origin != origin }
    #expect(retried == 0 && bindings.readable(space, now: 9) == nil)
    retried = bindings.retry { $0.origin == origin }
    #expect(retried == 1 && bindings.readable(space, now: 0) != nil)
    retried = bindings.retry { $0.origin == origin }
    isTaken = take("new")
    #expect(retried == 0 && isTaken && bindings.refusals(now: 0).isEmpty)
  }

  @Test mutating func whatSourcesGaveIsRememberedOfSoManySpaces() {
    let isBound = bindings.bind(space.ofAnyRealm, to: Self.binding)
    #expect(isBound)
    let spaces = (0...SourceBindings.capacity).map {
      ProtectionSpace(
        origin: Origin(scheme: .https, host: "h\($0)", port: 443), realm: "r", authenticationMethod: .basic)
    }
    // A reading can outlive its binding.
    for space in spaces { _ = bindings.noteGiven(Self.credential(), in: space, now: 0) }
    for space in spaces {
      let isBound = bindings.bind(space.ofAnyRealm, to: Self.binding)
      guard isBound else { continue }
      bindings.noteRefusal(of: CredentialMark(Self.credential().kind), in: space, now: 0)
    }
    #expect(bindings.refusals(now: 0).count == SourceBindings.capacity - 1)
  }

  // MARK: Ahead of the end (storage.md 9.7.4)

  @Test(
    arguments: [
      (nil, 2000, false), (1000, 2000, false), (1001, 1000.74, false), (1001, 1000.75, true),
      (1400, 1339.9, false), (1400, 1340, true),
    ] as [(Double?, Double, Bool)])
  mutating func aCredentialIsRenewedAheadOfItsEnd(ends: Double?, wallClock: Double, isDue: Bool) {
    note(Self.credential(ends: ends))
    note(Self.credential(ends: 5000), in: BoardScene.space("later"))
    let other = bindings.takeDue(
      at: Origin(scheme: .https, host: "b.example", port: 443), wallClock: wallClock)
    let due = bindings.takeDue(at: origin, wallClock: wallClock)
    let again = bindings.takeDue(at: origin, wallClock: wallClock)
    #expect(other.isEmpty && due.map(\.space) == (isDue ? [space] : []) && again.isEmpty)
    let later = bindings.takeDue(at: origin, wallClock: 4940)
    #expect(later.map(\.space).contains(BoardScene.space("later")))
  }

  // MARK: Keys (storage.md 9.4.14)

  @Test mutating func onlyAMissingKeyOfTheOriginIsRead() {
    let mine = key("X-Key")
    for space in [mine, key("X-Other"), key("X-Key", at: "b.example"), space] {
      let isBound = bindings.bind(space, to: Self.binding)
      #expect(isBound)
    }
    func missing(_ isMissing: @escaping (ProtectionSpace) -> Bool) -> [ProtectionSpace] {
      bindings.takeMissingKeys(at: origin, now: 0, isMissing: isMissing).map(\.space)
    }
    var found = [missing { _ in false }, missing { $0 == mine }, missing { $0 == mine }]
    // It is read once.
    #expect(found == [[], [mine], []])
    bindings.renewed(mine)
    found = [missing { $0 == mine }, missing { _ in true }]
    #expect(found == [[mine], [key("X-Other")]])
    bindings.renewed(mine)
    // Nor while its source is not to be read.
    for _ in 0..<3 {
      _ = bindings.noteGiven(Self.credential(), in: mine, now: 0)
      bindings.noteRefusal(of: CredentialMark(Self.credential().kind), in: mine, now: 0)
    }
    let none = missing { $0 == mine }
    #expect(none.isEmpty)
  }

  // MARK: Removing

  @Test mutating func whatIsNamedForAnyRealmEndsEveryRealmOfItsMethod() {
    let digest = BoardScene.space("r", .digest)
    for space in [space, BoardScene.space("s"), digest] { note(in: space) }
    bindings.remove(named: space)
    #expect(bindings.binding(of: space) == nil && bindings.binding(of: BoardScene.space("s")) != nil)
    bindings.remove(named: space.ofAnyRealm)
    #expect(bindings.binding(of: BoardScene.space("s")) == nil && bindings.binding(of: digest) != nil)
    // A credential that was given itself ends the binding of its space.
    note(BoardScene.password("own"), in: digest)
    #expect(bindings.isEmpty)
  }

  /// Origins for which a source was named are guarded until their tasks have ended (storage.md 9.7.7).
  @Test mutating func anOriginIsGuardedUntilTheLastTaskThatMayCarryItEnds() {
    let tasks = [1, 2].map { TaskIdentifier($0) }
    #expect(!bindings.isGuardingOrigins && !bindings.isGuarded(origin))
    let isGuarded = bindings.guardOrigin(origin)
    #expect(isGuarded && bindings.isGuardingOrigins && bindings.isGuarded(origin))
    bindings.endGuard(after: tasks)
    #expect(bindings.isGuardingOrigins && bindings.isGuarded(origin))
    for (task, isLeft) in [(tasks[0], true), (TaskIdentifier(3), true), (tasks[1], false)] {
      bindings.ended(task)
      #expect(bindings.isGuardingOrigins == isLeft && bindings.isGuarded(origin) == isLeft)
    }
    _ = bindings.guardOrigin(origin)
    bindings.endGuard(after: [])
    #expect(!bindings.isGuardingOrigins)
  }

  @Test mutating func onlySoManyOriginsAreGuarded() {
    let origins = (0...SourceBindings.capacity).map { Origin(scheme: .https, host: "h\($0)", port: 443) }
    let guarded = origins.map { bindings.guardOrigin($0) }
    #expect(guarded == Array(repeating: true, count: 256) + [false])
    let again = bindings.guardOrigin(origins[0])
    #expect(again)
  }

  /// What sources want to be told is remembered of so many spaces (storage.md 9.7.11).
  @Test func receiptsAreKeptOfSoManySpaces() {
    var receipts = SourceReceipts()
    let spaces = (0...SourceBindings.capacity).map { BoardScene.space("r\($0)") }
    for space in spaces { receipts.note(Self.credential(receipt: Secret("r".utf8)), in: space) }
    // One that is known is replaced all the same.
    receipts.note(Self.credential("new", receipt: Secret("r".utf8)), in: spaces[0])
    let found = [(0, "new"), (1, "x"), (255, "x"), (256, "x")].map {
      receipts.takeAccepted(BoardScene.password($0.1).kind, in: spaces[$0.0]) != nil
    }
    #expect(found == [true, true, true, false])
  }
}
