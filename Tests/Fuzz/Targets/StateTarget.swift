internal import WatchwordCore
internal import WatchwordProtocol

/// The file of an account's permanent decisions: what is taken of it is read again from the records that it becomes.
enum StateTarget {
  private static let uid: UInt32 = 1000

  @Sendable static func run(_ input: UnsafeRawBufferPointer) {
    guard let trust = try? PermanentTrust(document: Array(input), of: uid) else { return }
    require(trust.all.count <= PermanentTrust.capacity, "too many decisions")
    for entry in trust.all {
      let contents = entry.contents
      guard let again = PermanentTrust.Entry(contents: contents) else {
        fatalError("a record that was written cannot be read")
      }
      require(again == entry, "a decision changes when it is read again")
    }
  }
}
