internal import WatchwordCore
internal import WatchwordJSON
internal import WatchwordProtocol
internal import WatchwordVocabulary

/// `credentialSources` of the daemon's configuration file: `{NAME: {"kind", "origins"?, …}}`.
extension NamedSource {
  /// More than a person names in one file.
  private static let maximumNames = 256
  private static let maximumArguments = 64

  private enum Name: String, CaseIterable {
    case file
    case systemd
    case gitHelper
    case oauth
  }

  static func sources(_ reader: inout ParameterReader) throws(RPCError) -> [String: NamedSource] {
    var sources: [String: NamedSource] = [:]
    for member in try reader.members(maximum: maximumNames) {
      guard case .object(let object) = member.value else {
        throw reader.fault(member.name, "must be an object, not \(member.value.typeName)")
      }
      guard !member.name.isEmpty, member.name.utf8.count <= ParameterReader.maximumSourceNameBytes else {
        throw reader.fault(
          member.name, "must be a name of 1 to \(ParameterReader.maximumSourceNameBytes) bytes")
      }
      sources[member.name] = try ParameterReader.decode(object, path: "\(reader.path).\(member.name)") {
        reader throws(RPCError) in try NamedSource(&reader)
      }
    }
    return sources
  }

  private init(_ reader: inout ParameterReader) throws(RPCError) {
    var origins: Set<Origin>?
    for (index, text) in (try reader.optionalStrings("origins") ?? []).enumerated() {
      origins = (origins ?? []).union([
        try URLParameter.origin(text, path: "\(reader.path("origins"))[\(index)]")
      ])
    }
    guard let name = try reader.optionalEnumeration("kind", Name.self) else {
      throw reader.fault("kind", "is missing")
    }
    switch name {
    case .file:
      let path = try Self.path("path", &reader)
      guard let path else { throw reader.fault("path", "is missing") }
      self.init(
        .file(path: path, user: try reader.optionalString("user", maximumBytes: 4096)), origins: origins)
    case .systemd:
      guard let credential = try reader.optionalSystemdCredential("name") else {
        throw reader.fault("name", "is missing")
      }
      self.init(
        .systemd(name: credential, user: try reader.optionalString("user", maximumBytes: 4096)),
        origins: origins)
    case .gitHelper:
      let command = try reader.optionalStrings("command", maximum: Self.maximumArguments) ?? []
      guard let program = command.first else { throw reader.fault("command", "is missing") }
      guard program.hasPrefix("/"), !command.contains(where: { $0.utf8.contains(0) }) else {
        throw reader.fault("command", "must begin with an absolute path")
      }
      self.init(.gitHelper(command), origins: origins)
    case .oauth: self.init(.oauth(try OAuthSource(&reader)), origins: origins)
    }
  }

  /// An absolute path; nil when the member is absent.
  fileprivate static func path(_ name: String, _ reader: inout ParameterReader) throws(RPCError) -> String? {
    guard let path = try reader.optionalString(name, maximumBytes: 4096) else { return nil }
    guard path.hasPrefix("/"), !path.utf8.contains(0) else {
      throw reader.fault(name, "must be an absolute path")
    }
    return path
  }
}

extension OAuthSource {
  fileprivate init(_ reader: inout ParameterReader) throws(RPCError) {
    guard let grant = try reader.optionalEnumeration("grant", OAuthClient.Grant.self) else {
      throw reader.fault("grant", "is missing")
    }
    let identifier = try reader.string("clientIdentifier", maximumBytes: 1024)
    guard OAuthClient.isIdentifier(identifier) else {
      throw reader.fault("clientIdentifier", "must be visible characters of ASCII")
    }
    let scope = try reader.optionalString("scope", maximumBytes: 4096)
    if let scope, !OAuthClient.isScope(scope) {
      throw reader.fault("scope", "must be words of ASCII with one space between them")
    }
    secretFile = try NamedSource.path("clientSecretFile", &reader)
    refreshTokenFile = try NamedSource.path("refreshTokenFile", &reader)
    roots = try NamedSource.path("roots", &reader)
    let tokenEndpoint = try reader.string("tokenEndpoint", maximumBytes: 4096)
    let deviceEndpoint = try reader.optionalString("deviceEndpoint", maximumBytes: 4096)
    client = OAuthClient(
      grant: grant, tokenEndpoint: try Self.endpoint(tokenEndpoint, "tokenEndpoint", reader),
      deviceEndpoint: try deviceEndpoint.map { text throws(RPCError) in
        try Self.endpoint(text, "deviceEndpoint", reader)
      }, identifier: identifier, scope: scope)
    guard grant == .deviceCode || deviceEndpoint == nil else {
      throw reader.fault("deviceEndpoint", "is for another grant")
    }
    switch grant {
    case .clientCredentials:
      // A client without a secret has no credentials (RFC 6749 §4.4).
      guard secretFile != nil else { throw reader.fault("clientSecretFile", "is missing") }
      guard refreshTokenFile == nil else { throw reader.fault("refreshTokenFile", "is for another grant") }
    case .refreshToken:
      guard refreshTokenFile != nil else { throw reader.fault("refreshTokenFile", "is missing") }
    case .deviceCode:
      guard deviceEndpoint != nil else { throw reader.fault("deviceEndpoint", "is missing") }
    }
  }

  /// Secrets go there: in cleartext they do not leave the host.
  private static func endpoint(
    _ text: String, _ name: String, _ reader: ParameterReader
  ) throws(RPCError) -> RequestURL {
    let url = try URLParameter.parse(text, path: reader.path(name))
    guard url.origin.isSecure || url.origin.isLoopback else {
      throw reader.fault(name, "must be https, or http on a loopback address")
    }
    guard url.userinfo == nil, !text.utf8.contains(UInt8(ascii: "#")) else {
      throw reader.fault(name, "must not have userinfo or a fragment")
    }
    return url
  }
}
