import Testing
import WatchwordProtocol

/// What a connection's bytes are taken for.
struct Decoded: Equatable {
  var frames: [String] = []
  var error: FramingError?
  /// A message has begun and not ended.
  var isInMessage = false
}

/// Hands over `bytes` in pieces of `size`, and takes what is whole after each.
func decode(
  _ bytes: [UInt8], inPiecesOf size: Int, messageLimit: Int = 1 << 20,
  endsInput: Bool = false
) -> Decoded {
  var decoder = FrameDecoder(messageLimit: messageLimit)
  var decoded = Decoded()
  var rest = bytes[...]
  while !rest.isEmpty {
    rest.prefix(size).withUnsafeBytes { decoder.append($0) }
    rest = rest.dropFirst(size)
    if endsInput && rest.isEmpty { decoder.endInput() }
    do throws(FramingError) {
      while try decoder.nextFrame({ frame in
        decoded.frames.append(String(decoding: frame, as: UTF8.self))
      }) != nil {}
    } catch {
      decoded.error = error
      return decoded
    }
  }
  decoded.isInMessage = decoder.isInMessage
  return decoded
}

func decode(_ text: String, inPiecesOf size: Int = .max, messageLimit: Int = 1 << 20, endsInput: Bool = false)
  -> Decoded
{
  let bytes = Array(text.utf8)
  return decode(
    bytes, inPiecesOf: min(size, max(1, bytes.count)), messageLimit: messageLimit, endsInput: endsInput)
}

@Suite struct FrameDecoderLineTests {
  @Test(arguments: [1, 2, 3, 7, .max]) func linesAreFramesHoweverTheyArrive(_ size: Int) {
    let text = "{\"a\":1}\n[2]\n\n  \r\n{\"é\":\"世\"}\r\n\t{}\n"
    #expect(
      decode(text, inPiecesOf: size)
        == Decoded(frames: ["{\"a\":1}", "[2]", "{\"é\":\"世\"}\r", "{}"]))
  }

  @Test func aTruncatedLineIsNoFrame() {
    #expect(decode("{}\n{\"a\":") == Decoded(frames: ["{}"], isInMessage: true))
  }

  @Test(arguments: [1, 5, .max]) func theLastLineEndsWithTheInput(_ size: Int) {
    let text = "{\"a\":1}\n{\"b\":2} "
    #expect(decode(text, inPiecesOf: size, endsInput: true) == Decoded(frames: ["{\"a\":1}", "{\"b\":2} "]))
  }

  @Test(arguments: ["", "{}\n", "{}\n \r\n\t", "\n"]) func nothingBehindTheLastLineIsNoLine(_ text: String) {
    #expect(decode(text, endsInput: true) == decode(text))
  }

  @Test func blankLinesBeforeTheFirstMessageDecideNothing() {
    #expect(decode("\n \r\n") == Decoded())
    #expect(decode("\n\n{}\n") == Decoded(frames: ["{}"]))
  }

  @Test(arguments: [1, 5, .max]) func anotherProtocolIsRefusedAtItsFirstByte(_ size: Int) {
    for text in ["GET / HTTP/1.1\r\n", "POST /", "\u{16}\u{3}\u{1}", "'f\n", "c", "\u{FEFF}{}"] {
      let first = Array(text.utf8)[0]
      #expect(decode(text, inPiecesOf: size) == Decoded(error: .notJSONRPC(firstByte: first)))
    }
    #expect(decode("\r\n\r\nGET /", inPiecesOf: size).error == .notJSONRPC(firstByte: 0x47))
  }

  @Test func aFirstLineThatIsNoMessageIsInDoubtUntilItIsKnownToBeJSON() throws {
    for (text, isInDoubt) in [
      ("{}", false), ("[]", false), ("1", true), ("-1", true), ("null", true), ("\"", true),
    ] {
      var decoder = FrameDecoder(messageLimit: 64)
      Array("\(text)\n".utf8).withUnsafeBytes { decoder.append($0) }
      #expect(try decoder.nextFrame { _ in } != nil && decoder.isInDoubt == isInDoubt, "\(text)")
    }
  }

  @Test func theNextMessageEndsTheDoubtWhenItsTextIsJSON() throws {
    for (text, reads, isInDoubt) in [
      ("null", true, false), ("-1", true, false), ("\"", false, true), ("{", false, false),
      ("{}", true, false),
    ] {
      var decoder = FrameDecoder(messageLimit: 64)
      #expect(try decoder.next() == nil)
      Array("\(text)\n[]".utf8).withUnsafeBytes { decoder.append($0) }
      let contents = try #require(try decoder.next())
      let isRead = if case .success = contents.outcome { true } else { false }
      #expect(isRead == reads && contents.size == text.utf8.count, "\(text)")
      #expect(decoder.isInDoubt == isInDoubt, "\(text)")
      #expect(try decoder.next() == nil)
    }
  }

  /// Once the framing is known, a line that is not JSON is the parser's business.
  @Test func laterLinesMayBeginWithAnything() {
    #expect(decode("{}\nGET /\n{}\n") == Decoded(frames: ["{}", "GET /", "{}"]))
  }

  @Test func theLimitIsExact() {
    let exact = "{" + String(repeating: " ", count: 98) + "}"
    #expect(decode(exact + "\n", messageLimit: 100) == Decoded(frames: [exact]))
    #expect(decode(exact + "x\n", messageLimit: 100).error == .messageTooLarge(limit: 100))
    #expect(decode(exact + "x", messageLimit: 100).error == .messageTooLarge(limit: 100))
  }

  @Test(arguments: [1, 64, 4096]) func anEndlessLineIsRefusedAtTheLimit(_ size: Int) {
    let bytes = [UInt8](repeating: UInt8(ascii: "{"), count: 20_000)
    #expect(decode(bytes, inPiecesOf: size, messageLimit: 10_000).error == .messageTooLarge(limit: 10_000))
  }

  @Test func framesOfAllSizesComeThroughBuffersOfAllSizes() {
    var bytes: [UInt8] = []
    var expected: [String] = []
    for length in [2, 100, 4094, 4095, 4096, 4097, 8191, 65_535, 65_536, 200_000, 3, 4, 5] {
      let frame = "[" + String(repeating: "7", count: length - 2) + "]"
      expected.append(frame)
      bytes += Array(frame.utf8) + [0x0A]
    }
    for size in [511, 4096, 5000, 100_000, bytes.count] {
      #expect(decode(bytes, inPiecesOf: size) == Decoded(frames: expected))
    }
  }

  @Test func aFrameIsWiped() {
    let line = "{\"password\":\"sesame\"}\n"
    let many = Array(String(repeating: line, count: 1000).utf8)
    let decoded = decode(many, inPiecesOf: 777)
    #expect(decoded.frames.count == 1000)
    #expect(decoded.frames.allSatisfy { $0 + "\n" == line })
    var decoder = FrameDecoder(messageLimit: 100)
    Array(line.utf8).withUnsafeBytes { decoder.append($0) }
    let place = try? decoder.nextFrame { $0 }
    // The buffer is still the decoder's: what was lent is looked at again.
    withExtendedLifetime(decoder) { #expect(place?.allSatisfy { $0 == 0 } == true) }
  }

  /// A thousand idle peers have a buffer each.
  @Test func theBufferGrowsWithABurstAndIsGivenBackAfterIt() throws {
    var decoder = FrameDecoder(messageLimit: 1 << 20)
    func receive(_ burst: Int) throws -> Int {
      var left = burst
      var room = 0
      while left > 0 {
        decoder.read { target in
          room = target.count
          let count = min(room, left)
          for index in 0..<count { target[index] = (left - index) % 100 == 1 ? 0x0A : 0x5B }
          left -= count
          return count
        }
        while try decoder.nextFrame({ _ in }) != nil {}
      }
      #expect(!decoder.isInMessage)
      return room
    }
    #expect(try receive(100) == 4096)
    _ = try receive(1_000_000)
    #expect(try receive(60_000) > 60_000)
    #expect(try receive(100) == 65_536)
    for _ in 0..<20 { _ = try receive(100) }
    #expect(try receive(100) == 4096)
  }

  /// A line that arrives byte by byte is not looked at from its beginning each time.
  /// Otherwise it would depend on the pieces what an idle connection holds.
  @Test(arguments: [100_000, 300_000, .max])
  func theBufferOfALargeMessageIsGivenBackWithIt(_ size: Int) throws {
    var decoder = FrameDecoder(messageLimit: 1 << 20)
    var rest = ([UInt8](repeating: UInt8(ascii: "["), count: 900_000) + [0x0A])[...]
    while !rest.isEmpty {
      #expect(try decoder.nextFrame { _ in } == nil)
      rest.prefix(size).withUnsafeBytes { decoder.append($0) }
      rest = rest.dropFirst(size)
    }
    #expect(decoder.heldBytes >= 900_000 - 4096)
    #expect(try decoder.nextFrame { $0.count } == 900_000)
    #expect(decoder.heldBytes == 65_536 - 4096)
  }

  @Test func bytewiseArrivalIsLinear() {
    let bytes = [UInt8(ascii: "[")] + [UInt8](repeating: UInt8(ascii: " "), count: 1 << 19)
    #expect(decode(bytes + [0x0A], inPiecesOf: 1).frames.count == 1)
  }
}
