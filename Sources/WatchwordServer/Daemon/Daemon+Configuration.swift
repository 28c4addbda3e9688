internal import Logging
internal import WatchwordJSON
internal import WatchwordMessages
internal import WatchwordOptions

/// What `server/configuration` shows.
extension Daemon {
  /// Each member as it is in use: some of the file that was read last, some of that of the start.
  var configurationInUse: Sent.ServerConfiguration {
    let place = options.configuration
    return Sent.ServerConfiguration(
      path: place?.path, isRead: configurationMembers != nil, isGiven: place.map { !$0.isOwn } ?? false,
      members: ConfigurationMembers.outermost.map(setting))
  }

  private func setting(_ member: ConfigurationMembers.Outermost) -> Sent.ServerSetting {
    let file = member.needsStart ? options.configurationMembers : configurationMembers
    let given = file?[member.name]
    // Left out, the level stays; an option of the command line comes before that of the file.
    if member.name == "logLevel" {
      return Sent.ServerSetting(
        name: member.name, value: .string(logger.logLevel.rawValue), isDefault: given == nil)
    }
    return Sent.ServerSetting(
      name: member.name, value: given ?? defaultValue(of: member), isDefault: given == nil)
  }

  private func defaultValue(of member: ConfigurationMembers.Outermost) -> JSONValue {
    guard let text = member.defaultText else { return .null }
    return Array(text.utf8).withUnsafeBytes { try? JSONParser().parse($0) } ?? .null
  }
}
