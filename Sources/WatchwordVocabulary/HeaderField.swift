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

  /// Bytes that it takes.
  package var heldBytes: Int { HeldBytes.text(name.utf8.count + valueByteCount) }

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

extension [HeaderField] {
  /// Bytes that they take.
  package var heldBytes: Int { reduce(0) { $0 + $1.heldBytes } }

  /// The values of every field called `name` (given in lower case), in order.
  package func values(of name: String) -> [String] {
    compactMap { $0.isNamed(name) ? $0.value : nil }
  }

  /// The same as received.
  package func octetStrings(of name: String) -> [OctetString] {
    compactMap { $0.isNamed(name) ? $0.octetString : nil }
  }

  package func first(_ name: String) -> String? {
    first { $0.isNamed(name) }?.value
  }
}

/// The syntax of header fields and request lines; checked on input and again on output.
package enum FieldSyntax {
  /// Bytes of a name; the longest registered one has 43.
  private static let maximumTokenBytes = 256

  /// `token` of RFC 9110 §5.6.2, bounded.
  package static func isToken(_ text: String) -> Bool {
    (1...maximumTokenBytes).contains(text.utf8.count) && text.utf8.allSatisfy(isTokenCharacter)
  }

  /// A field's value (RFC 9110 §5.5): no control characters except the tab, which ends no line
  /// (CVE-2020-11008).
  package static func isValue(_ text: String) -> Bool {
    text.utf8.allSatisfy(isValueByte)
  }

  package static func isValueByte(_ byte: UInt8) -> Bool { byte == 0x09 || (byte >= 0x20 && byte != 0x7F) }

  /// `tchar`.
  package static func isTokenCharacter(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    case UInt8(ascii: "!"), UInt8(ascii: "#")...UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "+"),
      UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "^")...UInt8(ascii: "`"), UInt8(ascii: "|"),
      UInt8(ascii: "~"):
      true
    default: false
    }
  }
}

/// Header fields that always carry a secret: never shown, and dropped when a redirect leaves their origin.
package enum SensitiveFields {
  private static let placeholder = "<secret>"

  /// In lower case.
  package static let names: Set<String> = ["authorization", "cookie", "cookie2", "proxy-authorization"]

  package static func contains(_ name: String) -> Bool { names.contains(name.asciiLowercased) }

  /// The fields as they may be shown; `names`, in lower case, are those that the caller marked as secret. A
  /// value that is not UTF-8 is not shown, either: sent back as a text, it would be another one.
  package static func hidden(in fields: [HeaderField], and names: Set<String> = []) -> [HeaderField] {
    fields.map { field in
      let isHidden =
        contains(field.name) || names.contains(field.name.asciiLowercased) || field.givenOctets != nil
      return isHidden ? HeaderField(field.name, placeholder) : field
    }
  }

  /// A field as it was sent and may be shown: of a credential only the scheme is left, if it is one of the
  /// well-known.
  package static func shown(_ field: HeaderField, and names: Set<String> = []) -> HeaderField {
    guard contains(field.name) || names.contains(field.name.asciiLowercased) || field.givenOctets != nil
    else { return field }
    let scheme = field.value.prefix { $0 != " " }
    let isKnown = field.isNamed("authorization") || field.isNamed("proxy-authorization")
    guard isKnown, scheme.utf8.count < field.value.utf8.count,
      schemes.contains(String(scheme).asciiLowercased)
    else { return HeaderField(field.name, placeholder) }
    return HeaderField(field.name, "\(scheme) \(placeholder)")
  }

  private static let schemes: Set<String> = ["basic", "bearer", "digest", "negotiate", "ntlm"]

  /// Fields that a caller received with placeholders and sends back: a placeholder is replaced by the field's
  /// value in `original`, or the field is dropped if it has none. A placeholder is never sent to a server.
  package static func restored(in fields: [HeaderField], from original: [HeaderField]) -> [HeaderField] {
    var left = original
    return fields.compactMap { field in
      guard field.withValue({ $0.elementsEqual(placeholder.utf8) }) else { return field }
      let name = field.name.asciiLowercased
      guard let index = left.firstIndex(where: { $0.isNamed(name) }) else { return nil }
      return left.remove(at: index).renamed(field.name)
    }
  }
}
