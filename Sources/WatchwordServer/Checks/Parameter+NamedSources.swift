internal import WatchwordCore
internal import WatchwordJSON
internal import WatchwordProtocol
internal import WatchwordVocabulary

/// `credentialSources` of the configuration file.
extension Parameter {
  func namedSource() throws(RPCError) -> NamedSource {
    try object { reader throws(RPCError) in
      let (kind, origins): (NamedSource.Kind, Set<Origin>?) =
        switch try SourceMembers(&reader) {
        case .file(let file): (.file(path: file.path, user: file.user), file.origins)
        case .systemd(let given): (.systemd(name: given.name, user: given.user), given.origins)
        case .gitHelper(let helper):
          (
            .gitHelper(NamedSource.GitHelper(command: helper.command, isTold: helper.report)),
            helper.origins
          )
        case .oauth(let source): (.oauth(try OAuthSource(source, reader)), source.origins)
        }
      return NamedSource(kind, origins: origins.flatMap { $0.isEmpty ? nil : $0 })
    }
  }

  func origins(maximum: Int) throws(RPCError) -> Set<Origin> {
    let origins = try array(maximum: maximum) { element throws(RPCError) in
      try URLParameter.origin(try element.string(maximumBytes: Int.max), path: element.path)
    }
    return Set(origins)
  }

  /// A program and its arguments.
  func helperCommand(maximum: Int, minimum: Int) throws(RPCError) -> [String] {
    let command = try strings(maximum: maximum)
    guard command.count >= minimum, let program = command.first else { throw fault("is missing") }
    guard program.hasPrefix("/") else { throw fault("must begin with an absolute path") }
    return command
  }
}

extension OAuthSource {
  /// - Parameter reader: of these members, for the faults.
  fileprivate init(_ given: OAuthSourceMembers, _ reader: ParameterReader) throws(RPCError) {
    guard given.grant == .deviceCode || given.deviceEndpoint == nil else {
      throw reader.fault("deviceEndpoint", "is for another grant")
    }
    switch given.grant {
    case .clientCredentials:
      // A client without a secret has no credentials (RFC 6749 §4.4).
      guard given.clientSecretFile != nil else { throw reader.fault("clientSecretFile", "is missing") }
      guard given.refreshTokenFile == nil else {
        throw reader.fault("refreshTokenFile", "is for another grant")
      }
    case .refreshToken:
      guard given.refreshTokenFile != nil else { throw reader.fault("refreshTokenFile", "is missing") }
    case .deviceCode:
      guard given.deviceEndpoint != nil else { throw reader.fault("deviceEndpoint", "is missing") }
    }
    self.init(
      client: OAuthClient(
        grant: given.grant, tokenEndpoint: given.tokenEndpoint, deviceEndpoint: given.deviceEndpoint,
        identifier: given.clientIdentifier, secretPlace: given.clientSecretIn, scope: given.scope,
        audience: given.audience, resources: given.resource ?? []),
      secretFile: given.clientSecretFile, refreshTokenFile: given.refreshTokenFile, roots: given.roots)
  }
}

/// The members of sources that ask an authorization server.
extension Parameter {
  /// Secrets go there: in cleartext they do not leave the host.
  func tokenEndpoint(maximumBytes: Int) throws(RPCError) -> RequestURL {
    let text = try string(maximumBytes: maximumBytes)
    let url = try URLParameter.parse(text, path: path)
    guard url.origin.isSecure || url.origin.isLoopback else {
      throw fault("must be https, or http on a loopback address")
    }
    guard url.userinfo == nil, !text.utf8.contains(UInt8(ascii: "#")) else {
      throw fault("must not have userinfo or a fragment")
    }
    return url
  }

  func clientIdentifier(maximumBytes: Int) throws(RPCError) -> String {
    let identifier = try string(maximumBytes: maximumBytes)
    guard OAuthClient.isIdentifier(identifier) else {
      throw fault("must be visible characters of ASCII or spaces")
    }
    return identifier
  }

  func scope(maximumBytes: Int) throws(RPCError) -> String {
    let scope = try string(maximumBytes: maximumBytes)
    guard OAuthClient.isScope(scope) else {
      throw fault("must be words of ASCII with one space between them")
    }
    return scope
  }

  func resources(maximum: Int) throws(RPCError) -> [String] {
    let resources = try strings(maximum: maximum)
    guard resources.allSatisfy(OAuthClient.isResource) else {
      throw fault("must be absolute URIs of ASCII without a fragment")
    }
    return resources
  }
}
