import Glibc
import Testing
import WatchwordCore
import WatchwordReactor
import WatchwordTestSupport
import WatchwordVocabulary

@testable import WatchwordServer

/// The histories of all accounts, for the administrator (administrator.md 15.2).
struct HistoryFileTests {
  init() { LoopThread.started }

  @ReactorActor private final class Scene {
    let folder: TemporaryFolder
    let counters = Counters()
    var complaints: [String] = []
    private(set) lazy var file = HistoryFile(path: folder.path(of: "h"), counters: counters) {
      [unowned self] in complaints.append($0)
    }

    init() throws { folder = try TemporaryFolder() }

    func lines() -> [Substring] { folder.read("h")?.split(separator: "\n") ?? [] }

    func add(_ user: String) {
      var entry = HistoryEntry(.accepted, at: 0)
      entry.user = user
      file.add(entry, of: 5)
    }
  }

  @Test @ReactorActor func eachEntryIsALine() async throws {
    let scene = try Scene()
    for user in ["ann", "joe", "sue"] { scene.add(user) }
    await DaemonScene.until { scene.lines().count == 3 }
    #expect(scene.lines()[0].hasPrefix(#"{"uid":5,"time":"1970-01-01T00:00:00Z","outcome":"accepted""#))
    #expect(scene.folder.mode(of: "h") == 0o600 && scene.complaints.isEmpty)
    #expect(scene.counters.historyUnwritten == 0)
  }

  @Test @ReactorActor func aFullFileIsPutAside() async throws {
    let scene = try Scene()
    let most = 16 * 1024 * 1024
    try scene.folder.write("", to: "h")
    truncate(scene.folder.path(of: "h"), most)
    scene.add("ann")
    var information = stat()
    await DaemonScene.until {
      stat(scene.folder.path(of: "h"), &information) == 0 && information.st_size > most
    }
    #expect(scene.folder.names == ["h"])
    scene.add("joe")
    await DaemonScene.until { scene.folder.names == ["h", "h.1"] && scene.lines().count == 1 }
    #expect(scene.lines()[0].contains("joe"))
  }

  @Test @ReactorActor func aFaultIsToldOnce() async throws {
    let scene = try Scene()
    mkdir(scene.folder.path(of: "h"), 0o700)
    for _ in 0..<2 {
      let before = scene.counters.historyUnwritten
      scene.add("ann")
      await DaemonScene.until { scene.counters.historyUnwritten == before + 1 }
    }
    #expect(scene.complaints == ["\(scene.folder.path(of: "h")): Is a directory"])
    rmdir(scene.folder.path(of: "h"))
    mkfifo(scene.folder.path(of: "h"), 0o600)
    let reader = open(scene.folder.path(of: "h"), O_RDONLY | O_NONBLOCK)
    scene.add("ann")
    await DaemonScene.until { scene.counters.historyUnwritten == 3 }
    #expect(scene.complaints.last == "\(scene.folder.path(of: "h")): is not a regular file")
    close(reader)
    unlink(scene.folder.path(of: "h"))
    scene.add("joe")
    await DaemonScene.until { scene.lines().count == 1 }
    mkdir(scene.folder.path(of: "x"), 0o700)
    #expect(scene.counters.historyUnwritten == 3 && scene.complaints.count == 2)
  }

  /// A disk that hangs holds no more.
  @Test @ReactorActor func soManyEntriesWait() async throws {
    let scene = try Scene()
    func size() -> Int {
      var information = stat()
      return stat(scene.folder.path(of: "h"), &information) == 0 ? Int(information.st_size) : 0
    }
    scene.add("ann")
    // The file may have its line before the loop hears of it.
    await DaemonScene.until { size() > 0 && scene.lines().count == 1 && !scene.file.isWriting }
    let line = size()
    // The first is being written, and the rest waits.
    for _ in 0..<4097 { scene.add("ann") }
    #expect(scene.counters.historyUnwritten == 0)
    scene.add("ann")
    #expect(scene.counters.historyUnwritten == 1)
    await DaemonScene.until { size() == 4098 * line }
  }

  @Test @ReactorActor func theJournalGetsARecordOfEach() throws {
    let folder = try TemporaryFolder()
    let counters = Counters()
    var complaints: [String] = []
    let path = folder.path(of: "j")
    let journal = HistoryJournal(path: path, counters: counters) { complaints.append($0) }
    for number in 1...2 {
      journal.add(HistoryEntry(.accepted, at: 0), of: 5)
      #expect(counters.historyUnwritten == number)
    }
    #expect(complaints == ["\(path): No such file or directory"])
    let receiver = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
    defer { close(receiver) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
    let isBound = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(receiver, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
      }
    }
    #expect(isBound)
    journal.add(HistoryEntry(.accepted, at: 0), of: 5)
    var room = [UInt8](repeating: 0, count: 4096)
    let count = recv(receiver, &room, room.count, Int32(MSG_DONTWAIT))
    #expect(count > 0 && String(decoding: room.prefix(max(0, count)), as: UTF8.self).contains("accepted"))
    #expect(counters.historyUnwritten == 2 && complaints.count == 1)
    unlink(path)
    journal.add(HistoryEntry(.accepted, at: 0), of: 5)
    #expect(complaints.count == 2)
  }

  @Test @ReactorActor func eachUIDHasItsHistory() {
    let counters = Counters()
    let histories = CredentialHistories(file: nil, journal: nil, counters: counters)
    histories.record(HistoryEntry(.accepted, at: 1), of: 1)
    histories.record(HistoryEntry(.restricted, at: 2), of: 1)
    histories.record(HistoryEntry(.locked, at: 3), of: 2)
    #expect(histories.count(of: 1) == 2 && histories.count(of: 2) == 1 && histories.count(of: 3) == 0)
    #expect(counters.restrictionViolations == 1 && counters.historyEntries == 3)
    #expect(histories.latest(1, of: 1) { _ in true }.map(\.outcome) == [.restricted])
    #expect(histories.latest(9, of: 1) { $0.outcome == .accepted }.count == 1)
    #expect(histories.latest(9, of: 3) { _ in true }.isEmpty)
  }
}
