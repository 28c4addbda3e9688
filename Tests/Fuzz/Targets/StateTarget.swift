internal import WatchwordCore
internal import WatchwordProtocol
internal import WatchwordSecret

/// The records of permanent decisions: what is understood is written down again as the same decision.
enum StateTarget {
  @Sendable static func run(_ input: UnsafeRawBufferPointer) {
    let contents = Secret(copying: input)
    _ = PermanentTrust.Ledger(contents: contents)
    guard let entry = PermanentTrust.Entry(contents: contents) else { return }
    guard let again = PermanentTrust.Entry(contents: entry.contents) else {
      fatalError("a record that was written cannot be read")
    }
    require(again == entry, "a decision changes when it is read again")
  }
}
