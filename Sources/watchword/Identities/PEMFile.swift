internal import WatchwordVocabulary

/// A file of certificates or revocation lists that a session is given.
enum PEMFile {
  /// Its PEM blocks.
  static func text(of path: String) throws(Failure) -> String {
    let file = Secret(try InputFile.contents(of: path))
    guard let text = PEMBlocks.text(in: file, { _ in true }) else {
      throw Failure("\(DisplayText.escaped(path)): a PEM block is not ASCII")
    }
    guard !text.isEmpty else { throw .usage("\(DisplayText.escaped(path)): there is no PEM block") }
    return text
  }
}

/// The blocks of a PEM file (RFC 7468). What is beside them is for people, in any encoding: names of the
/// certificates, a byte order mark, also where two files were put together.
enum PEMBlocks {
  private static let begin = "-----BEGIN "
  private static let end = "-----END "
  private static let dashes = "-----"

  /// The blocks whose labels `isWanted`, one behind the other.
  static func secret(in file: Secret, _ isWanted: (Slice<UnsafeRawBufferPointer>) -> Bool) -> Secret {
    file.withBytes { bytes in
      var lines: [Secret] = []
      var isInside = false
      // An empty line ends the headers of a block (RFC 1421 §4.4).
      let whole = bytes.last == UInt8(ascii: "\n") ? bytes.dropLast() : bytes[...]
      for line in whole.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
        let start = start(of: line)
        if let start { isInside = isWanted(label(of: line[start...])) }
        let text = line[(start ?? line.startIndex)...]
        if isInside { lines += [Secret(copying: UnsafeRawBufferPointer(rebasing: text)), Secret("\n".utf8)] }
        if line.starts(with: end.utf8) { isInside = false }
      }
      return Secret(joining: lines)
    }
  }

  /// The same of what is no secret; nil when a block is not ASCII, as RFC 7468 §3 wants it: a repaired one
  /// would be another.
  static func text(in file: Secret, _ isWanted: (Slice<UnsafeRawBufferPointer>) -> Bool) -> String? {
    secret(in: file, isWanted).withBytes {
      $0.allSatisfy { $0 < 0x80 } ? String(validating: $0, as: UTF8.self) : nil
    }
  }

  /// Where the first line of a block begins, behind a byte order mark.
  private static func start(of line: Slice<UnsafeRawBufferPointer>) -> Int? {
    let text = line.starts(with: [0xEF, 0xBB, 0xBF]) ? line.dropFirst(3) : line
    return text.starts(with: begin.utf8) ? text.startIndex : nil
  }

  private static func label(of line: Slice<UnsafeRawBufferPointer>) -> Slice<UnsafeRawBufferPointer> {
    let label = line.dropFirst(begin.utf8.count)
    let end = label.last == UInt8(ascii: "\r") ? label.dropLast() : label
    return end.suffix(dashes.utf8.count).elementsEqual(dashes.utf8)
      ? end.dropLast(dashes.utf8.count) : end.prefix(0)
  }
}
