import Testing
import WatchwordCore
import WatchwordSecret
import WatchwordVocabulary

@testable import WatchwordProtocol

/// Permanent decisions as records: read as they were written, and nothing else.
struct PermanentTrustRecordTests {
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

  @Test func aRecordHoldsADecision() throws {
    for entry in try kept().all {
      #expect(PermanentTrust.Entry(contents: entry.contents) == entry)
      let contents = entry.contents.withBytes { [UInt8]($0) }
      for count in 0..<contents.count {
        #expect(PermanentTrust.Entry(contents: Secret(contents[..<count])) == nil)
      }
    }
  }

  @Test func theLedgerIsARecordToo() {
    let ledger = PermanentTrust.Ledger(lastNumber: 17)
    #expect(PermanentTrust.Ledger(contents: ledger.contents) == ledger)
    #expect(PermanentTrust.Ledger(contents: Secret("{}".utf8)) == nil)
    #expect(PermanentTrust.Ledger(contents: Secret(#"{"lastNumber":1,"more":2}"#.utf8)) == nil)
    #expect(PermanentTrust.Ledger(contents: Secret(#"{"lastNumber":-1}"#.utf8)) == nil)
  }

  @Test(arguments: [
    (#""scope":"publicKey""#, #""scope":"certificate""#),
    (#""trust":"p1""#, #""trust":"p01""#),
    (#""port":8443"#, #""port":65536"#),
    (#""sha256":"sha256/"#, #""sha256":"sha256/A"#),
    (#""reason":"expired""#, #""reason":"policy""#),
    (#""reason":"expired""#, #""reason":"everything""#),
    (#""created":""#, #""more":1,"created":""#),
  ])
  func whatNoDecisionSaysIsRefused(part: String, other: String) throws {
    let entry = try #require(try kept(.publicKey).all.first)
    let text = entry.contents.withBytes { String(decoding: $0, as: UTF8.self) }
    let changed = try #require(text.firstRange(of: part)).lowerBound
    let after = text[..<changed] + other + text[changed...].dropFirst(part.count)
    #expect(PermanentTrust.Entry(contents: Secret(after.utf8)) == nil)
  }
}
