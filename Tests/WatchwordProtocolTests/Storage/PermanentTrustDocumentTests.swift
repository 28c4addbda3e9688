import Testing
import WatchwordCore
import WatchwordSecret
import WatchwordVocabulary

@testable import WatchwordProtocol

/// The file of permanent decisions: read as it was written, and nothing else.
struct PermanentTrustDocumentTests {
  private static let host = "a.example"

  private func print(_ number: UInt8) throws -> Fingerprint {
    try #require(Fingerprint([UInt8](repeating: number, count: Fingerprint.byteCount)))
  }

  private func kept() throws -> PermanentTrust {
    let faults = [TrustFault(reason: .unknownIssuer, depth: 0), TrustFault(reason: .expired, depth: 2)]
    let trust = ServerTrust(
      certificates: [],
      presented: PresentedChain(chain: try print(1), certificate: try print(2), publicKey: try print(3)),
      faults: faults)
    var permanent = PermanentTrust()
    for (scope, host) in [(TrustScope.certificate, "a.example"), (.publicKey, "::1")] {
      _ = permanent.apply(
        .record(
          TrustDecision(trust, for: Origin(scheme: .https, host: host, port: 8443), scope: scope),
          about: PermanentTrust.Subject(
            name: "CN=\u{1B}[31m\"é\"", certificate: try print(2), publicKey: try print(3)),
          created: 1_795_000_000))
    }
    return permanent
  }

  @Test func whatWasWrittenIsRead() throws {
    let before = try kept()
    let after = try PermanentTrust(document: document(of: before), of: 1000)
    #expect(after == before)
    #expect(try PermanentTrust(document: document(of: PermanentTrust()), of: 1000) == PermanentTrust())
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

  @Test func theLedgerIsARecordToo() throws {
    for file in [nil, try print(9)] {
      let ledger = PermanentTrust.Ledger(lastNumber: 17, takenOver: file)
      #expect(PermanentTrust.Ledger(contents: ledger.contents) == ledger)
    }
    #expect(PermanentTrust.Ledger(contents: Secret("{}".utf8)) == nil)
    #expect(PermanentTrust.Ledger(contents: Secret(#"{"lastNumber":1,"more":2}"#.utf8)) == nil)
  }

  /// As an earlier version has written it.
  private func document(of trust: PermanentTrust, uid: UInt32 = 1000) -> [UInt8] {
    let decisions = trust.all.map { entry in
      entry.contents.withBytes { String(decoding: $0, as: UTF8.self) }
    }
    let text = #"{"version":1,"uid":\#(uid),"lastNumber":\#(trust.lastNumber),"decisions":["#
    return Array("\(text)\(decisions.joined(separator: ","))]}\n".utf8)
  }

  @Test func anotherAccountsIsNotTaken() throws {
    let document = document(of: try kept())
    #expect(throws: PermanentTrust.DocumentFault.self) { try PermanentTrust(document: document, of: 0) }
  }

  @Test func everyShorterTextIsRefused() throws {
    let document = document(of: try kept())
    // Without the line's end it is whole.
    for count in 0..<document.count - 1 {
      #expect(throws: PermanentTrust.DocumentFault.self) {
        try PermanentTrust(document: Array(document[..<count]), of: 1000)
      }
    }
  }

  @Test func aNewerVersionIsCalledThat() {
    let text = #"{"version":2,"uid":0,"what":"ever"}"#
    #expect {
      try PermanentTrust(document: Array(text.utf8), of: 0)
    } throws: { error in
      (error as? PermanentTrust.DocumentFault)?.text == "written by a newer version (2)"
    }
  }

  @Test func asManyAsAreKeptFit() throws {
    var permanent = PermanentTrust()
    let fault = TrustFault(reason: .unknownIssuer, depth: 0)
    let presented = PresentedChain(chain: try print(1), certificate: try print(2), publicKey: try print(3))
    let trust = ServerTrust(certificates: [], presented: presented, faults: [fault])
    let name = String(repeating: "long name ", count: 40)
    for port in 1...UInt16(PermanentTrust.capacity) {
      _ = permanent.apply(
        .record(
          TrustDecision(trust, for: Origin(scheme: .https, host: Self.host, port: port)),
          about: PermanentTrust.Subject(
            name: name, certificate: presented.certificate, publicKey: presented.publicKey),
          created: 1_795_000_000))
    }
    let document = document(of: permanent, uid: 0)
    #expect(document.count <= PermanentTrust.maximumDocumentBytes)
    #expect(try PermanentTrust(document: document, of: 0).count == PermanentTrust.capacity)
  }
}
