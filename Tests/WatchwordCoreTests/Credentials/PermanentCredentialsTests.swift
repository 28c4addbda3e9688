import Testing
import WatchwordTestSupport
import WatchwordVocabulary

@testable import WatchwordCore

@Suite struct PermanentCredentialsTests {
  private static let origin = Origin(scheme: .https, host: "a.example", port: 443)
  private static let staff = ProtectionSpace(origin: origin, realm: "staff", authenticationMethod: .basic)
  private static let guests = ProtectionSpace(origin: origin, realm: "guests", authenticationMethod: .basic)

  private func use(_ path: String = "/x", method: String = "GET", now: Double = 10) -> CredentialUse {
    CredentialUse(
      url: RequestURL(origin: Self.origin, path: path, query: nil), method: method, process: 1, now: now,
      wallClock: 1000 + now)
  }

  private func credential(
    _ user: String = "reader", _ password: String = "open", limits: CredentialLimits = CredentialLimits()
  ) -> Credential {
    Credential(
      .password(user: user, password: Secret(password.utf8)), persistence: .permanent, limits: limits)
  }

  /// Plans and applies at once, as when the disk takes no time.
  @discardableResult
  private func change(
    _ permanent: inout PermanentCredentials, _ change: PermanentCredentials.Change
  ) throws -> PermanentCredentials.Alteration {
    permanent.apply(try permanent.plan(change, now: 1))
  }

  private func kept(
    _ credentials: Credential..., in space: ProtectionSpace = staff
  ) throws -> PermanentCredentials {
    var permanent = PermanentCredentials()
    for one in credentials { try change(&permanent, .store(one, for: [space], isDefault: true, over: [])) }
    return permanent
  }

  @Test func aPlanAloneChangesNothing() throws {
    var permanent = PermanentCredentials()
    let plan = try permanent.plan(.store(credential(), for: [Self.staff], isDefault: true, over: []), now: 1)
    #expect(plan.added.count == 1 && permanent.count == 0)
    #expect(permanent.candidate(for: Self.staff, user: nil, use: use(), over: []) == nil)
    let alteration = permanent.apply(plan)
    #expect(alteration.changes.map(\.change) == [.added])
    #expect(
      permanent.candidate(for: Self.staff, user: nil, use: use(), over: [])?.credential.user == "reader")
    #expect(permanent.candidate(for: Self.guests, user: nil, use: use(), over: []) == nil)
  }

  @Test func aNewDefaultEndsTheOldOne() throws {
    var permanent = try kept(credential("reader"), credential("writer"))
    #expect(
      permanent.candidate(for: Self.staff, user: nil, use: use(), over: [])?.credential.user == "writer")
    #expect(
      permanent.candidate(for: Self.staff, user: "reader", use: use(), over: [])?.credential.user == "reader")
    let alteration = try change(&permanent, .setDefault(user: "reader", in: [Self.staff]))
    #expect(alteration.defaults == [1: true, 2: false])
    #expect(
      permanent.candidate(for: Self.staff, user: nil, use: use(), over: [])?.credential.user == "reader")
  }

  @Test func aRemovedDefaultLeavesNone() throws {
    var permanent = try kept(credential("reader"), credential("writer"))
    let alteration = try change(&permanent, .remove([Self.staff], user: "writer"))
    #expect((alteration.removed, alteration.removedCount) == ([2], 1))
    #expect(permanent.candidate(for: Self.staff, user: nil, use: use(), over: []) == nil)
  }

  @Test func noUserIsTheDefaultWhenNoneIsMeantToBe() throws {
    var permanent = PermanentCredentials()
    try change(&permanent, .store(credential("reader"), for: [Self.staff], isDefault: false, over: []))
    #expect(permanent.candidate(for: Self.staff, user: nil, use: use(), over: []) == nil)
    #expect(permanent.candidate(for: Self.staff, user: "reader", use: use(), over: []) != nil)
  }

  @Test func aReplacementHasANumberOfItsOwn() throws {
    var permanent = try kept(credential("reader", "old"))
    let alteration = try change(
      &permanent, .store(credential("reader", "new"), for: [Self.staff], isDefault: false, over: []))
    #expect(alteration.changes.map(\.change) == [.replaced] && alteration.removed == [1])
    let candidate = permanent.candidate(for: Self.staff, user: nil, use: use(), over: [])
    let found = try #require(candidate)
    #expect(found.generation == 2 && found.credential == credential("reader", "new"))
    // The refusal of the old one comes too late.
    permanent.drop(1)
    #expect(permanent.takeRequests().isEmpty && permanent.count == 1)
  }

  @Test func theSameCredentialAgainIsNoNewRecord() throws {
    var permanent = try kept(credential(), credential())
    #expect(permanent.all.map(\.generation) == [1])
    #expect(
      try change(&permanent, .store(credential(), for: [Self.staff], isDefault: true, over: [])).isSilent)
  }

  @Test func whatIsDroppedIsNotUsedBeforeTheDiskHasRemovedIt() throws {
    var permanent = try kept(credential())
    permanent.drop(1)
    #expect(permanent.candidate(for: Self.staff, user: nil, use: use(), over: []) == nil)
    #expect(permanent.takeRequests() == [.drop(1)])
    let alteration = try change(&permanent, .drop(1))
    #expect(alteration.removed == [1] && alteration.changes.map(\.change) == [.removed])
  }

  @Test func whatIsDroppedWhileItIsWrittenStaysSo() throws {
    var permanent = try kept(credential("reader"), credential("writer"))
    let plan = try permanent.plan(.setDefault(user: "reader", in: [Self.staff]), now: 1)
    permanent.drop(1)
    _ = permanent.apply(plan)
    #expect(permanent.all.map(\.generation) == [2])
  }

  @Test func oneForAnyRealmIsBoundOnce() throws {
    var permanent = try kept(credential(), in: Self.staff.ofAnyRealm)
    #expect(permanent.candidate(for: Self.staff, user: nil, use: use(), over: [])?.generation == 1)
    permanent.noteAcceptance(1, in: Self.staff)
    permanent.noteAcceptance(1, in: Self.guests)
    let requests = permanent.takeRequests()
    for request in requests { try change(&permanent, request) }
    #expect(permanent.all.map(\.space) == [Self.staff])
    #expect(permanent.candidate(for: Self.guests, user: nil, use: use(), over: []) == nil)
    permanent.noteAcceptance(1, in: Self.guests)
    #expect(permanent.takeRequests().isEmpty)
  }

  @Test func usesAreCountedAndEndIt() throws {
    var limits = CredentialLimits()
    limits.maximumUses = 2
    var permanent = try kept(credential(limits: limits))
    permanent.noteUse(1, now: 2)
    #expect(permanent.takeRequests() == [.noteUses([1])])
    #expect(try permanent.plan(.noteUses([1]), now: 3).updated.map(\.record.uses) == [1])
    permanent.noteUse(1, now: 4)
    #expect(permanent.candidate(for: Self.staff, user: nil, use: use(), over: []) == nil)
    #expect(permanent.takeRequests() == [.drop(1)])
  }

  @Test func usesWithoutALimitAreNotWritten() throws {
    var permanent = try kept(credential())
    permanent.noteUse(1, now: 2)
    #expect(permanent.takeRequests().isEmpty && permanent[1]?.record.uses == 1)
  }

  @Test func limitsBoundWhereItGoes() throws {
    var limits = CredentialLimits()
    limits.methods = ["GET"]
    limits.pathPrefixes = ["/a"]
    limits.lifetimeSeconds = 20
    var permanent = try kept(credential(limits: limits))
    #expect(permanent.candidate(for: Self.staff, user: nil, use: use("/a/b"), over: []) != nil)
    #expect(permanent.candidate(for: Self.staff, user: nil, use: use("/b"), over: []) == nil)
    #expect(permanent.candidate(for: Self.staff, user: nil, use: use("/a/b", method: "PUT"), over: []) == nil)
    #expect(permanent.candidate(for: Self.staff, user: nil, use: use("/a/b", now: 30), over: []) == nil)
    #expect(permanent.count == 0)
  }

  @Test func contentsOfAStoreKeepNumbersAndDefaults() throws {
    let before = try kept(credential("reader"), credential("writer"))
    var after = PermanentCredentials(before.all.reversed())
    #expect(after.all.map(\.generation) == [1, 2])
    #expect(after.candidate(for: Self.staff, user: nil, use: use(), over: [])?.credential.user == "writer")
    let plan = try after.plan(
      .store(credential("third"), for: [Self.staff], isDefault: false, over: []), now: 1)
    #expect(plan.added.map(\.generation) == [3] && plan.added.map(\.isDefault) == [false])
  }

  @Test func nothingIsEvicted() throws {
    let entries = (1...PermanentCredentials.capacity).map { number in
      CachedCredential(
        generation: UInt64(number), space: Self.staff, credential: credential("u\(number)"), isDefault: false,
        record: UseRecord(created: 1), owner: nil, wasGivenForSpace: false)
    }
    var permanent = PermanentCredentials(entries)
    #expect(throws: PermanentCredentials.PlanFault.full) {
      try permanent.plan(.store(credential("more"), for: [Self.staff], isDefault: true, over: []), now: 1)
    }
    try change(&permanent, .store(credential("u1", "new"), for: [Self.staff], isDefault: true, over: []))
    #expect(permanent.count == PermanentCredentials.capacity)
    #expect(
      try change(&permanent, .remove([Self.staff.ofAnyRealm], user: nil)).removedCount == permanent.count
        + 16_384)
  }

  /// Itself, its record, and that one sealed, in each of its spaces.
  @Test func aChangeCountsItsTextsThreeTimes() {
    var limits = CredentialLimits()
    limits.pathPrefixes = [String(repeating: "/", count: 500)]
    let credential = credential("u", String(repeating: "p", count: 999), limits: limits)
    let held = { (spaces: [ProtectionSpace]) in
      PermanentCredentials.Change.store(credential, for: spaces, isDefault: true, over: []).heldBytes
    }
    #expect(held([Self.staff]) == HeldBytes.credential + 3 * (1000 + 500 + 5))
    #expect(held([Self.staff, Self.guests]) == 2 * HeldBytes.credential + 3 * (2 * 1500 + 5 + 6))
  }
}
