/// Keys in the bytes of a terminal, whose sequences may come in pieces.
struct KeyReader {
  private static let sequences: [String: WatchScreen.Key] = [
    "[A": .up, "[B": .down, "OA": .up, "OB": .down, "[5~": .pageUp, "[6~": .pageDown,
    "[H": .first, "OH": .first, "[1~": .first, "[7~": .first,
    "[F": .last, "OF": .last, "[4~": .last, "[8~": .last,
  ]
  /// What no terminal sends is longer.
  private static let longest = 16

  /// Behind an escape byte; nil: none has come.
  private var pending: [UInt8]?

  /// Bytes that are no key are passed over.
  mutating func keys(in bytes: some Sequence<UInt8>) -> [WatchScreen.Key] {
    bytes.compactMap { key(of: $0) }
  }

  /// No time ends a sequence, as a slow line has it in pieces. The escape key alone is followed by a key of its own, which is
  /// told from a sequence: that goes on with `[` or `O`, which are no keys here.
  private mutating func key(of byte: UInt8) -> WatchScreen.Key? {
    guard byte != 0x1B else {
      pending = []
      return nil
    }
    // A control character is in no sequence.
    guard var sequence = pending, byte >= 0x20 else { return other(byte) }
    guard !sequence.isEmpty || byte == UInt8(ascii: "[") || byte == UInt8(ascii: "O") else {
      return other(byte)
    }
    sequence.append(byte)
    // A letter or ~ ends it.
    let isEnd = sequence.count > 1 && (0x40...0x7E).contains(byte)
    pending = isEnd || sequence.count >= Self.longest ? nil : sequence
    return isEnd ? Self.sequences[String(decoding: sequence, as: UTF8.self)] : nil
  }

  /// Of a byte outside of a sequence.
  private mutating func other(_ byte: UInt8) -> WatchScreen.Key? {
    pending = nil
    return switch byte {
    case UInt8(ascii: "k"): .up
    case UInt8(ascii: "j"): .down
    case UInt8(ascii: "b"): .pageUp
    case UInt8(ascii: " "): .pageDown
    case UInt8(ascii: "g"): .first
    case UInt8(ascii: "G"): .last
    case UInt8(ascii: "s"): .sort
    case UInt8(ascii: "a"): .answer
    case 0x0C: .redraw
    case 0x1A: .stop
    case UInt8(ascii: "q"), 0x03, 0x04: .quit
    default: nil
    }
  }
}
