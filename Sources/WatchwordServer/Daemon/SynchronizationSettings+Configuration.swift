internal import WatchwordJSON
internal import WatchwordProtocol
internal import WatchwordVocabulary

/// `{"endpoints", "prefix", "keyFile", "user"?, "passwordFile"?, "roots"?, "certificate"?, "privateKey"?}`.
extension SynchronizationSettings {
  /// A cluster of etcd has seven members at most.
  private static let maximumEndpoints = 16
  private static let maximumPrefixBytes = 256

  init(_ reader: inout ParameterReader) throws(RPCError) {
    let texts = try reader["endpoints"]?.strings(maximum: Self.maximumEndpoints) ?? []
    guard !texts.isEmpty else { throw reader.fault("endpoints", "is missing") }
    var endpoints: [RequestURL] = []
    for (index, text) in texts.enumerated() {
      let origin = try URLParameter.origin(text, path: "\(reader.path("endpoints"))[\(index)]")
      guard origin.isSecure || origin.isLoopback else {
        throw reader.fault("endpoints", "must be https, or http on a loopback address")
      }
      endpoints.append(RequestURL(origin: origin, path: "/", query: nil))
    }
    let prefix = try reader.required("prefix").string(maximumBytes: Self.maximumPrefixBytes)
    guard prefix.hasPrefix("/"), !prefix.hasSuffix("/"), prefix.utf8.allSatisfy({ 0x21...0x7E ~= $0 }) else {
      throw reader.fault(
        "prefix", "must begin with / and have visible characters of ASCII only, the last not /")
    }
    let keyFile = try reader.required("keyFile").filePath()
    let name = try reader["user"]?.string(maximumBytes: 1024)
    let passwordFile = try reader["passwordFile"]?.filePath()
    guard (name == nil) == (passwordFile == nil) else {
      throw reader.fault(name == nil ? "user" : "passwordFile", "is missing")
    }
    let certificate = try reader["certificate"]?.filePath()
    let privateKey = try reader["privateKey"]?.filePath()
    guard (certificate == nil) == (privateKey == nil) else {
      throw reader.fault(certificate == nil ? "certificate" : "privateKey", "is missing")
    }
    self.init(
      endpoints: endpoints, prefix: prefix, keyFile: keyFile,
      user: name.flatMap { name in passwordFile.map { User(name: name, passwordFile: $0) } },
      roots: try reader["roots"]?.filePath(),
      identity: certificate.flatMap { certificate in
        privateKey.map { Identity(certificate: certificate, privateKey: $0) }
      })
  }
}
