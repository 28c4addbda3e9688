/// How many columns of a terminal a text takes.
enum ScreenWidth {
  /// East Asian letters and pictures, which are two columns wide (Unicode Standard Annex 11), in whole
  /// blocks.
  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2E80...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
    0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1FAFF, 0x20000...0x3FFFD,
  ]

  /// The beginning of the text that fits; `…` says that there is more.
  static func fitted(_ text: String, _ columns: Int) -> String {
    var width = 0
    var end = text.startIndex
    // Where the text ends if the mark has to fit, too.
    var marked = text.startIndex
    while end < text.endIndex {
      width += self.columns(of: text[end])
      guard width <= columns else { return text[..<marked] + (columns > 0 ? "…" : "") }
      end = text.index(after: end)
      if width < columns { marked = end }
    }
    return text
  }

  static func columns(of text: some StringProtocol) -> Int { text.reduce(0) { $0 + columns(of: $1) } }

  private static func columns(of character: Character) -> Int {
    guard let first = character.unicodeScalars.first?.value else { return 0 }
    return wide.contains { $0.contains(first) } ? 2 : 1
  }
}
