internal import WatchwordProtocol

/// Bytes of a connection: how they are cut into pieces must not matter, and nothing grows beyond its bound.
enum FrameTarget {
  private static let messageLimit = 300

  private struct Outcome: Equatable {
    var frames: [[UInt8]] = []
    var error: FramingError?
  }

  @Sendable static func run(_ input: UnsafeRawBufferPointer) {
    // The first byte says how large the pieces are.
    guard let size = input.first else { return }
    let bytes = UnsafeRawBufferPointer(rebasing: input.dropFirst())
    let whole = decode(bytes, inPiecesOf: max(1, bytes.count))
    require(decode(bytes, inPiecesOf: 1) == whole, "bytewise arrival changes what is decoded")
    require(decode(bytes, inPiecesOf: Int(size) + 1) == whole, "the pieces change what is decoded")
    let sizes = whole.frames.map(\.count)
    for piece in [max(1, bytes.count), 1, Int(size) + 1] {
      require(messages(bytes, inPiecesOf: piece) == sizes, "the next message is another frame")
    }
    require(whole.frames.allSatisfy { $0.count <= messageLimit }, "a frame exceeds the limit")
  }

  /// The sizes of the texts that the daemon takes apart.
  private static func messages(_ bytes: UnsafeRawBufferPointer, inPiecesOf size: Int) -> [Int] {
    var sizes: [Int] = []
    _ = feed(bytes, inPiecesOf: size) { decoder throws(FramingError) in
      guard let contents = try decoder.next() else { return false }
      sizes.append(contents.size)
      if case .success = contents.outcome { require(!decoder.isInDoubt, "JSON that is in doubt") }
      return true
    }
    return sizes
  }

  private static func decode(_ bytes: UnsafeRawBufferPointer, inPiecesOf size: Int) -> Outcome {
    var outcome = Outcome()
    outcome.error = feed(bytes, inPiecesOf: size) { decoder throws(FramingError) in
      try decoder.nextFrame { outcome.frames.append(Array($0)) } != nil
    }
    return outcome
  }

  /// - Parameter takeNext: takes what has arrived whole; false when there is nothing.
  /// - Returns: The fault of the framing at which it has ended.
  private static func feed(
    _ bytes: UnsafeRawBufferPointer, inPiecesOf size: Int,
    _ takeNext: (inout FrameDecoder) throws(FramingError) -> Bool
  ) -> FramingError? {
    var decoder = FrameDecoder(messageLimit: messageLimit)
    var start = 0
    while start < bytes.count {
      let end = min(bytes.count, start + size)
      decoder.append(UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
      start = end
      do throws(FramingError) {
        while try takeNext(&decoder) {}
      } catch {
        return error
      }
    }
    return nil
  }
}
