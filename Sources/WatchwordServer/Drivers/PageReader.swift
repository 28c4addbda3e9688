internal import WatchwordCore
internal import WatchwordReactor
internal import WatchwordTransport

/// Has a parser read the page of a response, outside the loop, one at a time.
@ReactorActor
final class PageReader {
  struct Page {
    let bytes: [UInt8]
    /// Of them, those that are not counted elsewhere.
    let copiedBytes: Int
    /// Whether nothing of the body follows.
    let isWhole: Bool
    /// Of the response's head.
    let type: String?
    /// Those that are not decoded yet.
    let codings: [String]
  }

  private let uid: UInt32
  private let charge: MemoryCharge
  private(set) var isReading = false

  /// - Parameter charge: of the task.
  init(_ uid: UInt32, _ charge: MemoryCharge) {
    self.uid = uid
    self.charge = charge
  }

  /// A page whose decoding the uid has no memory for has nothing that is looked for.
  func read(
    _ page: Page, _ question: PageQuestion, then: @escaping @ReactorActor (PageReading) -> Void
  ) {
    isReading = true
    let charge = charge.another()
    charge.growAnyway(by: page.copiedBytes)
    let isAffordable = charge.grow(by: HTMLPage.decodingBytes(page.codings))
    let limit = HeldBody.capacity
    ComputingLane.submit(for: uid) { () -> PageReading in
      guard isAffordable else { return .nothing }
      return HTMLPage.read(
        page.bytes, codings: page.codings, contentType: page.type, isWhole: page.isWhole, limit: limit,
        question)
    } then: { [weak self] reading in
      charge.giveBack()
      self?.isReading = false
      then(reading)
    }
  }
}
