internal import WatchwordCore
internal import WatchwordJSON
internal import WatchwordVocabulary

/// Words that many messages have.
extension Parameter {
  /// A name that callers choose: letters, digits, `.`, `_`, `-`; it goes into logs, status and shell scripts.
  package func name(maximumBytes: Int = 128) throws(RPCError) -> String {
    let text = try string()
    guard (1...maximumBytes).contains(text.utf8.count), text.utf8.allSatisfy(Parameter.isNameByte) else {
      throw fault("must be 1 to \(maximumBytes) letters, digits, dots, underscores or hyphens")
    }
    return text
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
      true
    default: false
    }
  }

  package func sessionName(maximumBytes: Int) throws(RPCError) -> String {
    let name = try name(maximumBytes: maximumBytes)
    guard !name.hasPrefix(SessionOpen.privatePrefix) else {
      throw fault("must not begin with \(SessionOpen.privatePrefix)")
    }
    return name
  }

  func requestIdentifier() throws(RPCError) -> RequestIdentifier {
    guard let identifier = RequestIdentifier(value) else {
      throw fault("must be a string, an integer or null")
    }
    return identifier
  }

  func protocolVersion() throws(RPCError) -> String {
    let version = try string()
    guard version == Initialize.protocolVersion else {
      throw fault("this daemon speaks version \(Initialize.protocolVersion)")
    }
    return version
  }

  /// Seconds since 1970.
  func timestamp() throws(RPCError) -> Double {
    guard let seconds = Timestamp.seconds(try string()) else {
      throw fault("must be a UTC time such as 2026-11-21T12:05:00Z")
    }
    return seconds
  }

  // MARK: HTTP

  /// An HTTP method: a token (RFC 9110 §9.1).
  func method(maximumBytes: Int) throws(RPCError) -> String {
    let method = try string()
    guard FieldSyntax.isToken(method), method.utf8.count <= maximumBytes else {
      throw fault("is not an HTTP method")
    }
    guard !isConnect(method) else { throw fault("CONNECT is the proxy's") }
    guard !RestrictionRule.isForbidden(method) else {
      throw fault("is not sent: its response repeats the credential")
    }
    return method
  }

  /// Some servers and proxies compare methods without case.
  private func isConnect(_ method: String) -> Bool { method.asciiLowercased == "connect" }

  func methodToken() throws(RPCError) -> String {
    let method = try string(maximumBytes: Int.max)
    guard FieldSyntax.isToken(method) else { throw fault("is not an HTTP method") }
    return method
  }

  /// The methods of a rule of a restriction.
  func restrictedMethods(maximum: Int, minimum: Int) throws(RPCError) -> Set<String> {
    let methods = try array(maximum: maximum, minimum: minimum) { element throws(RPCError) in
      let method = try element.string(maximumBytes: Int.max)
      guard FieldSyntax.isToken(method), method.utf8.count <= 32 else {
        throw element.fault("is not an HTTP method")
      }
      guard !RestrictionRule.isForbidden(method), !isConnect(method) else {
        throw element.fault("no rule allows \(method)")
      }
      return method
    }
    return Set(methods)
  }

  /// The header fields that a rule of a restriction adds, in lower case.
  func restrictedFields(maximum: Int) throws(RPCError) -> Set<String> {
    let names = try array(maximum: maximum) { element throws(RPCError) in
      let name = try element.fieldName()
      guard name.utf8.count <= 256 else { throw element.fault("is longer than 256 bytes") }
      guard !HeaderRules.isReserved(name) else { throw element.fault("this field belongs to the daemon") }
      guard RestrictedFields.mayBeAdded(name) else { throw element.fault("no rule allows \(name)") }
      return name.asciiLowercased
    }
    return Set(names)
  }

  func absolutePath(maximumBytes: Int = Int.max) throws(RPCError) -> String {
    let path = try string(maximumBytes: maximumBytes)
    guard path.utf8.first == UInt8(ascii: "/") else { throw fault("must begin with /") }
    return path
  }

  /// The host of a protection space.
  func host(maximumBytes: Int) throws(RPCError) -> String {
    guard let host = HostRules.normalized(try string(maximumBytes: maximumBytes)) else {
      throw fault("is not a host name or address (a name in other letters is its xn-- form)")
    }
    return host
  }

  func traceContext() throws(RPCError) -> TraceContext {
    guard let context = TraceContext(try string(maximumBytes: Int.max)) else {
      throw fault("is no traceparent of W3C Trace Context: VERSION-TRACE-PARENT-FLAGS")
    }
    return context
  }

  func fieldName() throws(RPCError) -> String {
    let name = try string(maximumBytes: Int.max)
    guard FieldSyntax.isToken(name) else { throw fault("is not a header field name") }
    return name
  }

  /// An array of `[name, value]`; names and values are checked, not repaired (CVE-2020-11008, request
  /// smuggling).
  func headers(maximum: Int) throws(RPCError) -> [HeaderField] {
    try array(maximum: maximum) { element throws(RPCError) in try element.headerField() }
  }

  private func headerField() throws(RPCError) -> HeaderField {
    var pair = value.elements
    guard value.count == 2, let field = pair.next()?.text, let content = pair.next() else {
      throw fault("must be [name, value]")
    }
    guard FieldSyntax.isToken(field) else {
      throw .invalidParams("\(path)[0]", "is not a header field name")
    }
    guard !HeaderRules.isReserved(field) else {
      throw .invalidParams("\(path)[0]", "this field belongs to the daemon")
    }
    if content.kind == .object {
      return try Parameter(content, "\(path)[1]").octetField(field)
    }
    guard let count = content.textCount else { throw fault("must be [name, value]") }
    guard count <= HeaderRules.maximumValueBytes,
      content.withText({ $0.allSatisfy(FieldSyntax.isValueByte) }) == true
    else { throw .invalidParams("\(path)[1]", "holds a control character or is longer than 64 KiB") }
    // A password never becomes a `String`.
    if SensitiveFields.contains(field), let secret = content.secret {
      return HeaderField(field, secret: secret)
    }
    return HeaderField(field, content.text ?? "")
  }

  /// `{"base64"}`, for a value that is not UTF-8.
  private func octetField(_ name: String) throws(RPCError) -> HeaderField {
    let encoded = try object { (reader) throws(RPCError) in
      try reader.required("base64").secret(
        maximumBytes: Base64.encodedCount(of: HeaderRules.maximumValueBytes))
    }
    guard let octets = Secret.decoded(encoded) else {
      throw .invalidParams("\(path).base64", "is not base64")
    }
    guard octets.count <= HeaderRules.maximumValueBytes,
      octets.withBytes({ $0.allSatisfy(FieldSyntax.isValueByte) })
    else { throw .invalidParams("\(path).base64", "holds a control character or is longer than 64 KiB") }
    if SensitiveFields.contains(name) { return HeaderField(name, secret: octets) }
    return octets.withBytes { HeaderField(name, given: $0) }
  }
}
