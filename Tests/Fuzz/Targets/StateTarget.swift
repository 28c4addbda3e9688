internal import WatchwordCore
internal import WatchwordProtocol

/// The file of an account's permanent decisions: what is taken of it is written as it is read.
enum StateTarget {
  private static let uid: UInt32 = 1000

  @Sendable static func run(_ input: UnsafeRawBufferPointer) {
    guard let trust = try? PermanentTrust(document: Array(input), of: uid) else { return }
    let document = trust.document(of: uid)
    guard let again = try? PermanentTrust(document: document, of: uid) else {
      fatalError("a document that was written cannot be read")
    }
    require(again.document(of: uid) == document, "a document changes when it is read again")
    require(trust.all.count <= PermanentTrust.capacity, "too many decisions")
  }
}
