import Testing
import WatchwordJSON
import WatchwordProtocol

/// The `Content-Length` framing of the Language Server Protocol 3.17, "Base Protocol".
@Suite struct CountedFramesTests {
  @Test(arguments: [1, 2, 3, 5, 7, 11, .max]) func framesAreFoundHoweverTheyArrive(_ size: Int) {
    for (text, frames) in [
      ("Content-Length: 2\r\n\r\nhi", ["hi"]),
      ("Content-Length: 2\r\nContent-Type: application/vscode-jsonrpc; charset=utf-8\r\n\r\nhi", ["hi"]),
      ("Content-Type: application/vscode-jsonrpc; charset=utf-8\r\nContent-Length: 2\r\n\r\nhi", ["hi"]),
      ("COntEnT-lEnGtH: 5\r\n\r\nhello", ["hello"]),
      ("Content-Length: 0002\r\n\r\nhi", ["hi"]),
      ("Content-Length:2 \t\r\n\r\nhi", ["hi"]),
      ("Content-Length: 2\n\nhi", ["hi"]),
      ("\r\nContent-Length: 5\r\n\r\nhello", ["hello"]),
      ("Content-Length: 5\r\n\r\nhelloContent-Length: 5\r\n\r\nworld", ["hello", "world"]),
      ("Content-Length: 15\r\n\r\n{\"a\":\"é世é\"}", ["{\"a\":\"é世é\"}"]),
      ("Content-Length: 0\r\n\r\nContent-Length: 1\r\n\r\n1", ["", "1"]),
      ("Content-Length: 3\r\n\r\n\n\n\nContent-Length: 1\r\n\r\n\n", ["\n\n\n", "\n"]),
    ] {
      #expect(decode(text, inPiecesOf: size) == Decoded(frames: frames))
    }
  }

  @Test(arguments: [
    ("Content-Length: 10\r\n\r\n{\"a\"", true), ("Content-Length: 10\r\n\r\n", true), ("Content-Len", true),
    ("Content-Length: 10\r\n", true), ("Content-Length: 2\r\n\r\nhi", false),
  ])
  func whetherAMessageHasBegunIsKnown(_ text: String, _ isInMessage: Bool) {
    #expect(decode(text).isInMessage == isInMessage)
    #expect(decode(text, inPiecesOf: 1).isInMessage == isInMessage)
  }

  @Test(arguments: [1, .max]) func whatIsNoLengthIsRefused(_ size: Int) {
    for value in ["-1", "+1", "asdf", "", " ", "1 2", "0x10", "1.0", "1e3", "２", "1\0"] {
      #expect(
        decode("Content-Length: \(value)\r\n\r\nhi", inPiecesOf: size)
          == Decoded(error: .malformedContentLength))
    }
  }

  @Test(arguments: [
    "99999999999999999999", "18446744073709551616", "9223372036854775807", "9223372036854775808", "101",
    String(repeating: "9", count: 3000),
  ])
  func lengthsBeyondTheLimitAreRefusedBeforeAnythingIsKept(_ value: String) {
    #expect(
      decode("Content-Length: \(value)\r\n\r\nhi", messageLimit: 100).error == .messageTooLarge(limit: 100))
  }

  @Test func theLimitIsExact() {
    let body = String(repeating: "x", count: 100)
    #expect(decode("Content-Length: 100\r\n\r\n" + body, messageLimit: 100) == Decoded(frames: [body]))
  }

  @Test func aLengthIsNeededOnce() {
    #expect(decode("Content-Type: x\r\n\r\nhi").error == .missingContentLength)
    #expect(
      decode("Content-Length: 2\r\nContent-Length: 2\r\n\r\nhi").error == .duplicateContentLength)
    #expect(
      decode("Content-Length: 2\r\ncontent-length: 3\r\n\r\nhi").error == .duplicateContentLength)
    // An empty header between messages is one without a length.
    #expect(
      decode("Content-Length: 2\r\n\r\nhi\r\n")
        == Decoded(frames: ["hi"], error: .missingContentLength))
  }

  @Test func aLineWithoutAColonIsRefused() {
    #expect(decode("Content-Length\r\nContent-Length: 5\r\n\r\nhello").error == .malformedHeader)
    #expect(decode("Content-Length: 5\r\n{}\r\n\r\nhello").error == .malformedHeader)
  }

  @Test(arguments: [1, 100, .max]) func theHeaderIsBounded(_ size: Int) {
    let endless = "C" + String(repeating: "x", count: 10_000)
    #expect(decode(endless, inPiecesOf: size).error == .headerTooLarge(limit: 4096))
    #expect(decode(endless + ": 1\r\n", inPiecesOf: size).error == .headerTooLarge(limit: 4096))
    let many = String(repeating: "Cookie: x\r\n", count: 1000)
    #expect(decode(many, inPiecesOf: size).error == .headerTooLarge(limit: 4096))
    // Each message has a header of its own.
    let padding = String(repeating: "C: x\r\n", count: 600)
    let one = padding + "Content-Length: 1\r\n\r\n1"
    #expect(decode(one + one + one, inPiecesOf: size) == Decoded(frames: ["1", "1", "1"]))
  }

  @Test func repliesAreFramedAsTheRequestsWere() {
    var counted = WipedBytes()
    counted.append("kept{\"é\":1}" as StaticString)
    Framing.contentLength.close(&counted, from: 4)
    let bytes = counted.array()
    #expect(String(decoding: bytes, as: UTF8.self) == "keptContent-Length: 8\r\n\r\n{\"é\":1}")
    #expect(decode(Array(bytes[4...]), inPiecesOf: 3) == Decoded(frames: ["{\"é\":1}"]))
    var line = WipedBytes()
    line.append("kept{}" as StaticString)
    Framing.line.close(&line, from: 4)
    #expect(String(decoding: line.array(), as: UTF8.self) == "kept{}\n")
  }
}
