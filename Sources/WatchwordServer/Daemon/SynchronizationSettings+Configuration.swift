internal import WatchwordJSON
internal import WatchwordProtocol
internal import WatchwordVocabulary

/// `{"endpoints", "prefix", "keyFile", "user"?, "passwordFile"?, "roots"?, "certificate"?, "privateKey"?}`.
extension SynchronizationSettings {
  /// A cluster of etcd has seven members at most.
  private static let maximumEndpoints = 16
  private static let maximumPrefixBytes = 256

  init(_ reader: inout ParameterReader) throws(RPCError) {
    let texts = try reader.optionalStrings("endpoints", maximum: Self.maximumEndpoints) ?? []
    guard !texts.isEmpty else { throw reader.fault("endpoints", "is missing") }
    var endpoints: [RequestURL] = []
    for (index, text) in texts.enumerated() {
      let origin = try URLParameter.origin(text, path: "\(reader.path("endpoints"))[\(index)]")
      guard origin.isSecure || origin.isLoopback else {
        throw reader.fault("endpoints", "must be https, or http on a loopback address")
      }
      endpoints.append(RequestURL(origin: origin, path: "/", query: nil))
    }
    let prefix = try reader.string("prefix", maximumBytes: Self.maximumPrefixBytes)
    guard prefix.hasPrefix("/"), !prefix.hasSuffix("/"), prefix.utf8.allSatisfy({ 0x21...0x7E ~= $0 }) else {
      throw reader.fault(
        "prefix", "must begin with / and have visible characters of ASCII only, the last not /")
    }
    guard let keyFile = try reader.optionalAbsolutePath("keyFile") else {
      throw reader.fault("keyFile", "is missing")
    }
    let name = try reader.optionalString("user", maximumBytes: 1024)
    let passwordFile = try reader.optionalAbsolutePath("passwordFile")
    guard (name == nil) == (passwordFile == nil) else {
      throw reader.fault(name == nil ? "user" : "passwordFile", "is missing")
    }
    let certificate = try reader.optionalAbsolutePath("certificate")
    let privateKey = try reader.optionalAbsolutePath("privateKey")
    guard (certificate == nil) == (privateKey == nil) else {
      throw reader.fault(certificate == nil ? "certificate" : "privateKey", "is missing")
    }
    self.init(
      endpoints: endpoints, prefix: prefix, keyFile: keyFile,
      user: name.flatMap { name in passwordFile.map { User(name: name, passwordFile: $0) } },
      roots: try reader.optionalAbsolutePath("roots"),
      identity: certificate.flatMap { certificate in
        privateKey.map { Identity(certificate: certificate, privateKey: $0) }
      })
  }
}

extension ParameterReader {
  /// Nil when the member is absent.
  fileprivate mutating func optionalAbsolutePath(_ name: String) throws(RPCError) -> String? {
    guard let path = try optionalString(name, maximumBytes: 4096) else { return nil }
    guard path.hasPrefix("/"), !path.utf8.contains(0) else {
      throw fault(name, "must be an absolute path")
    }
    return path
  }
}
