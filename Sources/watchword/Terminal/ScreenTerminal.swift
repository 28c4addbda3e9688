internal import CLinux
internal import Glibc
internal import WatchwordOptions

/// The terminal of a program that draws whole screens and takes single keys.
///
/// What was on it before is there again when the program leaves it. A program that ends has to leave it
/// first.
final class ScreenTerminal {
  private static let home = "\u{1b}[H"
  private static let clearRest = "\u{1b}[K"
  private static let clearBelow = "\u{1b}[J"

  private let descriptor: Descriptor
  /// Before it was entered.
  private var modes: termios?

  /// Nil where none can be drawn on: standard output is something else, or the terminal cannot move its
  /// cursor.
  init?() {
    guard Self.isOutput,
      let descriptor = Descriptor.opened("/dev/tty", O_RDWR | O_NOCTTY), isatty(descriptor.number) == 1
    else { return nil }
    self.descriptor = descriptor
  }

  /// Whether standard output is a terminal that can move its cursor.
  static var isOutput: Bool {
    guard let kind = Environment.value(of: "TERM") else { return false }
    return kind != "dumb" && isatty(STDOUT_FILENO) == 1
  }

  /// The text in place of what is on the terminal, which is never empty in between: nothing flickers.
  static func overwriting(_ text: String) -> String {
    let columns = max(1, Int(caller_window(STDOUT_FILENO).columns))
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      // Behind a line that fills its row the cursor is on its last letter, which would be cleared.
      let isFull = !line.isEmpty && ScreenWidth.columns(of: line) % columns == 0
      return isFull ? String(line) : line + clearRest
    }
    return home + lines.joined(separator: "\r\n") + clearBelow
  }

  /// Whether it shows more than ASCII.
  static var isUnicode: Bool {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap(Environment.value(of:)).first ?? ""
    let name = locale.lowercased()
    return name.hasSuffix("utf-8") || name.hasSuffix("utf8")
  }

  /// For waiting.
  var number: Int32 { descriptor.number }

  struct Size {
    var columns = 80
    var rows = 24
  }

  var size: Size {
    let window = caller_window(descriptor.number)
    // A terminal that does not know is as the first ones were.
    guard window.columns > 0, window.rows > 0 else { return Size() }
    return Size(columns: Int(window.columns), rows: Int(window.rows))
  }

  func enter() {
    guard modes == nil else { return }
    var before = termios()
    guard tcgetattr(descriptor.number, &before) == 0 else { return }
    modes = before
    var raw = before
    raw.c_lflag &= ~tcflag_t(ECHO | ICANON | ISIG | IEXTEN)
    raw.c_iflag &= ~tcflag_t(IXON | ICRNL)
    withUnsafeMutableBytes(of: &raw.c_cc) { ($0[Int(VMIN)], $0[Int(VTIME)]) = (1, 0) }
    tcsetattr(descriptor.number, TCSAFLUSH, &raw)
    // The other screen, without a cursor, and without lines that go on in the next one.
    show("\u{1b}[?1049h\u{1b}[?25l\u{1b}[?7l")
  }

  func leave() {
    guard var before = modes else { return }
    modes = nil
    tcsetattr(descriptor.number, TCSAFLUSH, &before)
    show("\u{1b}[?7h\u{1b}[?25h\u{1b}[?1049l")
  }

  /// In one write, over what is there: nothing flickers. The first line is bold, and the last one marked,
  /// unless the user wants plain letters (no-color.org).
  ///
  /// - Parameter lines: shorter than a row.
  func draw(_ lines: [String]) {
    let isPlain = Environment.value(of: "NO_COLOR") != nil
    let marked = lines.enumerated().map { place, line in
      guard !isPlain, place == 0 || place == lines.count - 1 else { return line + Self.clearRest }
      return "\u{1b}[\(place == 0 ? 1 : 7)m\(line)\u{1b}[m" + Self.clearRest
    }
    show(Self.home + marked.joined(separator: "\r\n") + Self.clearBelow)
  }

  /// The bytes that were typed; nil when there can be no more.
  func typed() -> ArraySlice<UInt8>? {
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = read(descriptor.number, &bytes, bytes.count)
    if count < 0, errno == EINTR { return [] }
    return count > 0 ? bytes.prefix(count) : nil
  }

  func show(_ text: String) { Output.write(text, to: descriptor.number) }
}
