internal import CLinux
internal import Glibc

/// One line on the terminal about a long body, of the request or then of the response: bytes, size, speed,
/// remaining time.
final class Progress {
  /// A shorter fetch needs no line.
  private static let quietSeconds = 1.0
  private static let intervalSeconds = 0.25

  var received = 0
  var total: Int?
  /// Bytes of the request's body, until a response comes.
  var sent: Int?
  var sentTotal: Int?
  private let began = MonotonicClock.seconds
  private var shown = 0.0
  private var isVisible = false

  /// nil when standard error is no terminal, or when the body itself is on it.
  init?(beside target: BodyTarget) {
    guard isatty(STDERR_FILENO) == 1, !target.showsOnTerminal else { return nil }
  }

  let patienceMilliseconds = Int32(Progress.intervalSeconds * 1000)

  /// Draws the line when it is due; true when fresh figures are needed.
  func isDue() -> Bool {
    let now = MonotonicClock.seconds
    guard now - began >= Self.quietSeconds, now - shown >= Self.intervalSeconds else { return false }
    shown = now
    draw(after: now - began)
    return true
  }

  /// Clears the line.
  func clear() {
    guard isVisible else { return }
    isVisible = false
    Diagnostics.write("\r\u{1b}[K")
  }

  private func draw(after seconds: Double) {
    let (count, total) = sent.map { ($0, sentTotal) } ?? (received, self.total)
    let speed = Double(count) / seconds
    var line = (sent == nil ? "" : "sent ") + Quantity.bytes(count)
    if let total, total > 0 {
      line += " of \(Quantity.bytes(total)), \(Int(Double(count) / Double(total) * 100)) %"
      if speed > 0, total >= count {
        line += ", \(Quantity.seconds(Double(total - count) / speed)) left"
      }
    }
    line += ", \(Quantity.bytes(Int(speed)))/s"
    let columns = Int(caller_window(STDERR_FILENO).columns)
    isVisible = true
    Diagnostics.write("\r\u{1b}[K" + (columns > 1 ? String(line.prefix(columns - 1)) : line))
  }
}
