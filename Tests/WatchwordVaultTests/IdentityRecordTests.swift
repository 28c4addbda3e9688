import Testing
import WatchwordCore
import WatchwordVocabulary

@testable import WatchwordVault

@Suite struct IdentityRecordTests {
  private let clocks = CredentialRecord.Clocks(now: 1000, wallClock: 1_700_000_000)
  private static let origin = Origin(scheme: .https, host: "a.example", port: 8443)

  private func record(
    for origin: Origin? = origin, _ limits: CredentialLimits = CredentialLimits()
  ) throws -> VaultRecord {
    let print = try #require(Fingerprint(Array(repeating: 7, count: Fingerprint.byteCount)))
    let identity = Identity(
      certificate: Certificate(
        subject: "", issuer: "", serialNumber: "1", notBefore: 0, notAfter: 1, subjectAlternativeNames: [],
        keyType: "ec", keyBits: 256, sha256: print, publicKey: print, der: []),
      chainLength: 1, issuers: [], keyType: .ec)
    let kept = KeptIdentity(
      identity, certificates: "-----BEGIN\nchain\n", privateKey: Secret("-----BEGIN\nkey\n".utf8))
    let use = UseRecord(limits: limits, created: 900, lastUsed: 950, uses: 3)
    return IdentityRecord.record(
      of: PermanentIdentities.StoredIdentity(number: 9, kept, for: origin, record: use), clocks)
  }

  @Test(arguments: [nil, origin])
  func anIdentityComesBack(origin: Origin?) throws {
    var limits = CredentialLimits()
    limits.maximumUses = 5
    let record = try record(for: origin, limits)
    let read = try #require(IdentityRecord.contents(of: record, clocks))
    #expect(read.origin == origin && read.certificates == "-----BEGIN\nchain\n")
    #expect(read.privateKey == Secret("-----BEGIN\nkey\n".utf8))
    #expect((read.record.uses, read.record.created, read.record.lastUsed) == (3, 900, 950))
    #expect(read.record.limits == limits && IdentityRecord.number(in: record) == 9)
    #expect(VaultRecord.Kind.identity.numbers.contains(record.number))
  }

  @Test(arguments: ["", "*", "https\0a.example\0", "ftp\0a\u{0}21\0", "https\0a\u{0}0443\0", "**"])
  func anotherFormOfAnOriginIsNotUnderstood(space: String) throws {
    let whole = try record(for: nil)
    let moved = VaultRecord(
      number: whole.number, kind: .identity, space: Array(space.utf8), contents: whole.contents)
    #expect((IdentityRecord.contents(of: moved, clocks) != nil) == (space == "*"))
  }

  @Test(arguments: [
    "{}", "[]", "", #"{"certificates":"c","privateKey":"not base64!","created":1,"limits":{},"uses":0}"#,
    #"{"certificates":"c","privateKey":"aw==","created":1,"limits":{"soon":1},"uses":0}"#,
    #"{"certificates":"c","privateKey":"aw==","created":1,"limits":{},"uses":-1}"#,
  ])
  func otherContentsAreNotUnderstood(contents: String) throws {
    let record = VaultRecord(
      number: IdentityRecord.number(of: 1), kind: .identity, space: [UInt8(ascii: "*")],
      contents: Secret(contents.utf8))
    #expect(IdentityRecord.contents(of: record, clocks) == nil)
  }

  @Test func noTwoKindsHaveANumberInCommon() {
    let ranges = VaultRecord.Kind.allCases.map(\.numbers)
    for (index, range) in ranges.enumerated() {
      #expect(ranges[(index + 1)...].allSatisfy { !$0.overlaps(range) })
    }
  }
}
