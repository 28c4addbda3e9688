internal import WatchwordCore
internal import WatchwordJSON
internal import WatchwordPrimitives
internal import WatchwordSecret
internal import WatchwordVocabulary

/// Where the tickets of a request come from.
enum GivenKerberos {
  case complete(KerberosSource)
  case file(KerberosFile)
}

extension ParameterReader {
  /// `{"cache": "default" | NAME | CONTENTS}` or `{"keytab": NAME | CONTENTS, "principal"?}`, where CONTENTS is
  /// `{"base64"}` or `{"descriptor"}`.
  mutating func optionalKerberos(_ name: String) throws(RPCError) -> GivenKerberos? {
    try optionalObject(name) { reader throws(RPCError) in
      let principal = try reader.optionalString("principal", maximumBytes: KerberosSource.maximumNameBytes)
      if let principal, principal.isEmpty || principal.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) {
        throw reader.fault("principal", "is empty or holds a control character")
      }
      switch (reader.member("cache"), reader.member("keytab")) {
      case (.string?, nil):
        guard principal == nil else { throw reader.fault("principal", "goes with a keytab") }
        let cache = try reader.string("cache", maximumBytes: KerberosSource.maximumNameBytes)
        return .complete(cache == "default" ? .defaultCache : .namedCache(cache))
      case (.some, nil):
        guard principal == nil else { throw reader.fault("principal", "goes with a keytab") }
        return try reader.contents("cache", of: .cache)
      case (nil, .string?):
        guard principal == nil else { throw reader.fault("principal", "is in the configuration") }
        return .complete(
          .namedKeytab(try reader.string("keytab", maximumBytes: KerberosSource.maximumNameBytes)))
      case (nil, .some):
        guard let principal else { throw reader.fault("principal", "is missing") }
        return try reader.contents("keytab", of: .keytab(principal: principal))
      case (nil, nil), (.some, .some): throw .invalidParams(reader.path, "must have cache or keytab")
      }
    }
  }

  /// The bytes of a file, in base64 or by descriptor.
  private mutating func contents(
    _ name: String, of content: KerberosFile.Content
  ) throws(RPCError) -> GivenKerberos {
    try object(name) { reader throws(RPCError) in
      let text = try reader.optionalSecret(
        "base64", maximumBytes: Base64.encodedCount(of: KerberosSource.maximumBytes))
      let descriptor = try reader.optionalDescriptor("descriptor")
      switch (text, descriptor) {
      case (.some(let text), nil):
        guard let bytes = Base64.decode(text), !bytes.isEmpty else {
          throw reader.fault("base64", "is not base64")
        }
        return .complete(content.source(bytes))
      case (nil, .some(let index)):
        return .file(
          KerberosFile(content: content, descriptor: index, path: reader.path("descriptor")))
      case (nil, nil), (.some, .some):
        throw .invalidParams(reader.path, "must have base64 or descriptor")
      }
    }
  }

  /// A domain goes in front of the user: `DOMAIN\user`.
  mutating func check(domain: String, of user: String?) throws(RPCError) {
    guard let user else { throw fault("domain", "goes with user and password") }
    guard !domain.isEmpty,
      !domain.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F || $0 == UInt8(ascii: "\\") })
    else { throw fault("domain", "is empty or holds a backslash or a control character") }
    guard !user.utf8.contains(UInt8(ascii: "\\")) else { throw fault("domain", "is in the user already") }
  }
}
