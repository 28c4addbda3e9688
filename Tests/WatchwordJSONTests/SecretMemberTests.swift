import Glibc
import Testing
import WatchwordJSON
import WatchwordTestSupport
import WatchwordVocabulary

@Suite struct SecretMemberTests {
  @Test func aTextIsReadAsASecret() throws {
    let node = try node(#"{"password":"open\u0020sesame","more":{"list":[{"pkcs12":""}]},"token":1}"#)
    #expect(node["password"]?.secret == Secret("open sesame".utf8))
    #expect(node["more"]?["list"]?.array?.first?["pkcs12"]?.secret == Secret([]))
    #expect(node["token"]?.secret == nil)
    #expect(node["more"]?.secret == nil)
  }

  @Test func aSecretIsWrittenAsSuch() {
    let value: JSONValue = .object(["password": .secret(Secret("sesame".utf8))])
    #expect(written { $0.value(value) } == #"{"password":"<secret>"}"#)
    #expect(!"\(value)".contains("sesame"))
  }

  /// In a process of its own, whose memory is searched from end to end once everything has been released.
  @Test func nothingOfASecretIsLeftInMemory() async {
    await #expect(processExitsWith: .success) {
      let memory = try #require(OwnMemory())
      memory.withNeedle { needle in
        let text = UnsafeMutableRawBufferPointer.allocate(byteCount: 4096, alignment: 16)
        let parser = JSONParser()
        for before in ["", #"\n"#] {
          fill(text, #"{"credential":{"user":"reader","password":""# + before, needle, #""}}"#)
          for _ in 0..<50 {
            let node = try? parser.parse(UnsafeRawBufferPointer(text))
            #expect(node?["credential"]?["password"]?.secret?.ends(with: needle) == true)
          }
          // What was read before the fault.
          fill(text, #"{"credential":{"password":""# + before, needle, #""},}"#)
          #expect(throws: JSONError.self) { try parser.parse(UnsafeRawBufferPointer(text)) }
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

/// In a thread whose stack is ours to search.
@Suite struct StackTests {
  /// The second is refused behind a secret so short that an error would quote it.
  static let texts: [StaticString] = [
    #"{"password":"\n-a-secret-with-an-escape-before-it"}"#, #"{"password" "-a-secret"}"#,
  ]

  @Test(arguments: texts.indices) func nothingOfASecretIsLeftOnTheStack(_ index: Int) throws {
    let size = 1 << 20
    let stack = try #require(mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))
    defer { munmap(stack, size) }
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    try #require(pthread_attr_setstack(&attributes, stack, size) == 0)
    var thread = pthread_t()
    let status = pthread_create(
      &thread, &attributes,
      { index in
        let text = StackTests.texts[Int(bitPattern: index)]
        let bytes = UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
        let isRead = (try? JSONParser().parse(bytes)) != nil
        return UnsafeMutableRawPointer(bitPattern: isRead ? 1 : 2)
      }, UnsafeMutableRawPointer(bitPattern: index))
    try #require(status == 0)
    var result: UnsafeMutableRawPointer?
    pthread_join(thread, &result)
    #expect(result == UnsafeMutableRawPointer(bitPattern: index + 1))
    #expect(!contains(UnsafeRawBufferPointer(start: stack, count: size), "-a-secret"))
  }

  private func contains(_ memory: UnsafeRawBufferPointer, _ text: String) -> Bool {
    let wanted = Array(text.utf8)
    var rest = memory[...]
    while let base = UnsafeRawBufferPointer(rebasing: rest).baseAddress,
      let found = memchr(base, Int32(wanted[0]), rest.count)
    {
      rest = rest.dropFirst(UnsafeRawPointer(found) - base)
      if rest.starts(with: wanted) { return true }
      rest = rest.dropFirst()
    }
    return false
  }
}

extension Secret {
  /// Whether it has these bytes at its end.
  fileprivate func ends(with needle: UnsafeRawBufferPointer) -> Bool {
    withBytes { $0.suffix(needle.count).elementsEqual(needle) }
  }
}

/// The needle between two texts, with spaces behind them to the end.
private func fill(
  _ text: UnsafeMutableRawBufferPointer, _ before: String, _ needle: UnsafeRawBufferPointer, _ after: String
) {
  text.initializeMemory(as: UInt8.self, repeating: 0x20)
  text.copyBytes(from: before.utf8)
  text[before.utf8.count..<(before.utf8.count + needle.count)].copyBytes(from: needle)
  let end = before.utf8.count + needle.count
  text[end..<(end + after.utf8.count)].copyBytes(from: after.utf8)
}

/// The writable memory of this process, searched for bytes that exist nowhere but in a mapping of its own.
private struct OwnMemory {
  /// Holds the needle; behind it the piece that is being looked at, and the list of mappings.
  private let arena: UnsafeMutableRawPointer
  private static let needleBytes = 40
  private static let chunk = 1 << 20

  init?() {
    guard
      let arena = mmap(nil, 3 * OwnMemory.chunk, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
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

  /// How often the needle stands in writable memory outside of the arena and of the main thread's stack, which is
  /// written over and over.
  ///
  /// Allocates nothing before it has counted: new blocks would take the place of what was freed.
  func countNeedles() -> Int {
    let memory = open("/proc/self/mem", O_RDONLY)
    let list = open("/proc/self/maps", O_RDONLY)
    defer {
      close(memory)
      close(list)
    }
    let lines = arena + 2 * OwnMemory.chunk
    var length = 0
    while case let count = read(list, lines + length, OwnMemory.chunk - 1 - length), count > 0 {
      length += count
    }
    lines.storeBytes(of: 0, toByteOffset: length, as: UInt8.self)
    var count = 0
    var line: UnsafeMutablePointer<CChar>? = lines.assumingMemoryBound(to: CChar.self)
    while let start = line, start.pointee != 0 {
      let end = strchr(start, 0x0A)
      end?.pointee = 0
      count += countNeedles(inMapping: start, of: memory)
      line = end.map { $0 + 1 }
    }
    return count
  }

  /// The line has the form `from-to rw-p … [name]`.
  private func countNeedles(inMapping line: UnsafeMutablePointer<CChar>, of memory: Int32) -> Int {
    var rest: UnsafeMutablePointer<CChar>? = line
    let start = strtoul(line, &rest, 16)
    let end = rest.map { strtoul($0 + 1, &rest, 16) } ?? start
    // The shadow of a sanitizer is too long to be read, and holds no text.
    guard let rest, strncmp(rest, " rw", 3) == 0, strstr(rest, "[stack]") == nil, end - start < 1 << 32,
      !(start..<end).contains(UInt(bitPattern: arena))
    else { return 0 }
    var count = 0
    var position = start
    while position < end {
      let wanted = min(UInt(OwnMemory.chunk), end - position)
      let piece = arena + OwnMemory.chunk
      let got = pread(memory, piece, Int(wanted), Int(position))
      guard got > 0 else { break }
      count += needles(in: piece, count: got)
      guard got > OwnMemory.needleBytes else { break }
      // The next piece begins early enough to hold a needle across the border.
      position += UInt(got)
      if position < end { position -= UInt(OwnMemory.needleBytes - 1) }
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
}
