import CLinux
import Glibc
import Testing
import WatchwordCore
import WatchwordReactor
import WatchwordTestSupport
import WatchwordVocabulary

@testable import WatchwordServer

/// Where bodies go: into the reply, a memory file, or a descriptor of the caller's (messages.md 5.5).
struct OutputTests {
  init() { LoopThread.started }

  private static func text(_ answer: OutputAnswer) -> String {
    switch answer {
    case .taken: "taken"
    case .full: "full"
    case .failed(let fault): "\(fault)"
    }
  }

  @ReactorActor private static func write(
    _ count: Int, to output: any TaskOutput, mayWait: Bool = true, byte: UInt8 = 120
  ) -> String {
    [UInt8](repeating: byte, count: count).withUnsafeBytes { text(output.write($0, mayWait: mayWait)) }
  }

  @ReactorActor private static func finish(_ output: any TaskOutput) async -> String {
    await withCheckedContinuation { continuation in
      output.finish { result in
        switch result {
        case .success(.bytes(let bytes)): continuation.resume(returning: "bytes \(bytes.count)")
        case .success(.file(let file)): continuation.resume(returning: "file \(file.size)")
        case .success(.size(let size)): continuation.resume(returning: "size \(size)")
        case .success(.partial(let size, let how)): continuation.resume(returning: "partial \(size) \(how)")
        case .failure(let fault): continuation.resume(returning: "\(fault)")
        }
      }
    }
  }

  private static let tooLarge = "tooLarge(WatchwordVocabulary.BodyLimit.inlineBodyBytes)"

  @Test @ReactorActor func aBodyInTheReplyHasALimit() async {
    let budget = MemoryBudget(limit: 1 << 20)
    let output = CollectingOutput(
      inlineLimit: 10, memoryFileLimit: nil, charge: MemoryCharge(budget, uid: 1))
    #expect(Self.write(9, to: output) == "taken" && Self.write(1, to: output) == "taken")
    #expect(budget.total == 10)
    #expect(Self.write(1, to: output).contains("inlineBodyBytes"))
    #expect(await Self.finish(output) == "bytes 10")
    output.abandon()
    #expect(budget.total == 0)
  }

  @Test @ReactorActor func aLargeBodyBecomesAFileInMemory() async {
    let budget = MemoryBudget(limit: 1 << 20)
    let most = Int(CollectingOutput.inlineBytes)
    func output() -> CollectingOutput {
      CollectingOutput(
        inlineLimit: Int64(most), memoryFileLimit: Int64(most + 100), charge: MemoryCharge(budget, uid: 1))
    }
    var small: CollectingOutput? = output()
    #expect(Self.write(most, to: small!) == "taken")
    #expect(await Self.finish(small!) == "bytes \(most)")
    small = nil
    var large: CollectingOutput? = output()
    #expect(Self.write(most, to: large!) == "taken" && Self.write(1, to: large!) == "taken")
    #expect(budget.total == most + 1)
    #expect(Self.write(99, to: large!) == "taken")
    #expect(Self.write(1, to: large!).contains("memoryBodyBytes"))
    #expect(await Self.finish(large!) == "file \(most + 100)")
    large = nil
    #expect(budget.total == 0)
  }

  @Test @ReactorActor func aBodyStaysInTheBudget() {
    let budget = MemoryBudget(limit: 10)
    let output = CollectingOutput(
      inlineLimit: 100, memoryFileLimit: nil, charge: MemoryCharge(budget, uid: 1))
    #expect(Self.write(10, to: output) == "taken" && Self.write(1, to: output) == "overBudget")
  }

  @Test @ReactorActor func aDiscardedBodyIsCounted() async {
    let output = DiscardingOutput()
    #expect(Self.write(3, to: output) == "taken" && Self.write(4, to: output) == "taken")
    #expect(await Self.finish(output) == "size 7")
  }

  @ReactorActor private static func fileOutput(
    _ folder: TemporaryFolder, _ budget: MemoryBudget, flags: Int32 = O_RDWR
  ) throws -> (CallerDescriptor, MemoryCharge) {
    let number = open(folder.path(of: "f"), flags | O_CREAT, 0o600)
    return (try CallerDescriptor(number, of: 1, for: .writing), MemoryCharge(budget, uid: 1))
  }

  @Test @ReactorActor func aFileHasTheBodyWhenItIsDone() async throws {
    let folder = try TemporaryFolder()
    let budget = MemoryBudget(limit: 1 << 22)
    let (descriptor, charge) = try Self.fileOutput(folder, budget)
    let output = DescriptorOutput(descriptor, charge: charge)
    var isDrained = false
    output.onDrained = { isDrained = true }
    #expect(Self.write(1000, to: output) == "taken")
    // The first bytes are being written: a mebibyte has place meanwhile, and no more.
    #expect(Self.write(1 << 20, to: output) == "taken")
    #expect(Self.write(1, to: output) == "full")
    await DaemonScene.until { isDrained }
    #expect(Self.write(1, to: output) == "taken")
    #expect(await Self.finish(output) == "size \((1 << 20) + 1001)")
    var information = stat()
    stat(folder.path(of: "f"), &information)
    #expect(information.st_size == (1 << 20) + 1001)
  }

  @Test @ReactorActor func whatHasNoRoomWaitsOrFails() async throws {
    let folder = try TemporaryFolder()
    let budget = MemoryBudget(limit: 10)
    let (descriptor, charge) = try Self.fileOutput(folder, budget)
    let output = DescriptorOutput(descriptor, charge: charge)
    #expect(Self.write(11, to: output) == "overBudget")
    #expect(Self.write(10, to: output) == "taken")
    #expect(Self.write(1, to: output) == "full")
    // What cannot be offered again is taken.
    #expect(Self.write(1, to: output, mayWait: false) == "taken")
    #expect(await Self.finish(output) == "size 11")
    #expect(folder.read("f") == String(repeating: "x", count: 11))
  }

  @Test @ReactorActor func aDownloadGoesOnWhereItEnded() async throws {
    let folder = try TemporaryFolder()
    let budget = MemoryBudget(limit: 1 << 20)
    try folder.write("abc", to: "f")
    let (descriptor, charge) = try Self.fileOutput(folder, budget)
    lseek(descriptor.number, 0, SEEK_END)
    let output = ContinuingOutput(descriptor, PartialDownload(size: 3, validator: "\"e\""), charge: charge)
    let head = ResponseHead(
      status: 206,
      headers: [HeaderField("Content-Range", "bytes 3-5/6"), HeaderField("ETag", "\"e\"")])
    #expect(output.begin(head) == nil)
    #expect("\(output.continuation!)" == "continued")
    #expect(Self.write(4, to: output) == "partMismatch")
    #expect(Self.write(2, to: output) == "taken")
    #expect(Self.write(1, to: output) == "taken")
    #expect(await Self.finish(output) == "partial 3 continued")
    #expect(folder.read("f") == "abcxxx")
  }

  @Test @ReactorActor func aPartThatEndsEarlyIsNone() async throws {
    let folder = try TemporaryFolder()
    try folder.write("abc", to: "f")
    let (descriptor, charge) = try Self.fileOutput(folder, MemoryBudget(limit: 1 << 20))
    lseek(descriptor.number, 0, SEEK_END)
    let output = ContinuingOutput(descriptor, PartialDownload(size: 3, validator: "\"e\""), charge: charge)
    let head = ResponseHead(status: 206, headers: [HeaderField("Content-Range", "bytes 3-5/6")])
    _ = output.begin(head)
    #expect(Self.write(2, to: output) == "taken")
    #expect(await Self.finish(output) == "partMismatch")
    #expect(folder.read("f") == "abcxx")
  }

  @Test @ReactorActor func anotherFileReplacesWhatThereWas() async throws {
    let folder = try TemporaryFolder()
    try folder.write("abcdef", to: "f")
    let (descriptor, charge) = try Self.fileOutput(folder, MemoryBudget(limit: 1 << 20))
    lseek(descriptor.number, 0, SEEK_END)
    let output = ContinuingOutput(descriptor, PartialDownload(size: 6, validator: "\"e\""), charge: charge)
    #expect(output.begin(ResponseHead(status: 200, headers: [])) == nil)
    #expect(Self.write(2, to: output) == "taken")
    #expect(await Self.finish(output) == "partial 2 restarted")
    #expect(folder.read("f") == "xx")
  }

  @Test @ReactorActor func whatIsNotForTheFileIsCountedOnly() async throws {
    let folder = try TemporaryFolder()
    try folder.write("abc", to: "f")
    let (descriptor, charge) = try Self.fileOutput(folder, MemoryBudget(limit: 1 << 20))
    let output = ContinuingOutput(descriptor, PartialDownload(size: 3, validator: "\"e\""), charge: charge)
    #expect(output.begin(ResponseHead(status: 404, headers: [])) == nil)
    #expect(Self.write(2, to: output) == "taken")
    #expect(await Self.finish(output) == "partial 2 discarded")
    #expect(folder.read("f") == "abc")
  }

  @Test @ReactorActor func aPipeIsWrittenAsItIsRead() async throws {
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    defer { close(ends[0]) }
    _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
    let output = DescriptorOutput(
      try CallerDescriptor(ends[1], of: 1, for: .writing),
      charge: MemoryCharge(MemoryBudget(limit: 1 << 22), uid: 1))
    #expect(Self.write(200_000, to: output) == "taken")
    var isDone = ""
    output.finish { _ in isDone = "done" }
    var count = 0
    var room = [UInt8](repeating: 0, count: 65536)
    for _ in 0..<20_000 where isDone.isEmpty {
      count += max(0, read(ends[0], &room, room.count))
      await DaemonScene.turn()
    }
    while case let more = read(ends[0], &room, room.count), more > 0 { count += more }
    #expect(isDone == "done" && count == 200_000)
  }

  @Test @ReactorActor func aPipeWithoutAReaderFails() async throws {
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    close(ends[0])
    signal(SIGPIPE, SIG_IGN)
    let output = DescriptorOutput(
      try CallerDescriptor(ends[1], of: 1, for: .writing),
      charge: MemoryCharge(MemoryBudget(limit: 1 << 22), uid: 1))
    #expect(Self.write(1, to: output) == "taken")
    #expect(await Self.finish(output) == "broken(\(EPIPE))")
    #expect(Self.write(1, to: output) == "broken(\(EPIPE))")
  }
}
