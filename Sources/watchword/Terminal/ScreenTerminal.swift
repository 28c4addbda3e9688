internal import CLinux
internal import Glibc
internal import WatchwordClient

/// The terminal of a program that draws whole screens and takes single keys.
///
/// What was on it before is there again when the program leaves it. A program that ends has to leave it first.
final class ScreenTerminal {
  private let descriptor: Descriptor
  /// Before it was entered.
  private var modes: termios?

  /// Nil where none can be drawn on: standard output is something else, or the terminal cannot move its cursor.
  init?() {
    guard isatty(STDOUT_FILENO) == 1, let kind = SocketPath.environment("TERM"), kind != "dumb",
      let descriptor = Descriptor.opened("/dev/tty", O_RDWR | O_NOCTTY), isatty(descriptor.number) == 1
    else { return nil }
    self.descriptor = descriptor
  }

  /// Whether it shows more than ASCII.
  static var isUnicode: Bool {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap(SocketPath.environment).first ?? ""
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

  /// In one write, over what is there: nothing flickers. The first line is bold, and the last one marked.
  func draw(_ lines: [String]) {
    let marked = lines.enumerated().map { place, line in
      place == 0 ? "\u{1b}[1m\(line)\u{1b}[m" : place == lines.count - 1 ? "\u{1b}[7m\(line)\u{1b}[m" : line
    }
    show("\u{1b}[H" + marked.joined(separator: "\u{1b}[K\r\n") + "\u{1b}[K\u{1b}[J")
  }

  /// The bytes that were typed; nil when there can be no more.
  func typed() -> ArraySlice<UInt8>? {
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = read(descriptor.number, &bytes, bytes.count)
    if count < 0, errno == EINTR { return [] }
    return count > 0 ? bytes.prefix(count) : nil
  }

  func show(_ text: String) {
    var text = text
    text.withUTF8 { _ = Output.write(UnsafeRawBufferPointer($0), to: descriptor.number) }
  }
}
