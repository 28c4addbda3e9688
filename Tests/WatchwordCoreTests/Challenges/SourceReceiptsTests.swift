import Testing
import WatchwordVocabulary

@testable import WatchwordCore

/// A source is told once of what it gave (storage.md 9.7.11).
struct SourceReceiptsTests {
  private let space = BoardScene.space("staff")

  private static func credential(_ password: String, receipt: String? = "r") -> Credential {
    Credential(
      .password(user: "joe", password: Secret(password.utf8)),
      source: CredentialSource(
        name: "pages", limits: CredentialLimits(), receipt: receipt.map { Secret($0.utf8) }))
  }

  private func refuse(_ password: String, _ receipts: inout SourceReceipts) -> SourceReport.Operation? {
    receipts.takeRefused(CredentialMark(Self.credential(password).kind), in: space)?.operation
  }

  private func accept(_ password: String, _ receipts: inout SourceReceipts) -> SourceReport.Operation? {
    receipts.takeAccepted(Self.credential(password).kind, in: space)?.operation
  }

  @Test func theFirstAcceptanceAndTheRefusalAreTold() {
    var receipts = SourceReceipts()
    receipts.note(Self.credential("a"), in: space)
    #expect(accept("a", &receipts) == .store)
    // The session keeps it.
    receipts.note(Self.credential("a"), in: space)
    #expect(accept("a", &receipts) == nil)
    #expect(refuse("a", &receipts) == .erase)
    #expect(refuse("a", &receipts) == nil && accept("a", &receipts) == nil)
  }

  @Test func whatAnotherPasswordMeetsIsNotTold() {
    var receipts = SourceReceipts()
    receipts.note(Self.credential("a"), in: space)
    #expect(accept("b", &receipts) == nil && refuse("b", &receipts) == nil)
    receipts.note(Self.credential("b"), in: space)
    #expect(refuse("a", &receipts) == nil)
    #expect(accept("b", &receipts) == .store)
  }

  @Test func oneForAnyRealmIsToldOfEach() {
    var receipts = SourceReceipts()
    receipts.note(Self.credential("a"), in: space.ofAnyRealm)
    #expect(accept("a", &receipts) == .store)
    #expect(refuse("a", &receipts) == .erase)
  }

  @Test func aSourceThatWantsToKnowNothingIsToldNothing() {
    var receipts = SourceReceipts()
    receipts.note(Self.credential("a"), in: space)
    receipts.note(Self.credential("a", receipt: nil), in: space)
    #expect(refuse("a", &receipts) == nil)
    receipts.note(Self.credential("a"), in: space)
    receipts.removeAll()
    #expect(refuse("a", &receipts) == nil)
  }
}
