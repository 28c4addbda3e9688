internal import CLinux
internal import Glibc
internal import WatchwordCore
internal import WatchwordPrimitives
internal import WatchwordProtocol
internal import WatchwordReactor

/// The journal to which the administrator has the histories of all accounts added, one record each.
///
/// A datagram is sent or dropped at once: a journal that is full or missing holds nothing. What is dropped is counted.
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
