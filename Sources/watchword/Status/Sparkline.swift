/// Values as a line of small bars.
struct Sparkline {
  private static let blocks: [Character] = [" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]
  private static let letters: [Character] = [" ", ".", ":", "-", "=", "+", "*", "#", "@"]

  /// Whether the terminal shows more than ASCII.
  let hasBlocks: Bool

  /// The last values, the last one on the right; one above 0 is seen.
  ///
  /// - Parameter largest: a whole bar; nil: the largest value that is shown.
  func text(of values: [Double], columns: Int, largest: Double? = nil) -> String {
    let shown = values.suffix(max(0, columns))
    let largest = largest ?? shown.max() ?? 0
    let bars = hasBlocks ? Self.blocks : Self.letters
    let line = shown.map { value in
      guard largest > 0, value > 0 else { return bars[0] }
      return bars[min(bars.count - 1, max(1, Int((value / largest * Double(bars.count - 1)).rounded())))]
    }
    return String(repeating: " ", count: max(0, columns - shown.count)) + String(line)
  }
}
