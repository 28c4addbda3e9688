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
      let path = try reader.string("path", maximumBytes: 4096)
      guard path.hasPrefix("/"), !path.utf8.contains(0) else {
        throw reader.fault("path", "must be an absolute path")
      }
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
    }
  }
}
