import Testing
import WatchwordCore
import WatchwordVocabulary

@testable import WatchwordVault

/// Permanent decisions as records: read as they were written, and nothing else.
struct TrustRecordTests {
  private func print(_ number: UInt8) throws -> Fingerprint {
    try #require(Fingerprint([UInt8](repeating: number, count: Fingerprint.byteCount)))
  }

  private func kept(_ first: TrustScope = .certificate) throws -> PermanentTrust {
    let faults = [TrustFault(reason: .unknownIssuer, depth: 0), TrustFault(reason: .expired, depth: 2)]
    let trust = ServerTrust(
      certificates: [],
      presented: PresentedChain(chain: try print(1), certificate: try print(2), publicKey: try print(3)),
      faults: faults)
    var permanent = PermanentTrust()
    for (scope, host) in [(first, "a.example"), (.publicKey, "::1")] {
      _ = permanent.apply(
        .record(
          TrustDecision(trust, for: Origin(scheme: .https, host: host, port: 8443), scope: scope),
          about: PermanentTrust.Subject(
            name: "CN=\u{1B}[31m\"é\"", certificate: try print(2), publicKey: try print(3)),
          created: 1_795_000_000))
    }
    return permanent
  }

  private func entry(_ contents: some Sequence<UInt8>, like record: VaultRecord) -> PermanentTrust
    .StoredDecision?
  {
    TrustRecord.entry(
      of: VaultRecord(
        number: record.number, kind: .trust, space: record.space, contents: Secret(Array(contents))))
  }

  @Test func aDecisionComesBack() throws {
    for entry in try kept().all {
      let record = try #require(TrustRecord.record(of: entry))
      #expect(TrustRecord.entry(of: record) == entry)
      #expect(record.number == TrustRecord.number(of: entry.number))
      let contents = record.contents.withBytes { [UInt8]($0) }
      for count in 0..<contents.count {
        #expect(self.entry(contents[..<count], like: record) == nil)
      }
    }
  }

  @Test func theLastNumberComesBack() {
    let ledger = TrustRecord.ledger(after: 17)
    #expect(TrustRecord.lastNumber(in: ledger) == 17)
    for other in ["{}", #"{"lastNumber":1,"more":2}"#, #"{"lastNumber":-1}"#, #"{"lastNumber":1.5}"#, "[]"] {
      let record = VaultRecord(number: ledger.number, kind: .trust, space: [], contents: Secret(other.utf8))
      #expect(TrustRecord.lastNumber(in: record) == nil)
      #expect(TrustRecord.trust(in: [record]).unreadable == 1)
    }
  }

  @Test(arguments: [
    (#""scope":"publicKey""#, #""scope":"certificate""#),
    (#""trust":"p1""#, #""trust":"p01""#),
    (#""port":8443"#, #""port":65536"#),
    (#""sha256":"sha256/"#, #""sha256":"sha256/A"#),
    (#""reason":"expired""#, #""reason":"policy""#),
    (#""reason":"expired""#, #""reason":"everything""#),
    (#""host":"a.example""#, #""host":"b.example""#),
    (#""created":""#, #""more":1,"created":""#),
  ])
  func whatNoDecisionSaysIsRefused(part: String, other: String) throws {
    let record = try #require(try kept(.publicKey).all.first.flatMap(TrustRecord.record))
    let text = record.contents.withBytes { String(decoding: $0, as: UTF8.self) }
    let changed = try #require(text.firstRange(of: part)).lowerBound
    let after = text[..<changed] + other + text[changed...].dropFirst(part.count)
    #expect(entry(text.utf8, like: record) != nil)
    #expect(entry(after.utf8, like: record) == nil)
  }
}
