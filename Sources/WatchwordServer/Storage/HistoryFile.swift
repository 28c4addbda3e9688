internal import CLinux
internal import Glibc
internal import WatchwordCore
internal import WatchwordJSON
internal import WatchwordMessages
internal import WatchwordProtocol
internal import WatchwordReactor
internal import WatchwordVocabulary

/// The file to which the administrator has the histories of all accounts added, one JSON object a line.
///
/// Nothing waits for it. Lines are made and written off the loop; what cannot be written is counted and
/// forgotten.
@ReactorActor
final class HistoryFile {
  /// Entries that wait to be written; a disk that hangs holds no more.
  private static let waiting = 4096
  /// A full file is renamed; with the previous one twice as much.
  private nonisolated static let bytes = 16 * 1024 * 1024

  private struct Line: Sendable {
    let uid: UInt32
    let entry: HistoryEntry
  }

  private let path: String
  private let counters: Counters
  private let complain: (String) -> Void
  private var lines: [Line] = []
  private(set) var isWriting = false
  /// The fault of the last write; each is told once.
  private var fault: String?
  private static let pool = BlockingPool(threads: 1)

  init(path: String, counters: Counters, complain: @escaping (String) -> Void) {
    self.path = path
    self.counters = counters
    self.complain = complain
  }

  func add(_ entry: HistoryEntry, of uid: UInt32) {
    guard lines.count < HistoryFile.waiting else {
      counters.historyUnwritten += 1
      return
    }
    lines.append(Line(uid: uid, entry: entry))
    write()
  }

  private func write() {
    guard !isWriting, !lines.isEmpty else { return }
    isWriting = true
    let batch = lines
    lines = []
    HistoryFile.pool.submit { [path] in
      HistoryFile.write(batch, to: path)
    } then: { [self] new in
      isWriting = false
      if let new {
        counters.historyUnwritten += batch.count
        if new != fault { complain(new) }
      }
      fault = new
      write()
    }
  }

  /// Returns why the lines could not be written, or nil.
  private nonisolated static func write(_ lines: [Line], to path: String) -> String? {
    var text: [UInt8] = []
    for line in lines {
      text += JSONWriter.text {
        $0.beginObject()
        $0.member("uid", Int(line.uid))
        line.entry.sent.writeMembers(to: &$0)
        $0.endObject()
      }
      text.append(UInt8(ascii: "\n"))
    }
    var information = stat()
    if lstat(path, &information) == 0, information.st_size > bytes { rename(path, path + ".1") }
    // Opened for each batch, so that the file can be rotated at any time.
    let flags = O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY
    let descriptor = open(path, flags, 0o600)
    guard descriptor >= 0 else { return "\(path): \(String(cString: strerror(errno)))" }
    defer { close(descriptor) }
    guard fstat(descriptor, &information) == 0, information.st_mode & S_IFMT == S_IFREG else {
      return "\(path): is not a regular file"
    }
    let isWritten = text.withUnsafeBytes { SystemCall.write($0, to: descriptor) }
    return isWritten ? nil : "\(path): \(String(cString: strerror(errno)))"
  }
}

/// The journal to which the administrator has the histories of all accounts added, one record each.
///
/// A datagram is sent or dropped at once: a journal that is full or missing holds nothing. What is dropped is
/// counted.
@ReactorActor
final class HistoryJournal {
  private let path: String
  private let counters: Counters
  private let complain: (String) -> Void
  private let descriptor = clinux_datagram_socket()
  /// The fault of the last record; each is told once.
  private var fault: Int32 = 0

  /// - Parameter path: of the journal's socket, of at most 107 bytes.
  init(path: String, counters: Counters, complain: @escaping (String) -> Void) {
    self.path = path
    self.counters = counters
    self.complain = complain
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  func add(_ entry: HistoryEntry, of uid: UInt32) {
    let record = entry.journalRecord(uid: uid).octets
    let isSent = record.withUnsafeBytes { bytes in
      bytes.baseAddress.map { clinux_send_datagram(descriptor, path, $0, bytes.count) } ?? false
    }
    let new = isSent ? 0 : errno
    if !isSent {
      counters.historyUnwritten += 1
      if new != fault { complain("\(path): \(String(cString: strerror(new)))") }
    }
    fault = new
  }
}
