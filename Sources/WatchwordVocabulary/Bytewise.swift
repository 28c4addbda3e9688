/// Text that a server or a caller chose, compared byte by byte.
///
/// Swift compares strings as Unicode does: `é` in one scalar or in two, `K` and the Kelvin sign are equal.
/// Servers and hashes distinguish them: a password for one realm would go to another that only looks the
/// same. Inlinable, because a generic comparison is not specialized across targets and every exchange looks a
/// credential up.
@propertyWrapper
package struct Bytewise<Text: BytewiseText>: Sendable, Hashable {
  package let wrappedValue: Text

  @inlinable package init(wrappedValue: Text) { self.wrappedValue = wrappedValue }

  @inlinable package init(_ text: Text) { wrappedValue = text }

  @inlinable package static func == (left: Bytewise, right: Bytewise) -> Bool {
    switch (left.wrappedValue.text, right.wrappedValue.text) {
    case (nil, nil): true
    case (let left?, let right?): left.hasBytes(of: right)
    case (nil, _), (_, nil): false
    }
  }

  @inlinable package func hash(into hasher: inout Hasher) {
    guard var text = wrappedValue.text else { return hasher.combine(false) }
    hasher.combine(true)
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    hasher.combine(UInt8.max)
  }
}

extension String: BytewiseText {
  @inlinable package var text: String? { self }
}

extension String?: BytewiseText {
  @inlinable package var text: String? { self }
}

/// `String` and `String?`: the types of ``Bytewise``.
package protocol BytewiseText: Sendable {
  var text: String? { get }
}

/// Text that a server chose, as octets: they need not be UTF-8, and are sent back and hashed unchanged.
///
/// `é` as C3 A9 and as E9 are two texts. Otherwise a password for one realm would go to another that only
/// looks the same, and a server would not recognize its own nonce.
package struct OctetString: Sendable, Hashable, ExpressibleByStringInterpolation, CustomStringConvertible {
  package let octets: [UInt8]

  @inlinable package init(octets: some Sequence<UInt8>) { self.octets = Array(octets) }

  package init(_ text: String) { octets = Array(text.utf8) }

  package init(stringLiteral text: String) { self.init(text) }

  package var count: Int { octets.count }
  package var isEmpty: Bool { octets.isEmpty }

  /// With U+FFFD in place of invalid UTF-8: for people, and for values that are ASCII by their grammar.
  package var text: String { String(decoding: octets, as: UTF8.self) }

  package var isUTF8: Bool { String(validating: octets, as: UTF8.self) != nil }

  package var description: String { text }
}
