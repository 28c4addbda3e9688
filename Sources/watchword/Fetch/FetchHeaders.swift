internal import WatchwordVocabulary

/// The header fields of the request, from curl's notations.
///
/// Values are `OctetText`. As with curl, a field of `-H` precedes one of a dedicated option, and the last use
/// of such an option counts.
struct FetchHeaders {
  private var written: [(name: String, value: String)] = []
  private var chosen: [(name: String, value: String)] = []
  /// Names, lowercased, that the caller excludes.
  private var unwanted: Set<String> = []
  /// Whether an argument contained a secret.
  private(set) var showsSecret = false

  var fields: [(name: String, value: String)] {
    written
      + chosen.filter { field in
        let name = field.name.asciiLowercased
        return !unwanted.contains(name) && !written.contains { $0.name.asciiLowercased == name }
      }
  }

  /// As the daemon takes them, with others after them; nil: none.
  func sent(with others: [(name: String, value: String)] = []) -> [HeaderField]? {
    let all = fields + others
    return all.isEmpty ? nil : all.map { HeaderField($0.name, given: OctetText.octets(of: $0.value)) }
  }

  /// Fields that carry a secret by their standard.
  private static let secretNames: Set<String> = [
    "authorization", "proxy-authorization", "cookie", "cookie2", "set-cookie", "set-cookie2",
  ]
  /// What the names of other fields with a secret have, as `Private-Token` and `X-Api-Key`.
  private static let secretWords = [
    "token", "secret", "password", "apikey", "api-key", "api_key", "access-key", "auth-key",
    "subscription-key",
  ]

  /// Whether a field's value is not printed.
  static func isSecret(_ name: String) -> Bool {
    let name = name.asciiLowercased
    return secretNames.contains(name) || secretWords.contains { name.containsBytes(of: $0) }
  }

  /// Fields that the daemon adds to every request without them.
  private static let inevitableNames: Set<String> = ["accept", "host"]

  /// `Name: value`, `Name;` for an empty one, `Name:` for none, or `@FILE` with such lines.
  mutating func add(_ argument: String) throws(Failure) {
    guard argument.utf8.first == UInt8(ascii: "@") else {
      let count = written.count
      try addLine(argument[...])
      if written.count > count, let name = written.last?.name, Self.isSecret(name) { showsSecret = true }
      return
    }
    let bytes = try InputFile.contents(of: String(Substring(argument.utf8.dropFirst())))
    for line in bytes.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
      try addLine(Substring(OctetText.text(of: Array(line))))
    }
  }

  /// Split by bytes: to Swift, a colon and a combining mark after it are one character.
  private mutating func addLine(_ line: Substring) throws(Failure) {
    if let colon = line.utf8.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex {
      let name = String(line[..<colon])
      let value = Substring(line.utf8[colon...].dropFirst().drop { $0 == 0x20 || $0 == 0x09 })
      if value.isEmpty {
        guard !Self.inevitableNames.contains(name.asciiLowercased) else {
          throw .usage(
            "\(DisplayText.escaped(name)) cannot be left out: it is in every request",
            hint: "-H \"\(DisplayText.escaped(name));\" sends it empty")
        }
        unwanted.insert(name.asciiLowercased)
      } else {
        written.append((name, String(value)))
      }
    } else if line.utf8.last == UInt8(ascii: ";"), line.utf8.count > 1 {
      written.append((String(Substring(line.utf8.dropLast())), ""))
    } else {
      throw .usage("a header field is written \"Name: value\"")
    }
  }

  /// Sets the field of a dedicated option; an empty value removes it.
  mutating func set(_ name: String, _ value: String) {
    chosen.removeAll { $0.name == name }
    if !value.isEmpty { chosen.append((name, value)) }
  }

  /// Several cookies are joined in one field.
  mutating func addCookie(_ cookie: String) {
    showsSecret = true
    let others = chosen.first { $0.name == "Cookie" }.map { $0.value + "; " } ?? ""
    set("Cookie", others + cookie)
  }

  /// Sets a default field, unless the caller has set or excluded it.
  mutating func setDefault(_ name: String, _ value: String) {
    let lowercased = name.asciiLowercased
    guard !unwanted.contains(lowercased), !contains(lowercased) else { return }
    set(name, value)
  }

  /// Adds a parameter to the caller's own field called `name`, given in lower case.
  mutating func add(_ parameter: String, toGiven name: String) {
    for index in written.indices where written[index].name.asciiLowercased == name {
      written[index].value += "; \(parameter)"
    }
  }

  /// Whether there is a field called `name`, given in lower case.
  func contains(_ name: String) -> Bool { fields.contains { $0.name.asciiLowercased == name } }
}
