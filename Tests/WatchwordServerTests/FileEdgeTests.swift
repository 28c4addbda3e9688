import CLinux
import Glibc
import Testing
import WatchwordCore
import WatchwordReactor
import WatchwordTestSupport
import WatchwordVocabulary

@testable import WatchwordServer

/// Files, sockets and programs that do not behave as most do.
struct FileEdgeTests {
  init() { LoopThread.started }

  @ReactorActor private static func hash(_ descriptor: CallerDescriptor) async -> [String]? {
    await withCheckedContinuation { continuation in
      FileHashing(descriptor, [.sha256]).run { hashes in
        continuation.resume(returning: hashes?.values.map { "\($0)" })
      }
    }
  }

  /// More than one visit of the pool reads.
  @Test @ReactorActor func aLargeFileIsHashedToItsEnd() async throws {
    let folder = try TemporaryFolder()
    let bytes = [UInt8](repeating: 7, count: 9 * 1024 * 1024)
    let path = try folder.write(bytes, to: "f")
    let file = try CallerDescriptor(open(path, O_RDWR), of: 1, for: .writing)
    let whole = try #require(await Self.hash(file))
    #expect(whole.count == 1)
    // One octet behind the first visit counts.
    let descriptor = open(path, O_WRONLY)
    #expect(pwrite(descriptor, "x", 1, 8 * 1024 * 1024 + 1) == 1)
    close(descriptor)
    #expect(await Self.hash(file) != whole)
    #expect(pwrite(file.number, [7], 1, 8 * 1024 * 1024 + 1) == 1)
    #expect(await Self.hash(file) == whole)
  }

  @Test @ReactorActor func aFileThatCannotBeReadHasNoHash() async throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("x", to: "f")
    let file = try CallerDescriptor(open(path, O_WRONLY), of: 1, for: .writing)
    #expect(await Self.hash(file) == nil)
  }

  @Test func aSocketAmongTheFilesIsRefused() throws {
    let folder = try TemporaryFolder()
    let place = try #require(StatePlace.resolve(folder.path) { _ in nil })
    let directory = try #require(try StateDirectory.open(place, isMade: false))
    let socket = clinux_unix_listen(folder.path(of: "s"), 1)
    defer { close(socket) }
    let read = try #require(try StateFile(name: "s", directory: directory).read(maximumBytes: 9))
    guard case .failure(let fault) = read else {
      Issue.record("read")
      return
    }
    #expect(fault.text == "is not a file (links are not followed)")
    // What the system says is told.
    let long = String(repeating: "x", count: 300)
    var text = ""
    do throws(StorageFault) {
      _ = try StateFile(name: long, directory: directory).read(maximumBytes: 9)
    } catch {
      text = error.text
    }
    #expect(text.hasSuffix("File name too long"))
  }

  /// A helper may end without reading its question, and answer all the same.
  @Test func aHelperNeedNotReadItsQuestion() async {
    await #expect(processExitsWith: .success) {
      signal(SIGCHLD, SIG_IGN)
      for _ in 0..<20 {
        let answer = try HelperProcess.run(["/bin/sh", "-c", "printf yes"], Secret(count: 5000) { _ in })
        #expect(answer.withBytes { String(decoding: $0, as: UTF8.self) } == "yes")
      }
    }
  }

  @Test func theLimitOfDescriptorsIsRaised() async {
    await #expect(processExitsWith: .success) {
      var limit = rlimit()
      let kind = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
      getrlimit(kind, &limit)
      let most = min(limit.rlim_max, 524_288)
      limit.rlim_cur = 200
      setrlimit(kind, &limit)
      #expect(ProcessDescriptors.limit == 200)
      ProcessDescriptors.raiseLimit()
      #expect(ProcessDescriptors.limit == Int(most))
    }
  }

  /// The other daemon lets go of its state a little later, or not at all.
  @Test func rootsOfAStateThatIsInUseAreNotChanged() throws {
    let folder = try TemporaryFolder()
    let place = try #require(StatePlace.resolve(folder.path) { _ in nil })
    let directory = try StateDirectory.open(place, isMade: true)
    var text = ""
    do throws(UserRootsFile.RootsFileFault) {
      _ = try UserRootsFile(place: place, uid: 1).apply(.remove(nil))
    } catch {
      text = "\(error)"
    }
    #expect(text.contains("another daemon keeps its state there"))
    withExtendedLifetime(directory) {}
  }
}
