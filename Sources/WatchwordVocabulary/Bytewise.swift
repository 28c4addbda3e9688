internal import WatchwordPrimitives

/// Text that a server or a caller chose, compared byte by byte.
///
/// Swift compares strings as Unicode does: `é` in one scalar or in two, `K` and the Kelvin sign are equal. Servers
/// and hashes distinguish them: a password for one realm would go to another that only looks the same. Inlinable,
/// because a generic comparison is not specialized across targets and every exchange looks a credential up.
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
