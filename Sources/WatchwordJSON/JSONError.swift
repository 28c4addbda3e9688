/// Why a text is not JSON that we take; `offset` is how many bytes had been read when that showed.
///
/// Holds nothing of the text itself, which may have been a password. Only an `id` is named, to who sent it.
package enum JSONError: Error, Sendable, Equatable {
  case syntax(offset: Int)
  case invalidUTF8(offset: Int)
  case duplicateMember(offset: Int)
  /// `\u0000`, which C strings downstream would end at, or a zero byte.
  case nullCharacter(offset: Int)
  /// An integer beyond 64 bits, or a number beyond a double.
  case numberOutOfRange(offset: Int)
  case tooDeep(limit: Int)
  case stringTooLong(limit: Int)
  case tooManyMembers(limit: Int)
  /// The text ends in the middle, or is empty.
  case incomplete
  case outOfMemory

  /// What was wrong, and near which byte, for a person.
  package var text: String {
    fault + (offset.map { " near byte \($0)" } ?? "")
  }

  /// What was wrong, and near which byte, for the program that sent the message with these contents.
  package func text(inMessage contents: UnsafeRawBufferPointer) -> String {
    guard case .numberOutOfRange(let offset) = self,
      let number = JSONError.identifier(contents.prefix(offset))
    else { return text }
    return "\(fault): id \(number)"
  }

  /// The first digits of the number at the end of `text`, if it is the value of `id`.
  private static func identifier(_ text: Slice<UnsafeRawBufferPointer>) -> String? {
    let start =
      text.lastIndex { !"+-.eE0123456789".utf8.contains($0) }.map(text.index(after:)) ?? text.startIndex
    let (before, number) = (text[..<start].suffix(64), text[start...])
    guard before.filter({ !" \t\r\n".utf8.contains($0) }).suffix(5).elementsEqual(#""id":"#.utf8) else {
      return nil
    }
    return String(decoding: number.prefix(48), as: UTF8.self) + (number.count > 48 ? "…" : "")
  }

  /// What was wrong, and near which line and column, for the person who wrote the file with these contents.
  package func text(inFile contents: UnsafeRawBufferPointer) -> String {
    guard let offset else { return fault }
    let (line, column) = JSONError.lineAndColumn(of: offset, in: contents)
    return "\(fault) near line \(line), column \(column)"
  }

  /// Where the byte before `offset` is in a file with these contents: lines from 1, columns from 1 in
  /// characters.
  package static func lineAndColumn(
    of offset: Int, in contents: UnsafeRawBufferPointer
  ) -> (line: Int, column: Int) {
    var (line, column) = (1, 0)
    for byte in contents.prefix(offset) {
      if byte == UInt8(ascii: "\n") {
        (line, column) = (line + 1, 0)
      } else if !UTF8.isContinuation(byte) {
        column += 1
      }
    }
    return (line, max(column, 1))
  }

  private var fault: String {
    switch self {
    case .syntax: "invalid JSON"
    case .invalidUTF8: "invalid UTF-8"
    case .duplicateMember: "duplicate object member"
    case .nullCharacter: "null character"
    case .numberOutOfRange: "number out of range"
    case .tooDeep(let limit): "nested deeper than \(limit) levels"
    case .stringTooLong(let limit): "string longer than \(limit) bytes"
    case .tooManyMembers(let limit): "more than \(limit) members or elements"
    case .incomplete: "the JSON text ends too early"
    case .outOfMemory: "out of memory"
    }
  }

  private var offset: Int? {
    switch self {
    case .syntax(let offset), .invalidUTF8(let offset), .duplicateMember(let offset),
      .nullCharacter(let offset), .numberOutOfRange(let offset):
      offset
    case .tooDeep, .stringTooLong, .tooManyMembers, .incomplete, .outOfMemory: nil
    }
  }
}

/// Limits on one text beyond its size, which framing has already limited.
package struct JSONLimits: Sendable {
  /// Our deepest message has seven levels; a limit keeps the recursion of the parser small. At most 64.
  package var nesting = 64
  /// A body sent inline is the longest string; framing limits it further.
  package var stringBytes = 16 * 1024 * 1024
  /// Members and elements in total; header fields are the longest list.
  package var elements = 100_000

  package init() {}
}
