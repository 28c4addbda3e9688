internal import WatchwordJSON
internal import WatchwordOptions
internal import WatchwordProtocol

/// Finds where a value stands in a JSON text, for the errors of what read it.
///
/// The text has been parsed: this only looks where its values begin and end. In a text that is no JSON it
/// finds less, and never reads beyond the end.
struct JSONPlace {
  /// A member of an object on the way to a place.
  struct Step: Equatable {
    /// As `ParameterReader` names it.
    let path: String
    let name: String
    /// The path of the object that has it; `[]` for an element, `*` for a member of an object of chosen
    /// names.
    let object: String
    /// Its own path in this form.
    let pattern: String
    /// Of the first quotation mark of its name.
    let start: Int
    /// Behind its value.
    var end: Int
  }

  /// An element or the text itself: what members are in.
  private struct Place {
    var path: String
    var pattern: String
  }

  private let bytes: [UInt8]
  private let target: String
  private var next = 0
  /// The members from the outermost to the one that the target names, or to the last that is there.
  private(set) var steps: [Step] = []
  /// The names of the members of the innermost object on the way.
  private(set) var names: [String]?

  init(of target: String, in bytes: [UInt8]) {
    self.bytes = bytes
    self.target = target
    value(Place(path: "", pattern: ""))
  }

  private func leads(_ path: String) -> Bool {
    target == path || target.hasPrefix(path + ".") || target.hasPrefix(path + "[")
  }

  // MARK: Values

  /// - Parameter place: of a value that leads to the target; nil of another one.
  private mutating func value(_ place: Place?) {
    switch peek() {
    case UInt8(ascii: "{"): object(place)
    case UInt8(ascii: "["): array(place)
    case UInt8(ascii: "\""): _ = string()
    default:
      while let byte = current, !",]} \t\r\n".utf8.contains(byte) { next += 1 }
    }
  }

  private mutating func object(_ place: Place?) {
    next += 1
    let first = steps.count
    var own: [String] = []
    while peek() == UInt8(ascii: "\"") {
      let start = next
      let token = string()
      var inner: Place?
      if peek() == UInt8(ascii: ":") { next += 1 }
      if let place {
        let name = text(of: token)
        own.append(name)
        let short = ParameterReader.shortened(name)
        let path = place.path.isEmpty ? short : "\(place.path).\(short)"
        // The longest name: others may have a dot.
        if leads(path), first == steps.count || steps[first].path.utf8.count < path.utf8.count {
          let isChosen = ConfigurationMembers.objects[place.pattern]?.names.isEmpty ?? false
          let last = isChosen ? "*" : name
          let pattern = place.pattern.isEmpty ? last : "\(place.pattern).\(last)"
          steps.removeSubrange(first...)
          names = nil
          steps.append(
            Step(path: path, name: name, object: place.pattern, pattern: pattern, start: start, end: start))
          inner = Place(path: path, pattern: pattern)
        }
      }
      let index = inner == nil ? nil : first
      value(inner)
      if let index { steps[index].end = next }
      guard peek() == UInt8(ascii: ",") else { break }
      next += 1
    }
    if peek() == UInt8(ascii: "}") { next += 1 }
    if place != nil, names == nil { names = own }
  }

  private mutating func array(_ place: Place?) {
    next += 1
    var index = 0
    while let byte = peek(), byte != UInt8(ascii: "]") {
      let inner = place.map { Place(path: "\($0.path)[\(index)]", pattern: "\($0.pattern)[]") }
      let before = next
      value(inner.flatMap { leads($0.path) ? $0 : nil })
      guard peek() == UInt8(ascii: ","), next > before else { break }
      next += 1
      index += 1
    }
    if peek() == UInt8(ascii: "]") { next += 1 }
  }

  // MARK: Tokens

  private var current: UInt8? { next < bytes.count ? bytes[next] : nil }

  /// The first byte of the next token.
  private mutating func peek() -> UInt8? {
    while let byte = current, " \t\r\n".utf8.contains(byte) { next += 1 }
    return current
  }

  /// The bytes of a string with its quotation marks.
  private mutating func string() -> ArraySlice<UInt8> {
    let start = next
    next += 1
    while let byte = current, byte != UInt8(ascii: "\"") { next += byte == UInt8(ascii: "\\") ? 2 : 1 }
    next = min(next + 1, bytes.count)
    return bytes[start..<next]
  }

  private func text(of token: ArraySlice<UInt8>) -> String {
    guard token.contains(UInt8(ascii: "\\")) else {
      return String(decoding: token.dropFirst().dropLast(), as: UTF8.self)
    }
    return token.withUnsafeBytes { buffer in (try? JSONParser().parse(buffer))?.text ?? "" }
  }
}
