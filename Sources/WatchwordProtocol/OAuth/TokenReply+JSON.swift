package import WatchwordCore
internal import WatchwordJSON
internal import WatchwordVocabulary

/// The body of a token endpoint's reply: a JSON object, from a server that need not be honest.
extension TokenReply {
  private static let parser: JSONParser = {
    var limits = JSONLimits()
    limits.nesting = 16
    limits.stringBytes = TokenReply.maximumBytes
    limits.elements = 1_000
    return JSONParser(limits: limits)
  }()

  private struct WrongType: Error {}

  /// Members that OAuth does not know are passed over.
  ///
  /// - Parameter isOfDevice: whether the reply is a device authorization endpoint's (RFC 8628 §3.2).
  /// - Returns: nil when it is no JSON object of a type of JSON, or one of its members has a wrong type.
  package static func members(
    _ head: ResponseHead, _ body: UnsafeRawBufferPointer, isOfDevice: Bool = false
  ) -> Members? {
    guard isJSON(head.headers.first("content-type")), let object = (try? parser.parse(body))?.object else {
      return nil
    }
    do throws(WrongType) {
      var members = Members()
      members.accessToken = try value(object["access_token"], \.secret)
      members.refreshToken = try value(object["refresh_token"], \.secret)
      members.tokenType = try value(object["token_type"], \.text)
      members.error = try value(object["error"], \.text)
      members.expiresIn = try value(object["expires_in"], seconds)
      guard isOfDevice else { return members }
      members.deviceCode = try value(object["device_code"], \.secret)
      members.userCode = try value(object["user_code"], \.text)
      // As servers spelled it before RFC 8628.
      let earlier = object["verification_url"]?.text
      members.verificationURI = try value(object["verification_uri"], \.text) ?? earlier
      members.completeURI = try value(object["verification_uri_complete"], \.text)
      members.interval = try value(object["interval"], seconds)
      return members
    } catch {
      return nil
    }
  }

  /// Nil for what is not there, and for null, which says the same.
  private static func value<Value>(
    _ member: JSONNode?, _ read: (JSONNode) -> Value?
  ) throws(WrongType) -> Value? {
    guard let member, !member.isNull else { return nil }
    guard let value = read(member) else { throw WrongType() }
    return value
  }

  /// A number, or digits in a string, as some servers write it.
  private static func seconds(_ member: JSONNode) -> Double? {
    if let number = member.number { return number }
    guard let text = member.text, !text.isEmpty, text.utf8.count <= 10,
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
