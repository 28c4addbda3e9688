/// Why a text is not JSON that we take; `offset` is the byte at which that showed.
///
/// Holds nothing of the text itself, which may have been a password.
package enum JSONError: Error, Sendable, Equatable {
  case syntax(offset: Int)
  case invalidUTF8(offset: Int)
  case duplicateMember(offset: Int)
  /// `\u0000`, which C strings downstream would end at, or a zero byte.
  case nullCharacter(offset: Int)
  case numberOutOfRange(offset: Int)
  case tooDeep(limit: Int)
  case stringTooLong(limit: Int)
  case tooManyMembers(limit: Int)
  /// The text ends in the middle, or is empty.
  case incomplete
  case outOfMemory

  /// What was wrong, and where, for a person.
  package var text: String {
    switch self {
    case .syntax(let offset): "invalid JSON at byte \(offset)"
    case .invalidUTF8(let offset): "invalid UTF-8 at byte \(offset)"
    case .duplicateMember(let offset): "duplicate object member at byte \(offset)"
    case .nullCharacter(let offset): "null character at byte \(offset)"
    case .numberOutOfRange(let offset): "number out of range at byte \(offset)"
    case .tooDeep(let limit): "nested deeper than \(limit) levels"
    case .stringTooLong(let limit): "string longer than \(limit) bytes"
    case .tooManyMembers(let limit): "more than \(limit) members or elements"
    case .incomplete: "the JSON text ends too early"
    case .outOfMemory: "out of memory"
    }
  }
}
