internal import WatchwordVocabulary

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
