internal import WatchwordCore
internal import WatchwordJSON
internal import WatchwordProtocol
internal import WatchwordVocabulary

/// `credentialSources` of the daemon's configuration file: `{NAME: {"kind", "origins"?, …}}`.
extension NamedSource {
  /// More than a person names in one file.
  private static let maximumNames = 256
  /// As a request names it (`SourceCredential`).
  private static let maximumNameBytes = 128
  private static let maximumArguments = 64

  static func sources(_ reader: inout ParameterReader) throws(RPCError) -> [String: NamedSource] {
    var sources: [String: NamedSource] = [:]
    for member in try reader.members(maximum: maximumNames) {
      guard !member.name.isEmpty, member.name.utf8.count <= maximumNameBytes else {
        throw reader.fault(
          member.name, "must be a name of 1 to \(maximumNameBytes) bytes")
      }
      sources[member.name] = try member.value.object { reader throws(RPCError) in try NamedSource(&reader) }
    }
    return sources
  }

  private init(_ reader: inout ParameterReader) throws(RPCError) {
    var origins: Set<Origin>?
    for (index, text) in (try reader["origins"]?.strings() ?? []).enumerated() {
      origins = (origins ?? []).union([
        try URLParameter.origin(text, path: "\(reader.path("origins"))[\(index)]")
      ])
    }
    switch try reader.required("kind").enumeration(Name.self) {
    case .file:
      let path = try reader.required("path").filePath()
      self.init(
        .file(path: path, user: try reader["user"]?.string(maximumBytes: 4096)), origins: origins)
    case .systemd:
      let credential = try reader.required("name").systemdCredential()
      self.init(
        .systemd(name: credential, user: try reader["user"]?.string(maximumBytes: 4096)),
        origins: origins)
    case .gitHelper:
      let command = try reader["command"]?.strings(maximum: Self.maximumArguments) ?? []
      guard let program = command.first else { throw reader.fault("command", "is missing") }
      guard program.hasPrefix("/") else {
        throw reader.fault("command", "must begin with an absolute path")
      }
      let isTold = try reader["report"]?.bool() ?? false
      self.init(.gitHelper(GitHelper(command: command, isTold: isTold)), origins: origins)
    case .oauth: self.init(.oauth(try OAuthSource(&reader)), origins: origins)
    }
  }
}

extension OAuthSource {
  private static let maximumResources = 16

  fileprivate init(_ reader: inout ParameterReader) throws(RPCError) {
    let grant = try reader.required("grant").enumeration(OAuthClient.Grant.self)
    let identifier = try reader.required("clientIdentifier").string(maximumBytes: 1024)
    guard OAuthClient.isIdentifier(identifier) else {
      throw reader.fault("clientIdentifier", "must be visible characters of ASCII or spaces")
    }
    let scope = try reader["scope"]?.string(maximumBytes: 4096)
    if let scope, !OAuthClient.isScope(scope) {
      throw reader.fault("scope", "must be words of ASCII with one space between them")
    }
    let audience = try reader["audience"]?.string(maximumBytes: 4096)
    if let audience, !OAuthClient.isIdentifier(audience) {
      throw reader.fault("audience", "must be visible characters of ASCII or spaces")
    }
    let resources = try reader["resource"]?.strings(maximum: Self.maximumResources) ?? []
    guard resources.allSatisfy(OAuthClient.isResource) else {
      throw reader.fault("resource", "must be absolute URIs of ASCII without a fragment")
    }
    let secretPlace = try reader["clientSecretIn"]?.enumeration(OAuthClient.SecretPlace.self) ?? .header
    secretFile = try reader["clientSecretFile"]?.filePath()
    refreshTokenFile = try reader["refreshTokenFile"]?.filePath()
    roots = try reader["roots"]?.filePath()
    let tokenEndpoint = try reader.required("tokenEndpoint").string(maximumBytes: 4096)
    let deviceEndpoint = try reader["deviceEndpoint"]?.string(maximumBytes: 4096)
    client = OAuthClient(
      grant: grant, tokenEndpoint: try Self.endpoint(tokenEndpoint, "tokenEndpoint", reader),
      deviceEndpoint: try deviceEndpoint.map { text throws(RPCError) in
        try Self.endpoint(text, "deviceEndpoint", reader)
      }, identifier: identifier, secretPlace: secretPlace, scope: scope, audience: audience,
      resources: resources)
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
