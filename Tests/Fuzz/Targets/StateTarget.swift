internal import WatchwordCore
internal import WatchwordVault
internal import WatchwordVocabulary

/// The records of permanent decisions: what is understood is written down again as the same decision.
enum StateTarget {
  private static let origin = Origin(scheme: .https, host: "a.test", port: 443)

  @Sendable static func run(_ input: UnsafeRawBufferPointer) {
    let record = VaultRecord(
      number: TrustRecord.number(of: 1), kind: .trust, space: origin.vaultOctets,
      contents: Secret(copying: input))
    guard let entry = TrustRecord.entry(of: record) else { return }
    guard let again = TrustRecord.record(of: entry).flatMap(TrustRecord.entry) else {
      fatalError("a record that was written cannot be read")
    }
    require(again == entry, "a decision changes when it is read again")
  }
}
