internal import WatchwordVocabulary

/// curl's patterns in a URL, or in the name of a file to upload: `{one,two}`, `[1-3]`, `[01-10:2]` and
/// `[a-z]`; the last one varies fastest.
///
/// A backslash before a brace or a bracket takes its meaning away. The brackets of an IPv6 address have none.
struct URLPattern {
  /// The most URLs of one pattern: more of them are a mistake, and each takes memory.
  static let most = 10_000

  private enum Piece {
    case text(String)
    case choice([String])
  }

  /// One URL of a pattern, or one file.
  struct Match {
    let text: String
    /// The choices that it was made of: the first one is `#1` in the name of a file.
    let choices: [String]

    /// curl's `-o`: `#1` stands for the first choice of the URL.
    func naming(_ path: String) -> String {
      var name: [UInt8] = []
      var rest = Array(path.utf8)[...]
      while let byte = rest.popFirst() {
        let digits = byte == UInt8(ascii: "#") ? rest.prefix { (0x30...0x39).contains($0) } : []
        if let number = Int(String(decoding: digits, as: UTF8.self)), choices.indices.contains(number - 1) {
          name += choices[number - 1].utf8
          rest = rest.dropFirst(digits.count)
        } else {
          name.append(byte)
        }
      }
      return String(decoding: name, as: UTF8.self)
    }
  }

  private var pieces: [Piece] = []
  private var count = 1

  /// - Parameter text: as `OctetText`, like the URLs that it stands for.
  init(_ text: String) throws(Failure) {
    var rest = Array(text.utf8)[...]
    var literal: [UInt8] = []
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "\\"):
        guard let next = rest.first, Self.isSpecial(next) else {
          literal.append(byte)
          continue
        }
        literal.append(next)
        rest.removeFirst()
      case UInt8(ascii: "["):
        if let end = Self.endOfAddress(rest) {
          literal.append(byte)
          literal += rest[..<end]
          rest = rest[end...]
        } else {
          try add(&literal, try Self.range(&rest, of: text))
        }
      case UInt8(ascii: "{"): try add(&literal, try Self.set(&rest, of: text))
      case UInt8(ascii: "}"), UInt8(ascii: "]"): throw Self.fault("a bracket or brace is not opened", text)
      default: literal.append(byte)
      }
    }
    if !literal.isEmpty { pieces.append(.text(String(decoding: literal, as: UTF8.self))) }
  }

  /// The URLs, in the order in which they are fetched.
  var matches: [Match] {
    var matches = [Match(text: "", choices: [])]
    for piece in pieces {
      switch piece {
      case .text(let text): matches = matches.map { Match(text: $0.text + text, choices: $0.choices) }
      case .choice(let words):
        matches = matches.flatMap { match in
          words.map { Match(text: match.text + $0, choices: match.choices + [$0]) }
        }
      }
    }
    return matches
  }

  private mutating func add(_ literal: inout [UInt8], _ words: [String]) throws(Failure) {
    if !literal.isEmpty { pieces.append(.text(String(decoding: literal, as: UTF8.self))) }
    literal = []
    pieces.append(.choice(words))
    // Both are 10,000 at most.
    count *= words.count
    guard count <= Self.most else { throw .usage("a pattern stands for more than \(Self.most) URLs") }
  }

  private static func isSpecial(_ byte: UInt8) -> Bool { "{}[]".utf8.contains(byte) }

  /// Behind the bracket that ends an IPv6 address; nil when this is none.
  private static func endOfAddress(_ rest: ArraySlice<UInt8>) -> Int? {
    // A zone such as %25eth0 may end it.
    let end = rest.prefix(64).firstIndex(of: UInt8(ascii: "]"))
    guard let end, !rest[..<end].isEmpty else { return end.map { $0 + 1 } }
    let address = rest[..<end].prefix { $0 != UInt8(ascii: "%") }
    let colons = address.count { $0 == UInt8(ascii: ":") }
    let isAddress = address.allSatisfy {
      Hexadecimal.value(ofDigit: $0) != nil || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ".")
    }
    return isAddress && colons >= 2 ? end + 1 : nil
  }

  /// The rest after `{`.
  private static func set(_ rest: inout ArraySlice<UInt8>, of text: String) throws(Failure) -> [String] {
    var words: [String] = []
    var word: [UInt8] = []
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "\\"):
        if let next = rest.first, isSpecial(next) || next == UInt8(ascii: ",") {
          word.append(next)
          rest.removeFirst()
        } else {
          word.append(byte)
        }
      case UInt8(ascii: ","), UInt8(ascii: "}"):
        words.append(String(decoding: word, as: UTF8.self))
        word = []
        guard byte == UInt8(ascii: "}") else { continue }
        guard words != [""] else { throw fault("there is nothing in braces", text) }
        guard words.count <= most else { throw .usage("a pattern stands for more than \(most) URLs") }
        return words
      case UInt8(ascii: "{"), UInt8(ascii: "["): throw fault("a brace has another one in it", text)
      case UInt8(ascii: "]"): throw fault("a bracket is not opened", text)
      default: word.append(byte)
      }
    }
    throw fault("a brace is not closed", text)
  }

  /// The rest after `[`.
  private static func range(_ rest: inout ArraySlice<UInt8>, of text: String) throws(Failure) -> [String] {
    guard let end = rest.firstIndex(of: UInt8(ascii: "]")),
      let words = words(String(decoding: rest[..<end], as: UTF8.self))
    else {
      throw fault("a range is written [1-3], [01-10:2] or [a-z]", text)
    }
    guard words.count <= most else { throw .usage("a pattern stands for more than \(most) URLs") }
    rest = rest[(end + 1)...]
    return words
  }

  /// Nil when it is no range; at most one more than ``most``.
  private static func words(_ range: String) -> [String]? {
    let parts = range.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let ends = parts[0].split(separator: "-", omittingEmptySubsequences: false)
    guard ends.count == 2, let step = parts.count == 2 ? number(parts[1]) : 1, step > 0 else { return nil }
    if let first = letter(ends[0]), let last = letter(ends[1]) {
      guard isLower(first) == isLower(last), first <= last, isStep(step, Int(last - first)) else {
        return nil
      }
      return stride(from: Int(first), through: Int(last), by: step).map {
        String(Unicode.Scalar(UInt8(truncatingIfNeeded: $0)))
      }
    }
    guard let first = number(ends[0]), let last = number(ends[1]), first <= last, isStep(step, last - first)
    else { return nil }
    // As curl: a first number with zeros before it has all of one width.
    let width = ends[0].first == "0" ? ends[0].utf8.count : 0
    return stride(from: first, through: last, by: step).prefix(most + 1).map { value in
      let digits = String(value)
      return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }
  }

  /// As curl: no step leads beyond the end.
  private static func isStep(_ step: Int, _ length: Int) -> Bool { length == 0 ? step == 1 : step <= length }

  private static func number(_ text: Substring) -> Int? {
    guard !text.isEmpty, text.utf8.count <= 18, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
      return nil
    }
    return Int(text)
  }

  private static func letter(_ text: Substring) -> UInt8? {
    guard let byte = text.utf8.first, text.utf8.count == 1, ASCIICase.isLetter(byte) else { return nil }
    return byte
  }

  private static func isLower(_ letter: UInt8) -> Bool { letter == ASCIICase.lower(letter) }

  private static func fault(_ reason: String, _ text: String) -> Failure {
    .usage(
      "\(DisplayText.escaped(text)): \(reason)",
      hint: "-g takes the URL as it is; a backslash before a bracket or a brace takes its meaning away")
  }
}

/// curl's `--proto` and `--proto-redir`: which of http and https a fetch may use.
struct URLSchemes {
  private static let all: Set<String> = ["http", "https"]

  private var first = all
  private var redirects = all

  /// curl's lists: `=https`, `-all,https`, `+http`.
  mutating func allow(_ list: String) throws(Failure) {
    first = try Self.changed(first, by: list, "--proto")
  }

  /// A redirect from https to http is refused anyway, and one to https cannot be.
  mutating func allowRedirects(_ list: String) throws(Failure) {
    redirects = try Self.changed(Self.all, by: list, "--proto-redir")
    guard redirects.contains("https") else {
      throw .usage("--proto-redir needs https", hint: "without -L no redirect is followed")
    }
  }

  /// As curl, whose exit code is the same.
  func check(_ url: String, followsRedirects: Bool) throws(Failure) {
    guard !followsRedirects || first.contains("https") else {
      throw .usage("--proto without https and -L exclude each other: a redirect to https is followed")
    }
    let isSecure = url.asciiLowercased.utf8.starts(with: "https:".utf8)
    guard !followsRedirects || isSecure || redirects.contains("http") else {
      throw .usage(
        "--proto-redir without http, and -L, go with an https URL: a redirect from http to http is followed")
    }
    for scheme in Self.all where url.asciiLowercased.utf8.starts(with: "\(scheme):".utf8) {
      guard first.contains(scheme) else { throw Failure("--proto does not allow \(scheme)") }
    }
  }

  private static func changed(
    _ schemes: Set<String>, by list: String, _ option: String
  ) throws(Failure) -> Set<String> {
    var schemes = schemes
    for word in list.utf8.split(separator: UInt8(ascii: ",")) {
      let sign = word.first
      let isSigned = sign == UInt8(ascii: "=") || sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+")
      let name = String(Substring(isSigned ? word.dropFirst() : word)).asciiLowercased
      let named: Set<String> = name == "all" ? all : all.intersection([name])
      switch sign {
      case UInt8(ascii: "="): schemes = named
      case UInt8(ascii: "-"): schemes.subtract(named)
      default: schemes.formUnion(named)
      }
    }
    guard !schemes.isEmpty else {
      throw .usage("\(option) leaves neither http nor https", hint: "there is no other protocol")
    }
    return schemes
  }
}
