internal import WatchwordVocabulary

/// The value of `Repr-Digest` or `Content-Digest` (RFC 9530 §2 and §3): a dictionary from algorithms to byte
/// sequences (RFC 9651 §3.2), such as `sha-256=:…:, sha-512=:…:`.
package struct DigestField: Sendable, Equatable {
  package struct Member: Sendable, Equatable {
    package let algorithm: String
    package let value: [UInt8]
  }

  /// In the order in which their names come first; the last of two with the same name counts.
  package private(set) var members: [Member] = []

  /// Nil when the value is malformed: then all of it is ignored (RFC 9651 §4.2).
  package init?(_ text: String) {
    var reader = Reader(rest: Array(text.utf8)[...])
    reader.skip(" ")
    var places: [String: Int] = [:]
    while let next = reader.member() {
      if let place = places[next.algorithm] {
        members[place] = next
      } else {
        places[next.algorithm] = members.count
        members.append(next)
      }
      reader.skip(" \t")
      if reader.rest.isEmpty { return }
      guard reader.consume(",") else { return nil }
      reader.skip(" \t")
    }
    return nil
  }

  /// Reads the dictionary from its beginning to its end, once.
  private struct Reader {
    var rest: ArraySlice<UInt8>

    mutating func skip(_ characters: StaticString) {
      rest = rest.drop { byte in characters.withUTF8Buffer { $0.contains(byte) } }
    }

    mutating func consume(_ character: Unicode.Scalar) -> Bool {
      guard rest.first == UInt8(ascii: character) else { return false }
      rest.removeFirst()
      return true
    }

    /// `key=:base64:`, with parameters, which have no meaning here.
    mutating func member() -> Member? {
      guard let name = key(), consume("="), consume(":") else { return nil }
      let text = String(decoding: rest.prefix { $0 != UInt8(ascii: ":") }, as: UTF8.self)
      rest = rest.dropFirst(text.utf8.count)
      guard consume(":"), let value = Base64.decode(text) else { return nil }
      while consume(";") {
        skip(" ")
        guard key() != nil, !consume("=") || skipItem() else { return nil }
      }
      return Member(algorithm: name, value: value)
    }

    private mutating func key() -> String? {
      let name = rest.prefix {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) || (0x30...0x39).contains($0)
          || "_-.*".utf8.contains($0)
      }
      guard let first = name.first, first == UInt8(ascii: "*") || first >= UInt8(ascii: "a") else {
        return nil
      }
      rest = rest.dropFirst(name.count)
      return String(decoding: name, as: UTF8.self)
    }

    /// The value of a parameter.
    private mutating func skipItem() -> Bool {
      guard consume("\"") else {
        let item = rest.prefix { $0 > 0x20 && $0 < 0x7F && !",;\"".utf8.contains($0) }
        rest = rest.dropFirst(item.count)
        return !item.isEmpty
      }
      while let byte = rest.popFirst() {
        if byte == UInt8(ascii: "\"") { return true }
        if byte == UInt8(ascii: "\\"), rest.popFirst() == nil { return false }
      }
      return false
    }
  }
}

/// A digest that a body has to have.
package struct ExpectedDigest: Sendable, Equatable {
  package let algorithm: IntegrityAlgorithm
  package let value: [UInt8]

  /// The members of a field whose algorithm is known. One that is unknown says nothing (RFC 9530 §5).
  package static func list(in field: DigestField) -> [ExpectedDigest] {
    field.members.compactMap { member in
      IntegrityAlgorithm(rawValue: member.algorithm).map {
        ExpectedDigest(algorithm: $0, value: member.value)
      }
    }
  }

  /// What the fields of this name expect: several of them are one (RFC 9651 §4.2).
  static func list(in headers: [HeaderField], named name: String) -> [ExpectedDigest] {
    let values = headers.values(of: name)
    guard !values.isEmpty, let field = DigestField(values.joined(separator: ", ")) else { return [] }
    return list(in: field)
  }

  package var hasItsLength: Bool { value.count == algorithm.hash.byteCount }

  func isMet(by value: HashValue?) -> Bool {
    value?.withBytes { $0.elementsEqual(self.value) } ?? false
  }
}
