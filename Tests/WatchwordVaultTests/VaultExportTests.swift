import Foundation
import Testing
import WatchwordCore
import WatchwordVocabulary

@testable import WatchwordVault

@Suite struct VaultExportTests {
  private static let passphrase = Secret("sentinel travels".utf8)
  private static let clocks = CredentialRecord.Clocks(now: 100, wallClock: 1_800_000_000)
  private static let space = ProtectionSpace(
    origin: Origin(scheme: .https, host: "a.example", port: 443), realm: "staff", authenticationMethod: .basic
  )
  /// Sealed once: scrypt takes half a second.
  private static let file: [UInt8] = {
    (try? VaultExport.seal([record("reader"), record("writer")].compactMap(\.self), under: passphrase)) ?? []
  }()

  private static func record(
    _ user: String, uses: Int = 0, number: UInt64 = 1, method: AuthenticationMethod = .basic
  ) -> VaultRecord? {
    let credential = Credential(
      .password(user: user, password: Secret("sentinel-open".utf8)), persistence: .permanent)
    let space = ProtectionSpace(origin: space.origin, realm: "staff", authenticationMethod: method)
    let entry = CachedCredential(
      generation: number, space: space, credential: credential, isDefault: true,
      record: UseRecord(created: 1, uses: uses), owner: nil, wasGivenForSpace: false)
    return CredentialRecord.record(of: entry, clocks)
  }

  private func fault(
    of file: [UInt8], _ passphrase: Secret = passphrase
  ) -> VaultExport.ExportFault? {
    do throws(VaultExport.ExportFault) {
      _ = try VaultExport.credentials(in: VaultExport.open(file, with: passphrase), Self.clocks)
      return nil
    } catch {
      return error
    }
  }

  @Test func whatIsExportedComesBack() throws {
    let credentials = try VaultExport.credentials(
      in: VaultExport.open(Self.file, with: Self.passphrase), Self.clocks)
    #expect(credentials.map(\.credential.user) == ["reader", "writer"])
    #expect(credentials.allSatisfy { $0.space == Self.space && $0.record.created == 1 && $0.isDefault })
    #expect(credentials.allSatisfy { $0.credential.persistence == .permanent })
    #expect(!Self.file.isEmpty && Data(Self.file).range(of: Data("sentinel".utf8)) == nil)
    #expect(Data(Self.file).range(of: Data("a.example".utf8)) == nil)
  }

  @Test func anExportOfNothingIsOne() throws {
    let file = try VaultExport.seal([], under: Self.passphrase)
    #expect(try VaultExport.open(file, with: Self.passphrase).isEmpty)
  }

  @Test func anotherPassphraseDoesNotOpenIt() {
    #expect(fault(of: Self.file, Secret("other".utf8)) == .wrongPassphrase)
  }

  @Test func everyPrefixIsRefused() {
    #expect(fault(of: []) == .notAnExport)
    for count in 1..<Self.file.count where count % 7 == 0 || count < 120 {
      #expect(fault(of: Array(Self.file.prefix(count))) == .truncated)
    }
  }

  @Test func anAlteredFileIsRefused() {
    // One octet of each part: version, scrypt's parameters, salt, sealed key, length, records, tag.
    for (place, expected): (Int, VaultExport.ExportFault) in [
      (0, .notAnExport), (20, .wrongPassphrase), (40, .wrongPassphrase), (140, .altered),
      (Self.file.count - 1, .altered),
    ] {
      var file = Self.file
      file[place] ^= 1
      #expect(fault(of: file) == expected, "\(place)")
    }
    #expect(fault(of: Self.file + [0]) == .altered)
    #expect(fault(of: Array("{\"passwords\":[]}".utf8)) == .notAnExport)
  }

  @Test func aLaterVersionIsNamed() {
    var file = Self.file
    file[16] = 2
    #expect(fault(of: file) == .newerVersion)
    file[16] = 0
    #expect(fault(of: file) == .altered)
  }

  @Test func aFileMayNotCostMoreThanItsShare() {
    for bits: UInt8 in [0, 9, 19, 31, 63, 64, 255] {
      var file = Self.file
      file[17] = bits
      #expect(fault(of: file) == .tooCostly, "\(bits)")
    }
    #expect(
      fault(of: [UInt8](repeating: 0, count: VaultExport.maximumBytes + 1)) == .tooLarge)
  }

  /// Otherwise a small file makes much to be looked through.
  @Test func noFileHasMoreRecordsThanAVault() throws {
    let most = PermanentCredentials.capacity + PermanentTrust.capacity + PermanentIdentities.capacity
    let records = try Array(repeating: #require(Self.record("reader")), count: most + 1)
    #expect(fault(of: try VaultExport.seal(records, under: Self.passphrase)) == .tooLarge)
  }

  @Test func whatCannotBeUsedIsNotTakenOver() throws {
    let given: [(VaultRecord?, VaultExport.ExportFault)] = [
      (Self.record("a:b"), .unusable), (Self.record("reader", method: .bearer), .unusable),
      (Self.record("reader", uses: .max), .newerVersion),
      (VaultRecord(number: 1, kind: .credential, space: [1], contents: Secret("{}".utf8)), .newerVersion),
    ]
    // One file for all of them: scrypt takes half a second.
    let file = try VaultExport.seal(given.map { try #require($0.0) }, under: Self.passphrase)
    let records = try VaultExport.open(file, with: Self.passphrase)
    try #require(records.count == given.count)
    for (record, expected) in zip(records, given.map(\.1)) {
      #expect(throws: expected) { try VaultExport.credentials(in: [record], Self.clocks) }
    }
    #expect(throws: VaultExport.ExportFault.unusable) {
      try VaultExport.credentials(in: records, Self.clocks)
    }
  }
}
