import Glibc
import Testing
import WatchwordReactor
import WatchwordTestSupport

@testable import WatchwordServer

/// Files of the state directory are the daemon's own, and whole (storage.md 6.6.4 and 6.6.5).
struct StateFileTests {
  private static func open(
    _ path: String, isMade: Bool = true, isLocked: Bool = true
  ) throws(StorageFault) -> StateDirectory? {
    let place = StatePlace.resolve(path) { _ in nil }
    guard let place else { throw .noPlace }
    return try StateDirectory.open(place, isMade: isMade, isLocked: isLocked)
  }

  /// Nil when it was opened.
  private static func fault(_ path: String, isMade: Bool = true, isLocked: Bool = true) -> String? {
    do throws(StorageFault) {
      return try open(path, isMade: isMade, isLocked: isLocked) == nil ? "none" : nil
    } catch {
      return error.text
    }
  }

  private static func read(_ file: StateFile, _ maximum: Int = 100) throws -> String {
    switch try file.read(maximumBytes: maximum) {
    case nil: "none"
    case .success(let bytes): "\(bytes.count) " + String(decoding: bytes, as: UTF8.self)
    case .failure(let fault): fault.text
    }
  }

  @Test func aFileIsReplacedAsAWhole() throws {
    let folder = try TemporaryFolder()
    let directory = try #require(try Self.open(folder.path))
    let file = StateFile(name: "f", directory: directory)
    #expect(try Self.read(file) == "none")
    try file.remove()
    try folder.write("left by a killed daemon", to: "f.new")
    try file.write(Array("first".utf8))
    try file.write(Array("second".utf8))
    #expect(folder.read("f") == "second" && folder.mode(of: "f") == 0o600)
    #expect(folder.names == ["f", "lock"])
    #expect(try Self.read(file) == "6 second")
    #expect(try Self.read(file, 6) == "6 second")
    #expect(try Self.read(file, 4) == "5 secon")
    #expect(try Set(directory.names()) == ["f", "lock"])
    try file.remove()
    #expect(folder.names == ["lock"])
  }

  @Test func whatIsNoFileOfItsOwnIsRefused() throws {
    let folder = try TemporaryFolder()
    let directory = try #require(try Self.open(folder.path))
    func read(_ name: String) throws -> String { try Self.read(StateFile(name: name, directory: directory)) }
    symlink("/dev/null", folder.path(of: "link"))
    #expect(try read("link") == "is not a file (links are not followed)")
    mkfifo(folder.path(of: "fifo"), 0o600)
    #expect(try read("fifo") == "is not a file (links are not followed)")
    mkdir(folder.path(of: "folder"), 0o700)
    #expect(try read("folder") == "is not a file (links are not followed)")
    for mode: mode_t in [0o620, 0o602] {
      try folder.write("x", to: "loose", mode: mode)
      #expect(try read("loose") == "can be written by others; its mode must be 0600")
    }
    try folder.write("x", to: "shown", mode: 0o644)
    #expect(try read("shown") == "1 x")
  }

  @Test func whatCannotBeReplacedStays() throws {
    let folder = try TemporaryFolder()
    let directory = try #require(try Self.open(folder.path))
    let file = StateFile(name: "f", directory: directory)
    mkdir(folder.path(of: "f"), 0o700)
    #expect(throws: StorageFault.self) { try file.write([1]) }
    #expect(throws: StorageFault.self) { try file.remove() }
    #expect(folder.names == ["f", "lock"])
    mkdir(folder.path(of: "f.new"), 0o700)
    #expect(throws: StorageFault.self) { try file.write([1]) }
  }

  @Test func oneDaemonAtATimeHasTheDirectory() throws {
    let folder = try TemporaryFolder()
    let path = folder.path(of: "state")
    #expect(Self.fault(path, isMade: false) == "none")
    var first = try Self.open(path)
    #expect(folder.mode(of: "state") == 0o700)
    #expect(first?.isGone == false)
    #expect(Self.fault(path) == "\(path): another daemon keeps its state there")
    #expect(Self.fault(path, isLocked: false) == nil)
    rename(path, folder.path(of: "moved"))
    #expect(first?.isGone == true)
    mkdir(path, 0o700)
    #expect(first?.isGone == true)
    first = nil
    #expect(Self.fault(folder.path(of: "moved"), isMade: false) == nil)
  }

  @Test func aDirectoryThatIsNotPrivateIsRefused() throws {
    let folder = try TemporaryFolder()
    let path = folder.path(of: "state")
    symlink(folder.path, path)
    #expect(Self.fault(path) == "\(path): is not a directory (links are not followed)")
    unlink(path)
    mkdir(path, 0o700)
    chmod(path, 0o750)
    #expect(Self.fault(path) == "\(path): is open to others; its mode must be 0700")
    chmod(path, 0o700)
    mkdir(path + "/lock", 0o700)
    #expect(Self.fault(path) == "\(path)/lock: Is a directory")
    let missing = folder.path(of: "a/b")
    #expect(Self.fault(missing) == "\(missing): there is no \(folder.path)/a")
  }

  /// Only a link is said to be one.
  @Test func whatTheSystemSaysIsTold() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("", to: "f") + "/inner"
    #expect(Self.fault(path, isMade: false) == "\(path): Not a directory")
  }

  /// A disk without room, or with room for a part of it.
  @Test func whatIsWrittenInPartReplacesNothing() async {
    await #expect(processExitsWith: .success) {
      signal(SIGXFSZ, SIG_IGN)
      let folder = try TemporaryFolder()
      let directory = try #require(try Self.open(folder.path))
      let file = StateFile(name: "f", directory: directory)
      try file.write(Array("old".utf8))
      var limit = rlimit()
      let kind = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
      getrlimit(kind, &limit)
      for size: rlim_t in [0, 2] {
        limit.rlim_cur = size
        setrlimit(kind, &limit)
        #expect(throws: StorageFault.self) { try file.write(Array("new".utf8)) }
        #expect(folder.read("f") == "old" && folder.names == ["f", "lock"])
      }
    }
  }
}
