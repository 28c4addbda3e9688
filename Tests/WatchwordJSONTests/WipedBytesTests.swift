import Synchronization
import Testing
import WatchwordJSON

@Suite struct WipedBytesTests {
  /// What was given back, and whether any of it was still something.
  private final class Returned: Sendable {
    let sizes = Mutex<[Int]>([])
    let leftovers = Mutex(0)

    func note(_ memory: UnsafeRawBufferPointer) {
      sizes.withLock { $0.append(memory.count) }
      leftovers.withLock { $0 += memory.count { $0 != 0 } }
    }
  }

  @Test func whatGrowsLeavesNothingBehind() {
    let returned = Returned()
    var text: [UInt8] = []
    do {
      var bytes = WipedBytes(willRelease: returned.note)
      for round in 0..<2000 {
        bytes.append(contentsOf: "secret\(round)".utf8)
        text += "secret\(round)".utf8
      }
      #expect(bytes.array() == text)
      #expect(returned.sizes.withLock(\.count) > 3)
    }
    let sizes = returned.sizes.withLock { $0 }
    #expect(sizes == sizes.sorted() && sizes.last.map { $0 >= text.count } == true)
    #expect(returned.leftovers.withLock { $0 } == 0)
  }

  @Test func everyWayOfWritingGrowsAlike() {
    let returned = Returned()
    var expected: [UInt8] = []
    do {
      var bytes = WipedBytes(willRelease: returned.note)
      for round in 0..<200 {
        let piece = [UInt8](repeating: UInt8(round), count: round * 7 % 613)
        bytes.append(0x61)
        piece.withUnsafeBytes { bytes.append($0) }
        bytes.append("static" as StaticString)
        bytes.append(contentsOf: AnySequence(piece))
        bytes.append(piece.count) { $0.copyBytes(from: piece) }
        expected += [0x61] + piece + Array("static".utf8) + piece + piece
      }
      #expect(bytes.array() == expected)
    }
    #expect(returned.leftovers.withLock { $0 } == 0)
  }

  @Test(arguments: [0, 1, 500, 511, 512, 4000]) func somethingIsPutInBetween(_ size: Int) {
    var bytes = WipedBytes()
    var expected = [UInt8](repeating: 7, count: size)
    bytes.append(contentsOf: expected)
    for offset in [0, size / 2, size] {
      bytes.insert("between".utf8, at: offset)
      expected.insert(contentsOf: "between".utf8, at: offset)
    }
    #expect(bytes.array() == expected)
    bytes.removeAll()
    #expect(bytes.isEmpty && bytes.capacity >= size)
  }

  @Test(arguments: [0, 1, 300, 599, 600, 601]) func theFrontIsTakenAway(_ length: Int) {
    var bytes = WipedBytes()
    let text = (0..<600).map { UInt8($0 % 251) }
    bytes.append(contentsOf: text)
    bytes.removeFirst(length)
    bytes.append(9)
    #expect(bytes.array() == Array(text.dropFirst(length)) + [9])
  }

  @Test(arguments: [0, 100, 4000, 70_000]) func whatIsToSpareIsGivenBack(_ size: Int) {
    let returned = Returned()
    do {
      var bytes = WipedBytes(willRelease: returned.note)
      let text = (0..<size).map { UInt8($0 % 251) }
      bytes.reserveCapacity(2 * size)
      bytes.append(contentsOf: text)
      bytes.fit()
      #expect(bytes.capacity - size < 4096)
      #expect(bytes.array() == text)
      bytes.append(9)
      #expect(bytes.array() == text + [9])
    }
    #expect(returned.leftovers.withLock { $0 } == 0)
  }

  @Test func aWriterWritesIntoThem() {
    let returned = Returned()
    do {
      var writer = JSONWriter(WipedBytes(willRelease: returned.note))
      writer.beginArray()
      for _ in 0..<1000 { writer.string("sesame \"open\"") }
      writer.endArray()
      #expect(writer.bytes.count > 10_000)
    }
    #expect(returned.sizes.withLock(\.count) > 3)
    #expect(returned.leftovers.withLock { $0 } == 0)
  }
}
