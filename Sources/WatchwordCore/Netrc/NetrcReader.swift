package import WatchwordVocabulary

/// The users and passwords of a netrc file, by host (messages.md 14.7).
package struct Netrc: Sendable, Equatable {
  package struct HostLogin: Sendable, Equatable {
    /// Lowercased; compared exactly with the host of an origin.
    package let machine: String
    package let user: String
    package let password: Secret
  }

  /// As the caller gave it.
  package let text: Secret
  /// Those that have a user and a password, in their order. What follows `default` is for no host that it
  /// names, and is left out.
  package let entries: [HostLogin]
  /// Lines with words that mean nothing and were passed over: the first of them.
  package let unknownLines: [Int]

  static let maximumUnknownLines = 16

  package init(text: Secret) throws(NetrcFault) {
    self.text = text
    var reader = NetrcReader()
    entries = try text.withBytes { (bytes) throws(NetrcFault) in try reader.read(bytes) }
    unknownLines = reader.unknownLines
  }

  /// Its entries are copies of what is in the text; each has two texts and a secret.
  package var heldBytes: Int { 2 * text.count + entries.count * 3 * HeldBytes.text(0) }

  package static func == (left: Netrc, right: Netrc) -> Bool { left.text == right.text }
}

/// Reads the text of a netrc file, in one pass.
///
/// The words are `machine NAME`, `default`, `login NAME`, `password WORD`, `account WORD` and `macdef NAME`,
/// which reaches to the next empty line. Words are separated by white space; one that begins with `"` ends at
/// the next `"` and may have `\"`, `\\`, `\n`, `\r` and `\t` in it, as curl reads it. `#` in place of a word
/// that has a meaning begins a comment, up to the end of the line; a value may begin with it. A byte order
/// mark is skipped, and so are other words.
struct NetrcReader {
  /// The machine whose words are being read; nil before the first one.
  private enum Place {
    case machine(String)
    case everyOther
  }

  private var rest = UnsafeRawBufferPointer(start: nil, count: 0)[...]
  private var line = 1
  private var place: Place?
  private var user: String?
  private var password: Secret?
  private var entries: [Netrc.HostLogin] = []
  /// Lines with words that mean nothing: the first of them.
  private(set) var unknownLines: [Int] = []

  mutating func read(_ bytes: UnsafeRawBufferPointer) throws(NetrcFault) -> [Netrc.HostLogin] {
    rest = bytes[...]
    if rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest.removeFirst(3) }
    while skipSpace() {
      if rest.first == UInt8(ascii: "#") {
        rest = rest.drop { $0 != UInt8(ascii: "\n") }
        continue
      }
      guard let word = try word() else { break }
      switch word.plainText {
      case "machine":
        close()
        place = .machine(try value().checkedText(line).asciiLowercased)
      case "default":
        close()
        place = .everyOther
      case "login":
        try requireMachine()
        user = try value().checkedText(line)
      case "password":
        try requireMachine()
        password = try value()
      case "account":
        try requireMachine()
        _ = try value()
      case "macdef":
        _ = try value()
        skipMacro()
      default: noteUnknown()
      }
    }
    close()
    return entries
  }

  /// Other programs have words of their own; curl passes over them, too.
  private mutating func noteUnknown() {
    if unknownLines.last != line, unknownLines.count < Netrc.maximumUnknownLines { unknownLines.append(line) }
  }

  /// The words of a machine are complete.
  private mutating func close() {
    if case .machine(let name) = place, let user, let password {
      entries.append(Netrc.HostLogin(machine: name, user: user, password: password))
    }
    (user, password) = (nil, nil)
  }

  private func requireMachine() throws(NetrcFault) {
    if place == nil { throw NetrcFault(kind: .outsideMachine, line: line) }
  }

  private mutating func value() throws(NetrcFault) -> Secret {
    let begun = line
    guard skipSpace(), let word = try word() else { throw NetrcFault(kind: .valueMissing, line: begun) }
    return word
  }

  /// False at the end. Comments are white space.
  private mutating func skipSpace() -> Bool {
    var isAtStart = rest.startIndex == 0
    while let byte = rest.first {
      switch byte {
      case UInt8(ascii: "\n"):
        line += 1
        isAtStart = true
        rest.removeFirst()
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"): rest.removeFirst()
      case UInt8(ascii: "#") where isAtStart: rest = rest.drop { $0 != UInt8(ascii: "\n") }
      default: return true
      }
    }
    return false
  }

  /// The next word, which may be a secret.
  private mutating func word() throws(NetrcFault) -> Secret? {
    guard rest.first == UInt8(ascii: "\"") else {
      let word = rest.prefix { $0 > 0x20 }
      rest = rest.dropFirst(word.count)
      // A control character that is no white space.
      guard !word.isEmpty else { throw NetrcFault(kind: .notText, line: line) }
      return Secret(copying: UnsafeRawBufferPointer(rebasing: word))
    }
    rest.removeFirst()
    return try quoted()
  }

  private mutating func quoted() throws(NetrcFault) -> Secret {
    let begun = line
    // As long as the word in quotes or longer; what is not filled is cut off.
    var ending: Int?
    var isEscaped = false
    for (index, byte) in zip(rest.indices, rest) {
      if isEscaped {
        isEscaped = false
      } else if byte == UInt8(ascii: "\\") {
        isEscaped = true
      } else if byte
        == UInt8(
          ascii: "\"")
      {
        ending = index
        break
      }
    }
    guard let ending else { throw NetrcFault(kind: .openQuote, line: begun) }
    let body = rest[..<ending]
    rest = rest[(ending + 1)...]
    line += body.count { $0 == UInt8(ascii: "\n") }
    let count = body.count - NetrcReader.escapes(in: body)
    return Secret(count: count) { target in
      var written = 0
      var isEscaped = false
      for byte in body {
        if !isEscaped, byte == UInt8(ascii: "\\") {
          isEscaped = true
          continue
        }
        target[written] = isEscaped ? NetrcReader.meaning(of: byte) : byte
        written += 1
        isEscaped = false
      }
    }
  }

  private static func escapes(in body: Slice<UnsafeRawBufferPointer>) -> Int {
    var count = 0
    var isEscaped = false
    for byte in body {
      isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
      if isEscaped { count += 1 }
    }
    return count
  }

  private static func meaning(of byte: UInt8) -> UInt8 {
    switch byte {
    case UInt8(ascii: "n"): UInt8(ascii: "\n")
    case UInt8(ascii: "r"): UInt8(ascii: "\r")
    case UInt8(ascii: "t"): UInt8(ascii: "\t")
    default: byte
    }
  }

  /// To the next empty line.
  private mutating func skipMacro() {
    var isEmpty = false
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "\n") else {
        if byte != UInt8(ascii: "\r") { isEmpty = false }
        continue
      }
      line += 1
      if isEmpty { return }
      isEmpty = true
    }
  }
}

extension Secret {
  /// A word of the grammar or a name, which is no secret; nil if it is no text.
  fileprivate var plainText: String? { withBytes { String(validating: $0, as: UTF8.self) } }

  fileprivate func checkedText(_ line: Int) throws(NetrcFault) -> String {
    guard !containsControlCharacter, let text = plainText else {
      throw NetrcFault(kind: .notText, line: line)
    }
    return text
  }
}

/// Where a netrc file is malformed, and how. Holds nothing of the file, which is secret.
package struct NetrcFault: Error, Sendable, Equatable {
  package enum Kind: String, Sendable {
    case valueMissing = "a value is missing"
    case outsideMachine = "no machine before it"
    case openQuote = "a quote is not closed"
    case notText = "not UTF-8, or a control character"
  }

  package let kind: Kind
  /// From 1.
  package let line: Int
}
