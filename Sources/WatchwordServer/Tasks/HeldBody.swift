/// The body of a refusal or redirect that may become the result: kept aside, so that it reaches the output only then.
struct HeldBody {
  /// Refusals are short pages; a larger one is not worth the memory of everybody who waits.
  static let capacity = 256 * 1024

  private(set) var bytes: [UInt8] = []
  private(set) var isTooLarge = false

  mutating func append(_ new: UnsafeRawBufferPointer) {
    guard !isTooLarge else { return }
    guard bytes.count + new.count <= HeldBody.capacity else {
      isTooLarge = true
      bytes = []
      return
    }
    bytes.append(contentsOf: new)
  }
}
