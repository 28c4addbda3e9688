package import WatchwordCore
internal import WatchwordJSON
internal import WatchwordVocabulary

/// The body of a token endpoint's reply: a JSON object, from a server that need not be honest.
extension TokenReply {
  /// Its secrets go from the parser's memory into secrets; members that OAuth does not know are passed over.
  private static let parser: JSONParser = {
    var limits = JSONLimits()
    limits.nesting = 16
    limits.stringBytes = TokenReply.maximumBytes
    limits.elements = 1_000
    return JSONParser(
      limits: limits, secretMembers: ["access_token", "refresh_token", "id_token", "device_code"])
  }()

  /// - Parameter isOfDevice: whether the reply is a device authorization endpoint's (RFC 8628 §3.2).
  /// - Returns: nil when it is no JSON object of a type of JSON, or one of its members has a wrong type.
  package static func members(
    _ head: ResponseHead, _ body: UnsafeRawBufferPointer, isOfDevice: Bool = false
  ) -> Members? {
    guard isJSON(head.headers.first("content-type")), let value = try? parser.parse(body),
      case .object(let object) = value
    else { return nil }
    var members = Members()
    for member in object.members {
      switch (member.name, member.value) {
      case ("access_token", .secret(let token)): members.accessToken = token
      case ("refresh_token", .secret(let token)): members.refreshToken = token
      case ("token_type", .string(let text)): members.tokenType = text
      case ("error", .string(let text)): members.error = text
      case ("expires_in", .integer(let seconds)): members.expiresIn = Double(seconds)
      case ("expires_in", .real(let seconds)): members.expiresIn = seconds
      case ("expires_in", .string(let text)):
        guard let seconds = seconds(text) else { return nil }
        members.expiresIn = seconds
      case ("device_code", .secret(let code)) where isOfDevice: members.deviceCode = code
      case ("user_code", .string(let text)) where isOfDevice: members.userCode = text
      case ("verification_uri", .string(let text)) where isOfDevice: members.verificationURI = text
      // As servers spelled it before RFC 8628.
      case ("verification_url", .string(let text)) where isOfDevice:
        members.verificationURI = members.verificationURI ?? text
      case ("verification_uri_complete", .string(let text)) where isOfDevice: members.completeURI = text
      case ("interval", .integer(let seconds)) where isOfDevice: members.interval = Double(seconds)
      case ("interval", .real(let seconds)) where isOfDevice: members.interval = seconds
      case ("interval", .string(let text)) where isOfDevice:
        guard let seconds = seconds(text) else { return nil }
        members.interval = seconds
      // What is not there says the same.
      case (_, .null): break
      case ("access_token", _), ("refresh_token", _), ("token_type", _), ("error", _), ("expires_in", _):
        return nil
      case ("device_code", _), ("user_code", _), ("verification_uri", _), ("verification_uri_complete", _),
        ("interval", _):
        if isOfDevice { return nil }
      default: break
      }
    }
    return members
  }

  /// Digits in a string, as some servers write a number.
  private static func seconds(_ text: String) -> Double? {
    guard !text.isEmpty, text.utf8.count <= 10,
      text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
    else { return nil }
    return Double(text)
  }

  /// RFC 6749 §5.1, and the types that servers use for the same; parameters of the type mean nothing.
  private static func isJSON(_ type: String?) -> Bool {
    guard let type else { return false }
    let media = type.utf8.prefix { $0 != UInt8(ascii: ";") }.filter { $0 != 0x20 && $0 != 0x09 }
    let name = String(decoding: media, as: UTF8.self).asciiLowercased
    return name == "application/json" || name == "text/json"
      || (name.hasPrefix("application/") && name.hasSuffix("+json"))
  }
}
