import Testing
import WatchwordCore
import WatchwordVocabulary

@testable import WatchwordVault

@Suite struct FleetRecordTests {
  private let clocks = CredentialRecord.Clocks(now: 1000, wallClock: 1_700_000_000)
  private static let key = Secret([UInt8](repeating: 7, count: 32))
  private static let space = ProtectionSpace(
    origin: Origin(scheme: .https, host: "a.example", port: 443), realm: "staff",
    authenticationMethod: .basic)

  private func keys(_ uid: UInt32 = 1, _ key: Secret = key) throws -> FleetKeys {
    try #require(FleetKeys(key, uid: uid))
  }

  private func outgoing(
    _ user: String = "reader", limits: CredentialLimits = CredentialLimits(), password: String = "open",
    isRemoved: Bool = false, isPreemptive: Bool = false
  ) throws -> OutgoingCredential {
    var permanent = PermanentCredentials()
    var credential = Credential(
      .password(user: user, password: Secret(password.utf8)), persistence: .synchronizable, limits: limits)
    credential.isPreemptive = isPreemptive
    _ = permanent.apply(
      try permanent.plan(.store(credential, for: [Self.space], isDefault: true, over: []), now: 1000))
    if isRemoved {
      _ = permanent.apply(try permanent.plan(.remove([Self.space], user: user), now: 1000))
    }
    return try #require(permanent.outgoing)
  }

  private func sealed(_ outgoing: OutgoingCredential) throws -> (name: String, value: [UInt8]) {
    try #require(FleetRecord.sealed(outgoing, under: keys(), clocks))
  }

  private func isForeign(_ opening: FleetRecord.Opening) -> Bool {
    if case .foreign = opening { true } else { false }
  }

  private func state(_ opening: FleetRecord.Opening) throws -> FleetCredential {
    guard case .state(let state) = opening else { throw UnexpectedOpening() }
    return state
  }

  private struct UnexpectedOpening: Error {}

  @Test func aCredentialComesBack() throws {
    var limits = CredentialLimits()
    limits.lifetimeSeconds = 60
    limits.pathPrefixes = ["/a"]
    let (name, value) = try sealed(outgoing(limits: limits))
    let found = try state(
      FleetRecord.open(value, named: name, revision: 9, under: keys(), clocks))
    #expect(found.version == 1 && found.revision == 9)
    guard case .credential(let imported) = found.content else { throw UnexpectedOpening() }
    #expect(imported.credential.limits == limits && imported.isDefault)
    #expect(imported.credential.persistence == .synchronizable)
    #expect(imported.credential.kind == .password(user: "reader", password: Secret("open".utf8)))
    #expect(imported.record.created == 1000 && imported.record.uses == 0)
  }

  @Test(arguments: [true, false])
  func whetherItGoesWithTheFirstRequestComesBack(isPreemptive: Bool) throws {
    let (name, value) = try sealed(outgoing(isPreemptive: isPreemptive))
    let found = try state(FleetRecord.open(value, named: name, revision: 9, under: keys(), clocks))
    guard case .credential(let imported) = found.content else { throw UnexpectedOpening() }
    #expect(imported.credential.isPreemptive == isPreemptive)
  }

  @Test func aRemovalComesBack() throws {
    let (name, value) = try sealed(outgoing(isRemoved: true))
    let found = try state(
      FleetRecord.open(value, named: name, revision: 9, under: keys(), clocks))
    guard case .removed = found.content else { throw UnexpectedOpening() }
    #expect(found.key.user == "reader" && found.key.space == Self.space)
  }

  @Test func theIdentifierOfTheGivingComesBack() throws {
    let sent = try outgoing()
    let identifier = try #require(sent.entry.record.identifier)
    let (name, value) = try sealed(sent)
    let found = try state(FleetRecord.open(value, named: name, revision: 9, under: keys(), clocks))
    guard case .credential(let imported) = found.content else { throw UnexpectedOpening() }
    #expect(imported.record.identifier == identifier)
    #expect(try outgoing().entry.record.identifier != identifier)
  }

  @Test func whatIsOverIsNoCredential() throws {
    var limits = CredentialLimits()
    limits.lifetimeSeconds = 60
    let (name, value) = try sealed(outgoing(limits: limits))
    let later = CredentialRecord.Clocks(now: 1100, wallClock: 1_700_000_100)
    let found = try state(FleetRecord.open(value, named: name, revision: 9, under: keys(), later))
    guard case .over = found.content else { throw UnexpectedOpening() }
  }

  @Test func aRecordThatIsCopiedOrAlteredDoesNotOpen() throws {
    let (name, value) = try sealed(outgoing())
    let other = try sealed(outgoing("writer"))
    #expect(name != other.name)
    #expect(isForeign(FleetRecord.open(value, named: other.name, revision: 1, under: try keys(), clocks)))
    #expect(isForeign(FleetRecord.open(value, named: name, revision: 1, under: try keys(2), clocks)))
    let stranger = try keys(1, Secret([UInt8](repeating: 8, count: 32)))
    #expect(isForeign(FleetRecord.open(value, named: name, revision: 1, under: stranger, clocks)))
    for place in [0, 5, value.count / 2, value.count - 1] {
      var altered = value
      altered[place] ^= 1
      #expect(isForeign(FleetRecord.open(altered, named: name, revision: 1, under: try keys(), clocks)))
    }
    for count in [0, 1, 28, value.count - 1] {
      #expect(
        isForeign(
          FleetRecord.open(Array(value[..<count]), named: name, revision: 1, under: try keys(), clocks)))
    }
  }

  @Test func lengthsAreRounded() throws {
    let short = try sealed(outgoing(password: "a"))
    let long = try sealed(outgoing(password: "a password of some length"))
    #expect(short.value.count == long.value.count)
  }

  @Test func namesSayNothingAndDifferByAccountAndUser() throws {
    let names = try [
      keys().name(ofSpace: [1, 2], user: "a"), keys().name(ofSpace: [1, 2], user: nil),
      keys().name(ofSpace: [1, 2], user: ""), keys().name(ofSpace: [1], user: "\u{2}a"),
      keys(2).name(ofSpace: [1, 2], user: "a"),
    ]
    #expect(Set(names).count == names.count)
    for name in names { #expect(name?.count == 32) }
    #expect(try keys().account != keys(2).account)
    #expect(FleetKeys(Secret([UInt8](repeating: 1, count: 31)), uid: 1) == nil)
  }

  @Test func whatIsTooLargeIsNotSealed() throws {
    var limits = CredentialLimits()
    limits.pathPrefixes = ["/" + String(repeating: "a", count: FleetRecord.maximumBytes)]
    #expect(FleetRecord.sealed(try outgoing(limits: limits), under: try keys(), clocks) == nil)
  }
}
