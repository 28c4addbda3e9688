import Testing
import WatchwordVocabulary

@testable import WatchwordCore

@Suite struct ImportedCredentialTests {
  private static let origin = Origin(scheme: .https, host: "a.example", port: 443)
  private static let staff = ProtectionSpace(origin: origin, realm: "staff", authenticationMethod: .basic)

  private func imported(
    _ user: String, _ password: String = "open", created: Double = 5, isDefault: Bool = false, uses: Int = 0,
    limits: CredentialLimits = CredentialLimits()
  ) -> ImportedCredential {
    ImportedCredential(
      CachedCredential(
        generation: 1, space: Self.staff, credential: credential(user, password, limits: limits),
        isDefault: isDefault, record: UseRecord(limits: limits, created: created, uses: uses), owner: nil,
        wasGivenForSpace: false))
  }

  private func credential(
    _ user: String, _ password: String = "open", limits: CredentialLimits = CredentialLimits()
  ) -> Credential {
    Credential(
      .password(user: user, password: Secret(password.utf8)), persistence: .permanent, limits: limits)
  }

  private func kept(_ user: String, _ password: String, at now: Double) throws -> PermanentCredentials {
    var permanent = PermanentCredentials()
    let change = PermanentCredentials.Change.store(
      credential(user, password), for: [Self.staff], isDefault: true, over: [])
    _ = permanent.apply(try permanent.plan(change, now: now))
    return permanent
  }

  private func merge(
    _ imported: ImportedCredential..., into permanent: inout PermanentCredentials
  ) throws -> PermanentCredentials.Alteration {
    permanent.apply(try permanent.plan(.merge(imported), now: 50))
  }

  @Test func theOneThatWasGivenLaterStays() throws {
    for (created, password, change) in [
      (5.0, "old", CredentialChange?.none), (10.0, "old", nil), (20.0, "new", .replaced),
    ] {
      var permanent = try kept("reader", "old", at: 10)
      let alteration = try merge(imported("reader", "new", created: created), into: &permanent)
      #expect(alteration.changes.map(\.change) == (change.map { [$0] } ?? []))
      #expect(permanent.all.map(\.credential) == [credential("reader", password)])
      #expect(permanent.all.map(\.isDefault) == [true])
    }
  }

  @Test func theSameOneDoesNotCountAgain() throws {
    var limits = CredentialLimits()
    limits.maximumUses = 3
    var permanent = PermanentCredentials()
    _ = try merge(imported("reader", uses: 2, limits: limits), into: &permanent)
    #expect(permanent.all.map(\.record.uses) == [2])
    let alteration = try merge(imported("reader", created: 40, uses: 0, limits: limits), into: &permanent)
    #expect(alteration.isSilent && permanent.all.map(\.record.uses) == [2])
  }

  @Test func aSpaceKeepsItsDefaultAndOtherwiseGetsTheOneOfTheFile() throws {
    var permanent = try kept("reader", "open", at: 10)
    _ = try merge(imported("writer", isDefault: true), into: &permanent)
    #expect(permanent.all.map(\.isDefault) == [true, false])
    var empty = PermanentCredentials()
    _ = try merge(imported("a"), imported("b", isDefault: true), imported("c", isDefault: true), into: &empty)
    #expect(empty.all.map(\.isDefault) == [false, true, false])
    // A record that is there becomes the default without being written again.
    var without = PermanentCredentials()
    _ = try merge(imported("reader"), into: &without)
    let alteration = try merge(imported("reader", isDefault: true), into: &without)
    #expect(alteration.changes.isEmpty && without.all.map(\.isDefault) == [true])
  }

  @Test func whatIsOverAndWhatIsOlderOfTheSameIsLeftOut() {
    var limits = CredentialLimits()
    limits.maximumUses = 1
    var ended = CredentialLimits()
    ended.notAfter = 1000
    let usable = ImportedCredential.usable(
      [
        imported("a", "1", created: 1), imported("used", uses: 1, limits: limits),
        imported("a", "2", created: 3),
        imported("a", "3", created: 2), imported("ended", limits: ended),
      ], now: 10, wallClock: 1001)
    #expect(usable == [imported("a", "2", created: 3)])
  }

  @Test func moreThanThereIsRoomForIsRefusedAsAWhole() throws {
    var permanent = try kept("reader", "open", at: 10)
    let many = (0..<PermanentCredentials.capacity).map { imported("u\($0)") }
    #expect(throws: PermanentCredentials.PlanFault.full) { try permanent.plan(.merge(many), now: 50) }
    #expect(permanent.count == 1)
    let fitting = try permanent.plan(.merge(Array(many.dropFirst())), now: 50)
    #expect(fitting.added.count == PermanentCredentials.capacity - 1)
  }

  @Test func ofTwoOfTheSameMomentTheFirstIsUsed() {
    let both = [imported("joe", "first"), imported("joe", "second"), imported("joe", "older", created: 4)]
    let usable = ImportedCredential.usable(both, now: 50, wallClock: 50)
    #expect(usable.map(\.credential) == [credential("joe", "first")])
  }
}
