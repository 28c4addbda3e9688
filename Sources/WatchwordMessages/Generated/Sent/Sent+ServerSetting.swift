package import WatchwordJSON

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Sent {
  /// A member of the configuration file.
  package struct ServerSetting: SentObject {
    /// As transportSecurity; of the outermost object.
    package let name: String
    /// In use, as the file has it; else the default, null where there is none.
    package let value: JSONValue
    /// Whether the file does not have it.
    package let isDefault: Bool

    package init(name: String, value: JSONValue, isDefault: Bool) {
      self.name = name
      self.value = value
      self.isDefault = isDefault
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("name", name)
      writer.member("value", value)
      writer.member("isDefault", isDefault)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      name = try object.member("name")
      value = try object.member("value")
      isDefault = try object.member("isDefault")
    }
  }
}
