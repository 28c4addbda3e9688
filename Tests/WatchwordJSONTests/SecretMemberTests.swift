import Glibc
import Testing
import WatchwordJSON
import WatchwordSecret
import WatchwordTestSupport

@Suite struct SecretMemberTests {
  private static let names: Set<String> = ["password", "token", "passphrase", "privateKey", "pkcs12"]

  @Test func stringMembersWithASecretNameAreSecrets() throws {
    let value = try parse(
      #"{"user":"reader","password":"open\u0020sesame","more":{"token":"t","list":[{"pkcs12":""}]}}"#,
      secretMembers: SecretMemberTests.names)
    #expect(value["user"] == .string("reader"))
    #expect(value["password"] == .secret(Secret("open sesame".utf8)))
    #expect(value["more"]?["token"] == .secret(Secret("t".utf8)))
    #expect(value["more"]?["list"]?.elements.first?["pkcs12"] == .secret(Secret([])))
  }

  @Test(arguments: ["Password", "passwor", "passwords", "p\u{E4}ssword", "tokeN", ""])
  func otherNamesAreNot(_ name: String) throws {
    #expect(try parse("{\"\(name)\":\"x\"}", secretMembers: SecretMemberTests.names)[name] == .string("x"))
  }

  @Test func otherValuesStayWhatTheyAre() throws {
    let value = try parse(
      #"{"password":1,"token":null,"privateKey":["x"]}"#, secretMembers: SecretMemberTests.names)
    #expect(value["password"] == .integer(1))
    #expect(value["token"] == .null)
    #expect(value["privateKey"] == .array([.string("x")]))
  }

  @Test func aSecretIsWrittenAsSuch() throws {
    let value = try parse(#"{"password":"sesame"}"#, secretMembers: SecretMemberTests.names)
    #expect(written { $0.value(value) } == #"{"password":"<secret>"}"#)
    #expect(!"\(value)".contains("sesame"))
  }

  /// In a process of its own, whose memory is searched from end to end once everything has been released.
  @Test func nothingOfASecretIsLeftInMemory() async {
    await #expect(processExitsWith: .success) {
      let memory = try #require(OwnMemory())
      memory.withNeedle { needle in
        let text = UnsafeMutableRawBufferPointer.allocate(byteCount: 4096, alignment: 16)
        text.initializeMemory(as: UInt8.self, repeating: 0x20)
        let opening = #"{"credential":{"user":"reader","password":""#
        text.copyBytes(from: opening.utf8)
        text[opening.utf8.count..<(opening.utf8.count + needle.count)].copyBytes(from: needle)
        text[(opening.utf8.count + needle.count)..<(opening.utf8.count + needle.count + 3)]
          .copyBytes(from: "\"}}".utf8)
        let parser = JSONParser(secretMembers: ["password"])
        for _ in 0..<50 {
          let value = try? parser.parse(UnsafeRawBufferPointer(text))
          #expect(value?["credential"]?["password"] == .secret(Secret(needle)))
          let node = try? parser.node(UnsafeRawBufferPointer(text))
          let inner = node?.member("credential")?.value.member("password")?.value
          #expect(inner?.secret == Secret(needle))
        }
        if let start = text.baseAddress { explicit_bzero(start, text.count) }
        text.deallocate()
      }
      #expect(memory.countNeedles() == 0)
      // The search does find what is there.
      memory.withNeedle { needle in
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: 200, alignment: 16)
        copy.copyBytes(from: needle)
      }
      #expect(memory.countNeedles() == 1)
    }
  }
}

/// The writable memory of this process, searched for bytes that exist nowhere but in a mapping of its own.
private struct OwnMemory {
  /// Holds the needle and, behind it, the piece that is being looked at.
  private let arena: UnsafeMutableRawPointer
  private static let needleBytes = 40
  private static let chunk = 1 << 20

  init?() {
    guard
      let arena = mmap(nil, 2 * OwnMemory.chunk, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
      arena != MAP_FAILED
    else { return nil }
    self.arena = arena
    var generator = SystemRandomNumberGenerator()
    for index in 0..<OwnMemory.needleBytes {
      self.arena.storeBytes(
        of: UInt8.random(in: 0x61...0x7A, using: &generator), toByteOffset: index, as: UInt8.self)
    }
  }

  func withNeedle(_ body: (UnsafeRawBufferPointer) -> Void) {
    body(UnsafeRawBufferPointer(start: arena, count: OwnMemory.needleBytes))
  }

  /// How often the needle stands in writable memory outside of the arena and of the stack, which is
  /// written over and over.
  func countNeedles() -> Int {
    let memory = open("/proc/self/mem", O_RDONLY)
    defer { close(memory) }
    var count = 0
    for range in writableRanges() where !range.contains(UInt(bitPattern: arena)) {
      var position = range.lowerBound
      while position < range.upperBound {
        let wanted = min(UInt(OwnMemory.chunk - 64), range.upperBound - position)
        let piece = arena + OwnMemory.chunk
        let got = pread(memory, piece, Int(wanted), Int(position))
        guard got > 0 else { break }
        count += needles(in: piece, count: got)
        guard got > OwnMemory.needleBytes else { break }
        // The next piece begins early enough to hold a needle across the border.
        position += UInt(got) < wanted ? UInt(got) : wanted
        if position < range.upperBound { position -= UInt(OwnMemory.needleBytes - 1) }
      }
    }
    return count
  }

  private func needles(in piece: UnsafeMutableRawPointer, count: Int) -> Int {
    var found = 0
    var start = piece
    let first = Int32(arena.load(as: UInt8.self))
    while piece + count - start >= OwnMemory.needleBytes,
      let hit = memchr(start, first, piece + count - start - OwnMemory.needleBytes + 1)
    {
      if memcmp(hit, arena, OwnMemory.needleBytes) == 0 { found += 1 }
      start = hit + 1
    }
    return found
  }

  private func writableRanges() -> [Range<UInt>] {
    let file = open("/proc/self/maps", O_RDONLY)
    defer { close(file) }
    var text: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = read(file, &chunk, chunk.count), count > 0 { text += chunk[..<count] }
    return String(decoding: text, as: UTF8.self).split(separator: "\n").compactMap { line in
      let fields = line.split(separator: " ")
      let bounds = fields[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
      guard bounds.count == 2, fields[1].hasPrefix("rw"), fields.last != "[stack]" else { return nil }
      // The shadow of a sanitizer is too long to be read, and holds no text.
      return bounds[1] - bounds[0] < 1 << 32 ? bounds[0]..<bounds[1] : nil
    }
  }
}
