import Testing
import WatchwordCore
import WatchwordVocabulary

@testable import WatchwordVault

@Suite struct CredentialRecordTests {
  private let clocks = CredentialRecord.Clocks(now: 1000, wallClock: 1_700_000_000)
  private static let origin = Origin(scheme: .https, host: "a.example", port: 443)

  private func entry(
    _ kind: Credential.Kind, limits: CredentialLimits = CredentialLimits(),
    in space: ProtectionSpace = ProtectionSpace(
      origin: origin, realm: "staff", authenticationMethod: .basic),
    identifier: GivingIdentifier? = nil
  ) -> CachedCredential {
    CachedCredential(
      generation: 9, space: space, credential: Credential(kind, persistence: .permanent, limits: limits),
      isDefault: true,
      record: UseRecord(limits: limits, created: 900, lastUsed: 950, uses: 3, identifier: identifier),
      owner: nil, wasGivenForSpace: false)
  }

  private func comesBack(_ entry: CachedCredential) throws -> CachedCredential {
    let record = try #require(CredentialRecord.record(of: entry, clocks))
    return try #require(CredentialRecord.entry(of: record, clocks))
  }

  @Test(arguments: [
    Credential.Kind.password(user: "reader", password: Secret("p\"\\é".utf8)),
    .password(user: "", password: Secret("".utf8)), .token(Secret("abc".utf8)),
  ])
  func aCredentialComesBack(kind: Credential.Kind) throws {
    let read = try comesBack(entry(kind))
    #expect(read.credential == entry(kind).credential)
    #expect(read.isDefault && read.generation == 9)
    #expect((read.record.uses, read.record.created, read.record.lastUsed) == (3, 900, 950))
  }

  @Test func theIdentifierOfASynchronizableOneComesBack() throws {
    let identifier = GivingIdentifier(high: 1, low: 0x0123_4567_89ab_cdef)
    var stored = entry(.token(Secret("abc".utf8)), identifier: identifier)
    stored.synchronization = SynchronizationMark(version: 3, pending: .removal)
    #expect(try comesBack(stored).record.identifier == identifier)
    // Nothing tells the giving of one without.
    stored = entry(.token(Secret("abc".utf8)))
    stored.synchronization = SynchronizationMark(version: 3, pending: .removal)
    let record = try #require(CredentialRecord.record(of: stored, clocks))
    #expect(CredentialRecord.entry(of: record, clocks) == nil)
    #expect(GivingIdentifier(high: 1, low: 15).text == "0000000000000001000000000000000f")
  }

  @Test(arguments: [
    "", "0", String(repeating: "g", count: 32), String(repeating: "A", count: 32),
    "+0000000000000010123456789abcdef",
  ])
  func whatIsNoIdentifierIsNone(text: String) { #expect(GivingIdentifier(text) == nil) }

  @Test func limitsComeBack() throws {
    var limits = CredentialLimits()
    limits.idleSeconds = 0.5
    limits.lifetimeSeconds = 60
    limits.notAfter = 1_700_000_100.25
    limits.maximumUses = 5
    limits.confirm = true
    limits.methods = ["GET"]
    limits.pathPrefixes = ["/a", "/b"]
    let read = try comesBack(entry(.token(Secret("abc".utf8)), limits: limits))
    #expect(read.credential.limits == limits && read.record.limits == limits)
  }

  @Test(arguments: [true, false])
  func aReadableRecordIsMarkedInsideItsSeal(isReadable: Bool) throws {
    var stored = entry(.token(Secret("abc".utf8)))
    var credential = stored.credential
    credential.isReadable = isReadable
    stored = CachedCredential(
      generation: 9, space: stored.space, credential: credential, isDefault: true, record: stored.record,
      owner: nil, wasGivenForSpace: false)
    let record = try #require(CredentialRecord.record(of: stored, clocks))
    #expect(
      record.contents.withBytes { String(decoding: $0, as: UTF8.self).contains("readable") } == isReadable)
    #expect(try comesBack(stored).credential.isReadable == isReadable)
  }

  @Test(arguments: [true, false])
  func whatGoesWithTheFirstRequestIsMarkedInsideItsSeal(isPreemptive: Bool) throws {
    let stored = entry(.token(Secret("abc".utf8)))
    var credential = stored.credential
    credential.isPreemptive = isPreemptive
    let marked = CachedCredential(
      generation: 9, space: stored.space, credential: credential, isDefault: true, record: stored.record,
      owner: nil, wasGivenForSpace: false)
    let record = try #require(CredentialRecord.record(of: marked, clocks))
    // Without the member it waits for a challenge.
    #expect(
      record.contents.withBytes { String(decoding: $0, as: UTF8.self).contains("preemptive") } == isPreemptive
    )
    #expect(try comesBack(marked).credential.isPreemptive == isPreemptive)
  }

  @Test(arguments: ["", "Token "])
  func whatStandsInFrontOfAKeyComesBack(prefix: String) throws {
    let space = ProtectionSpace(keyOf: Self.origin, field: "X-Api-Key")
    let stored = entry(.token(Secret("abc".utf8)), in: space)
    var credential = stored.credential
    credential.isPreemptive = true
    credential.prefix = prefix
    let key = CachedCredential(
      generation: 9, space: space, credential: credential, isDefault: true, record: stored.record, owner: nil,
      wasGivenForSpace: false)
    #expect(try comesBack(key).credential == credential)
  }

  @Test func aKeyOfNoFieldIsNotUnderstood() {
    for space in [
      ProtectionSpace(anyRealmOf: Self.origin, authenticationMethod: .key),
      ProtectionSpace(keyOf: Self.origin, field: "Cookie"),
    ] {
      #expect(ProtectionSpace(vaultOctets: space.vaultOctets) == nil)
    }
  }

  @Test(arguments: [
    ProtectionSpace(origin: origin, realm: nil, authenticationMethod: .digest),
    ProtectionSpace(origin: origin, realm: "", authenticationMethod: .bearer),
    ProtectionSpace(origin: origin, realm: OctetString(octets: [0, 255, 0]), authenticationMethod: .basic),
    ProtectionSpace(anyRealmOf: origin, authenticationMethod: .ntlm),
    ProtectionSpace(keyOf: origin, field: "X-Api-Key"),
    ProtectionSpace(origin: origin, realm: "*", authenticationMethod: .basic, proxyType: .socks5),
  ])
  func aSpaceComesBack(space: ProtectionSpace) throws {
    #expect(ProtectionSpace(vaultOctets: space.vaultOctets) == space)
    #expect(try comesBack(entry(.token(Secret("t".utf8)), in: space)).space == space)
  }

  @Test func whatIsNoSpaceIsRefused() {
    let good = ProtectionSpace(origin: Self.origin, realm: "r", authenticationMethod: .basic).vaultOctets
    for end in good.indices where end < good.count - 1 {
      #expect(ProtectionSpace(vaultOctets: Array(good[..<end])) == nil)
    }
    #expect(ProtectionSpace(vaultOctets: good + [0]) != nil)
    let texts = [
      "https\0a\0443\0basic\0\0?", "ftp\0a\0443\0basic\0\0-", "https\0a\00443\0basic\0\0-",
      "https\0a\065536\0basic\0\0-", "https\0a\0443\0serverTrust\0\0-", "https\0a\0443\0basic\0gopher\0-",
      "https\0a\0443\0basic\0\0-x", "",
    ]
    for text in texts { #expect(ProtectionSpace(vaultOctets: Array(text.utf8)) == nil) }
  }

  @Test func anUnknownLimitOrContentIsNotUsed() {
    let space = ProtectionSpace(origin: Self.origin, realm: "r", authenticationMethod: .basic).vaultOctets
    let good = #""token":"YWJj","isDefault":true,"created":1.5,"uses":0"#
    let texts = [
      "{\(good),\"limits\":{\"weekdays\":3}}", "{\(good)}", "[]", "", "{\"limits\":{}}",
      "{\(good),\"user\":\"x\",\"limits\":{}}", "{\(good),\"limits\":{\"maximumUses\":\"3\"}}",
    ]
    for text in texts {
      let record = VaultRecord(number: 1, kind: .credential, space: space, contents: Secret(text.utf8))
      #expect(CredentialRecord.entry(of: record, clocks) == nil)
    }
    let whole = "{\(good),\"limits\":{}}"
    let record = VaultRecord(number: 1, kind: .credential, space: space, contents: Secret(whole.utf8))
    #expect(CredentialRecord.entry(of: record, clocks) != nil)
  }

  @Test func aClockThatWasSetBackMakesNothingYounger() throws {
    let record = try #require(CredentialRecord.record(of: entry(.token(Secret("t".utf8))), clocks))
    let earlier = CredentialRecord.Clocks(now: 10, wallClock: 1_600_000_000)
    #expect(try #require(CredentialRecord.entry(of: record, earlier)).record.created == 10)
    let later = CredentialRecord.Clocks(now: 10, wallClock: 1_700_000_100)
    #expect(try #require(CredentialRecord.entry(of: record, later)).record.created == -190)
  }
}
