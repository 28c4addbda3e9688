internal import WatchwordPrimitives
package import WatchwordSecret

/// One header field; the name keeps its spelling.
package struct HeaderField: Sendable, Equatable {
  package let name: String
  /// `<secret>` for a secret value: ``withValue(_:)`` reads that and leaves no copy.
  package let value: String
  /// A caller's `Authorization` or `Cookie`; wiped when the last task or session that holds it ends.
  package let secret: Secret?
  /// The received value if it is not UTF-8; `value` then has one character per octet (ISO 8859-1, RFC 9110 §5.5).
  private let octets: [UInt8]?

  package init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
    secret = nil
    octets = nil
  }

  package init(_ name: String, secret: Secret) {
    self.name = name
    self.secret = secret
    value = secret.description
    octets = nil
  }

  /// The same value under another spelling of the name.
  func renamed(_ name: String) -> HeaderField {
    secret.map { HeaderField(name, secret: $0) } ?? HeaderField(name, value)
  }

  /// Lends the bytes of the value, secret or not.
  package func withValue<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    if let secret { return secret.withBytes(body) }
    var value = value
    return value.withUTF8 { body(UnsafeRawBufferPointer($0)) }
  }

  /// Bytes of the value.
  package var valueByteCount: Int { secret?.count ?? value.utf8.count }

  package static func == (left: HeaderField, right: HeaderField) -> Bool {
    guard left.name == right.name else { return false }
    if left.secret == nil, right.secret == nil {
      return left.value == right.value && left.octets == right.octets
    }
    return left.valueAsSecret == right.valueAsSecret
  }

  private var valueAsSecret: Secret { secret ?? Secret(value.utf8) }

  /// A field of a response.
  package init(_ name: String, octets: some Collection<UInt8>) {
    self.name = name
    secret = nil
    if let text = String(validating: octets, as: UTF8.self) {
      value = text
      self.octets = nil
    } else {
      value = String(String.UnicodeScalarView(octets.map { Unicode.Scalar($0) }))
      self.octets = Array(octets)
    }
  }

  /// The value as received.
  package var octetString: OctetString { octets.map { OctetString(octets: $0) } ?? OctetString(value) }

  /// Whether the field is called `name`, which is given in lower case.
  package func isNamed(_ name: String) -> Bool {
    self.name.matchesASCIICase(of: name)
  }
}
