internal import WatchwordPrimitives
package import WatchwordSecret

/// One header field; the name keeps its spelling.
package struct HeaderField: Sendable, Equatable {
  package let name: String
  /// `<secret>` for a secret value: ``withValue(_:)`` reads that and leaves no copy.
  package let value: String
  /// A caller's `Authorization` or `Cookie`; wiped when the last task or session that holds it ends.
  package let secret: Secret?
  /// The value if it is not UTF-8; `value` then has one character per octet (ISO 8859-1, RFC 9110 §5.5).
  private let octets: [UInt8]?
  /// Of a caller's field, whose value is not UTF-8: base64 in messages, and sent as it is.
  package var givenOctets: [UInt8]? { isGiven ? octets : nil }
  private let isGiven: Bool

  package init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
    secret = nil
    octets = nil
    isGiven = true
  }

  package init(_ name: String, secret: Secret) {
    self.name = name
    self.secret = secret
    value = secret.description
    octets = nil
    isGiven = true
  }

  /// The same value under another spelling of the name.
  func renamed(_ name: String) -> HeaderField {
    if let secret { return HeaderField(name, secret: secret) }
    return givenOctets.map { HeaderField(name, given: $0) } ?? HeaderField(name, value)
  }

  /// Lends the bytes of the value, secret or not.
  package func withValue<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    if let secret { return secret.withBytes(body) }
    if let givenOctets { return givenOctets.withUnsafeBytes(body) }
    var value = value
    return value.withUTF8 { body(UnsafeRawBufferPointer($0)) }
  }

  /// Bytes of the value.
  package var valueByteCount: Int { secret?.count ?? givenOctets?.count ?? value.utf8.count }

  package static func == (left: HeaderField, right: HeaderField) -> Bool {
    guard left.name == right.name else { return false }
    if left.secret == nil, right.secret == nil {
      return left.value == right.value && left.octets == right.octets && left.givenOctets == right.givenOctets
    }
    return left.valueAsSecret == right.valueAsSecret
  }

  private var valueAsSecret: Secret { secret ?? Secret(value.utf8) }

  /// A field of a response.
  package init(_ name: String, octets: some Collection<UInt8>) {
    self.init(name, octets, isGiven: false)
  }

  /// A field of a caller, whose value need not be UTF-8.
  package init(_ name: String, given octets: some Collection<UInt8>) {
    self.init(name, octets, isGiven: true)
  }

  private init(_ name: String, _ octets: some Collection<UInt8>, isGiven: Bool) {
    self.name = name
    self.isGiven = isGiven
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
