package import WatchwordJSON

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Sent {
  /// The settings of the daemon in use (administrator.md 15.1).
  package struct ServerConfiguration: SentObject {
    /// Of the file; null when the daemon has no place for one.
    package let path: String?
    /// Whether the file was there when it was read last.
    package let isRead: Bool
    /// Whether --configuration names it; else it is the uid's own.
    package let isGiven: Bool
    package let members: [Sent.ServerSetting]

    package init(path: String?, isRead: Bool, isGiven: Bool, members: [Sent.ServerSetting]) {
      self.path = path
      self.isRead = isRead
      self.isGiven = isGiven
      self.members = members
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("path", path)
      writer.member("isRead", isRead)
      writer.member("isGiven", isGiven)
      writer.member("members", members)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      path = try object.member("path")
      isRead = try object.member("isRead")
      isGiven = try object.member("isGiven")
      members = try object.member("members")
    }
  }
}
