package import WatchwordCore
internal import WatchwordVocabulary

/// Why a request is never sent: on the wire it would mean something else than here.
///
/// Control characters end lines (CVE-2020-11008 and its kin), and a caller's framing fields could contradict
/// the body that the transport sends: the next request on the connection would then be the caller's text.
package enum RequestFault: Error, Sendable, Equatable {
  /// Not a token (RFC 9110 §9.1), or `CONNECT`.
  case method
  /// The name of the field at this index is not a token.
  case fieldName(Int)
  /// The value of the field at this index has a control character.
  case fieldValue(Int)
  /// Only the transport may set the field at this index, or it contradicts the body.
  case framing(Int)
  case authorization
  /// `HEAD` with a body.
  case body
  case tooManyFields

  /// Fields of one request; servers accept at most 100.
  package static let maximumFields = 256

  package static func find(in request: ExchangeRequest, with body: ExchangeBody) -> RequestFault? {
    let mayConnect = request.proxy?.tunnel == .requested
    guard FieldSyntax.isToken(request.method), (request.method == "CONNECT") == mayConnect else {
      return .method
    }
    guard request.headers.count <= maximumFields else { return .tooManyFields }
    for (index, field) in request.headers.enumerated() {
      guard FieldSyntax.isToken(field.name) else { return .fieldName(index) }
      guard field.withValue({ $0.allSatisfy(FieldSyntax.isValueByte) }) else { return .fieldValue(index) }
      guard isFraming(field, agreesWith: body) else { return .framing(index) }
    }
    for authorization in [request.authorization, request.proxy?.authorization] {
      if let authorization, !isValue(authorization) { return .authorization }
    }
    if case .none = body { return nil }
    return request.method == "HEAD" ? .body : nil
  }

  /// Whether this can be the value of a field: a realm may contain a tab, which is sent back.
  static func isValue(_ authorization: Secret) -> Bool {
    !authorization.isEmpty
      && authorization.withBytes { $0.allSatisfy { $0 == 0x09 || ($0 >= 0x20 && $0 != 0x7F) } }
  }

  /// Whether this can be sent as it is.
  static func isField(_ field: HeaderField) -> Bool {
    FieldSyntax.isToken(field.name) && field.secret.map(isValue) ?? false
  }

  private static func isFraming(_ field: HeaderField, agreesWith body: ExchangeBody) -> Bool {
    switch field.name.utf8.count {
    case 6 where field.isNamed("expect"): field.value.asciiLowercased == "100-continue"
    case 7 where field.isNamed("upgrade"): false
    case 14 where field.isNamed("content-length"): lengthAgrees(field.value, with: body)
    case 14 where field.isNamed("http2-settings"): false
    case 17 where field.isNamed("transfer-encoding"): false
    default: true
    }
  }

  private static func lengthAgrees(_ value: String, with body: ExchangeBody) -> Bool {
    guard value.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let length = Int64(value) else {
      return false
    }
    switch body {
    case .none: return length == 0
    case .bytes(let bytes): return length == Int64(bytes.count)
    case .secret(let secret): return length == Int64(secret.count)
    case .file(_, _, let count): return length == count
    case .stream: return false
    }
  }
}
