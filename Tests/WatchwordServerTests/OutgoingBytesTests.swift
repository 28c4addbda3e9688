import CLinux
import Glibc
import Testing
import WatchwordJSON
import WatchwordProtocol
import WatchwordReactor
import WatchwordTestSupport

@testable import WatchwordServer

struct OutgoingBytesTests {
  init() { LoopThread.started }

  /// Two connected sockets of which the reader's end never blocks.
  private struct Pair: ~Copyable {
    let sender: Int32
    let receiver: Int32

    init() {
      var ends: [Int32] = [-1, -1]
      socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0, &ends)
      (sender, receiver) = (ends[0], ends[1])
    }

    deinit {
      close(sender)
      close(receiver)
    }

    func read() -> [UInt8] {
      var all: [UInt8] = []
      var buffer = [UInt8](repeating: 0, count: 1 << 16)
      while case let count = Glibc.read(receiver, &buffer, buffer.count), count > 0 {
        all += buffer[..<count]
      }
      return all
    }
  }

  /// What the peer gets until nothing waits, and how much waited in between.
  private static func drain(_ outgoing: inout OutgoingBytes) -> String {
    let pair = Pair()
    var all: [UInt8] = []
    while true {
      let progress = outgoing.flush(to: pair.sender)
      all += pair.read()
      if case .blocked = progress { continue }
      return String(decoding: all, as: UTF8.self)
    }
  }

  private static func text(_ count: Int, _ byte: String = "x") -> String {
    String(repeating: byte, count: count)
  }

  @Test(arguments: [Framing.line, .contentLength])
  func aSharedTextStandsInItsMessageAndIsNotHeld(_ framing: Framing) {
    var outgoing = OutgoingBytes()
    let shared = Array(Self.text(1_000_000, "[").utf8)
    var expected = ""
    for number in 0..<20 {
      _ = outgoing.append(framing: framing) { $0.integer(number) }
      outgoing.append(framing: framing, sharing: shared) { writer in
        writer.beginObject()
        writer.key("a")
        let place = writer.buffer.count
        writer.endObject()
        return place
      }
      let messages = ["\(number)", "{\"a\":" + Self.text(1_000_000, "[") + "}"]
      for message in messages { expected += framing.header(message.utf8.count) + message + framing.trailer }
    }
    #expect(outgoing.count == expected.utf8.count)
    #expect(outgoing.heldBytes < 64 * 1024)
    #expect(Self.drain(&outgoing) == expected)
    #expect(outgoing.isEmpty && outgoing.heldBytes == 0)
  }

  @Test func whatIsNotAllowedLeavesNothing() {
    var outgoing = OutgoingBytes()
    _ = outgoing.append(framing: .line) { $0.string("a") }
    let held = outgoing.heldBytes
    var asked = 0
    let isAppended = outgoing.append(
      framing: .line,
      mayHold: {
        asked = $0
        return false
      }
    ) { $0.string(Self.text(500_000)) }
    #expect(!isAppended)
    #expect(asked >= 500_000)
    #expect(outgoing.heldBytes == held)
    _ = outgoing.append(framing: .line) { $0.string("b") }
    #expect(Self.drain(&outgoing) == "\"a\"\n\"b\"\n")
  }

  /// One large buffer doubles, and keeps what was sent until all is.
  @Test func whatIsSentIsNotHeld() {
    var outgoing = OutgoingBytes()
    for _ in 0..<1000 { _ = outgoing.append(framing: .line) { $0.string(Self.text(10_000)) } }
    #expect(outgoing.heldBytes < outgoing.count * 13 / 10 + 3 * OutgoingBytes.pieceBytes)
    let pair = Pair()
    while outgoing.count > 1_000_000 {
      _ = outgoing.flush(to: pair.sender)
      _ = pair.read()
    }
    #expect(outgoing.heldBytes < 1_300_000 + 3 * OutgoingBytes.pieceBytes)
  }

  @Test func aMessageOfPiecesHasOneFrame() {
    var outgoing = OutgoingBytes()
    let pieces = ["[1", ",2", "]"].map { text in
      let piece = OutgoingBytes.Piece()
      piece.writer.buffer.append(contentsOf: text.utf8)
      return piece
    }
    _ = outgoing.append(framing: .contentLength) { $0.integer(7) }
    outgoing.append(pieces, with: [], framing: .contentLength)
    _ = outgoing.append(framing: .contentLength) { $0.integer(8) }
    let frames = ["7", "[1,2]", "8"].map { "Content-Length: \($0.utf8.count)\r\n\r\n\($0)" }
    #expect(Self.drain(&outgoing) == frames.joined())
  }

  /// A reader is slow when nothing of what waits goes: what goes is progress, and an attempt is none.
  @Test func onlyWhatGoesIsProgress() {
    var outgoing = OutgoingBytes()
    _ = outgoing.append(framing: .line) { $0.string(Self.text(4_000_000)) }
    let pair = Pair()
    func isProgress() -> Bool? {
      if case .blocked(let progress) = outgoing.flush(to: pair.sender) { progress } else { nil }
    }
    #expect(isProgress() == true)
    #expect(isProgress() == false)
    _ = pair.read()
    #expect(isProgress() == true)
  }

  /// The daemon waits for no reader, also where the descriptor would.
  @Test func sendingWaitsForNobody() {
    var outgoing = OutgoingBytes()
    _ = outgoing.append(framing: .line) { $0.string(Self.text(4_000_000)) }
    let pair = Pair()
    _ = fcntl(pair.sender, F_SETFL, 0)
    guard case .blocked = outgoing.flush(to: pair.sender) else {
      Issue.record("not blocked")
      return
    }
    #expect(outgoing.count > 0)
  }

  /// A descriptor comes with the first byte of its message, also behind a shared text.
  @Test @ReactorActor func eachDescriptorComesWithItsMessage() throws {
    let budget = MemoryBudget(limit: 1024)
    var file: MemoryFile? = try MemoryFile(MemoryCharge(budget, uid: 1))
    withUnsafeBytes(of: UInt64(0)) { #expect(file?.append($0) == nil) }
    var outgoing = OutgoingBytes()
    let pair = Pair()
    _ = outgoing.append(framing: .line) { $0.integer(1) }
    outgoing.append(framing: .line, sharing: Array("[]".utf8)) { $0.buffer.count }
    _ = outgoing.append(with: [file].compactMap(\.self), framing: .line) { $0.integer(2) }
    file = nil
    #expect(budget.total == 8)
    _ = outgoing.append(framing: .line) { $0.integer(3) }
    guard case .done = outgoing.flush(to: pair.sender) else {
      Issue.record("not sent")
      return
    }
    #expect(budget.total == 0)
    var found: [(String, Int32)] = []
    var room = [Int32](repeating: -1, count: Int(CLINUX_DESCRIPTORS_ROOM))
    // As many bytes as come before: a read also takes the descriptors of what follows in it.
    var buffer = [UInt8](repeating: 0, count: 5)
    while true {
      var arrived = clinux_arrived()
      let received = clinux_receive(pair.receiver, &buffer, buffer.count, &room, &arrived, false)
      guard received > 0 else { break }
      for descriptor in room.prefix(Int(arrived.count)) { close(descriptor) }
      found.append((String(decoding: buffer[..<received], as: UTF8.self), arrived.count))
    }
    #expect(found.map(\.0).joined() == "1\n[]\n2\n3\n")
    #expect(found.filter { $0.1 == 1 }.map { $0.0.first } == ["2"])
  }
}
