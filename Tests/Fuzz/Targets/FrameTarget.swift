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
    var decoder = FrameDecoder(messageLimit: messageLimit)
    var sizes: [Int] = []
    var start = 0
    while start < bytes.count {
      let end = min(bytes.count, start + size)
      decoder.append(UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
      start = end
      do throws(FramingError) {
        while let contents = try decoder.next() {
          sizes.append(contents.size)
          if case .success = contents.outcome { require(!decoder.isInDoubt, "JSON that is in doubt") }
        }
      } catch {
        return sizes
      }
    }
    return sizes
  }

  private static func decode(_ bytes: UnsafeRawBufferPointer, inPiecesOf size: Int) -> Outcome {
    var decoder = FrameDecoder(messageLimit: messageLimit)
    var outcome = Outcome()
    var start = 0
    while start < bytes.count {
      let end = min(bytes.count, start + size)
      decoder.append(UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
      start = end
      do throws(FramingError) {
        while try decoder.nextFrame({ frame in
          outcome.frames.append(Array(frame))
        }) != nil {}
      } catch {
        outcome.error = error
        return outcome
      }
    }
    return outcome
  }
}
