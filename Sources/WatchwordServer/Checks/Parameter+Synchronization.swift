internal import WatchwordCore
internal import WatchwordJSON
internal import WatchwordProtocol
internal import WatchwordVocabulary

/// `synchronization` of the configuration file.
extension Parameter {
  func synchronizationSettings() throws(RPCError) -> SynchronizationSettings {
    try object { reader throws(RPCError) in
      let given = try SynchronizationMembers(&reader)
      let user = try reader.both("user", given.user, "passwordFile", given.passwordFile)
      let identity = try reader.both("certificate", given.certificate, "privateKey", given.privateKey)
      return SynchronizationSettings(
        endpoints: given.endpoints, prefix: given.prefix, keyFile: given.keyFile,
        user: user.map(SynchronizationSettings.User.init), roots: given.roots,
        identity: identity.map(SynchronizationSettings.Identity.init))
    }
  }

  func endpoints(maximum: Int, minimum: Int) throws(RPCError) -> [RequestURL] {
    let texts = try strings(maximum: maximum)
    guard texts.count >= minimum else { throw fault("is missing") }
    var endpoints: [RequestURL] = []
    for (index, text) in texts.enumerated() {
      let origin = try URLParameter.origin(text, path: "\(path)[\(index)]")
      guard origin.isSecure || origin.isLoopback else {
        throw fault("must be https, or http on a loopback address")
      }
      endpoints.append(RequestURL(origin: origin, path: "/", query: nil))
    }
    return endpoints
  }

  /// What the names of the fleet's records begin with.
  func storePrefix(maximumBytes: Int) throws(RPCError) -> String {
    let prefix = try string(maximumBytes: maximumBytes)
    guard prefix.hasPrefix("/"), !prefix.hasSuffix("/"), prefix.utf8.allSatisfy({ 0x21...0x7E ~= $0 }) else {
      throw fault("must begin with / and have visible characters of ASCII only, the last not /")
    }
    return prefix
  }
}

extension ParameterReader {
  /// Two members that go together; nil when neither is there.
  fileprivate func both(
    _ name: String, _ one: String?, _ otherName: String, _ other: String?
  ) throws(RPCError) -> (String, String)? {
    switch (one, other) {
    case (let one?, let other?): return (one, other)
    case (nil, nil): return nil
    case (nil, _?): throw fault(name, "is missing")
    case (_?, nil): throw fault(otherName, "is missing")
    }
  }
}
