internal import WatchwordCore
internal import WatchwordJSON
internal import WatchwordVocabulary

/// Where a caller has the tickets of a request from.
extension Parameter {
  /// `{"cache": "default" | NAME | CONTENTS}` or `{"keytab": NAME | CONTENTS, "principal"?}`, where CONTENTS
  /// is `{"base64"}` or `{"descriptor"}`.
  func kerberos() throws(RPCError) -> GivenKerberos {
    let given = try object(CredentialMembers.Kerberos.init)
    func principalFault(_ message: String) -> RPCError { .invalidParams("\(path).principal", message) }
    switch (given.cache, given.keytab) {
    case (.some(let cache), nil):
      guard given.principal == nil else { throw principalFault("goes with a keytab") }
      guard cache.value.kind == .string else { return try cache.contents(of: .cache) }
      let name = try cache.string(maximumBytes: KerberosSource.maximumNameBytes)
      return .complete(name == "default" ? .defaultCache : .namedCache(name))
    case (nil, .some(let keytab)):
      if keytab.value.kind == .string {
        guard given.principal == nil else { throw principalFault("is in the configuration") }
        return .complete(.namedKeytab(try keytab.string(maximumBytes: KerberosSource.maximumNameBytes)))
      }
      guard let principal = given.principal else { throw principalFault("is missing") }
      return try keytab.contents(of: .keytab(principal: principal))
    case (nil, nil), (.some, .some): throw fault("must have cache or keytab")
    }
  }

  func principal(maximumBytes: Int) throws(RPCError) -> String {
    let principal = try string(maximumBytes: maximumBytes)
    guard !principal.isEmpty, !principal.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else {
      throw fault("is empty or holds a control character")
    }
    return principal
  }

  /// The bytes of a file, in base64 or by descriptor.
  private func contents(of content: KerberosFile.Content) throws(RPCError) -> GivenKerberos {
    let given = try object(FileContentsMembers.init)
    switch (given.base64, given.descriptor) {
    case (.some(let text), nil):
      guard let bytes = Base64.decode(text), !bytes.isEmpty else {
        throw .invalidParams("\(path).base64", "is not base64")
      }
      return .complete(content.source(bytes))
    case (nil, .some(let index)):
      return .file(KerberosFile(content: content, descriptor: index, path: "\(path).descriptor"))
    case (nil, nil), (.some, .some): throw fault("must have base64 or descriptor")
    }
  }
}
