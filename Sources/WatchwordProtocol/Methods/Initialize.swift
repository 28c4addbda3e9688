package import WatchwordJSON

/// `initialize`: names the caller and its capabilities. Optional.
package enum Initialize {
  package static let protocolVersion = "1"

  package struct Parameters: Sendable {
    /// Whether bodies may be returned as descriptors.
    package let takesDescriptors: Bool
    /// The caller's name and version, for people who look at the session.
    package let callerName: String?
    package let callerVersion: String?

    package init(_ object: JSONObject?) throws(RPCError) {
      (callerName, callerVersion, takesDescriptors) = try ParameterReader.decode(object) {
        reader throws(RPCError) in
        let name = try reader.optionalString("name", maximumBytes: 256)
        let version = try reader.optionalString("version", maximumBytes: 256)
        if let spoken = try reader.optionalString("protocolVersion"), spoken != Initialize.protocolVersion {
          throw reader.fault("protocolVersion", "this daemon speaks version \(Initialize.protocolVersion)")
        }
        let capabilities = try reader.optionalObject("capabilities") { reader throws(RPCError) in
          try reader.optionalBool("descriptors") ?? false
        }
        return (name, version, capabilities ?? false)
      }
    }
  }

  package struct Reply {
    package let version: String
    package let pid: Int32
    package let uid: UInt32
    package let limits: [(name: String, value: Int)]

    package init(version: String, pid: Int32, uid: UInt32, limits: [(name: String, value: Int)]) {
      self.version = version
      self.pid = pid
      self.uid = uid
      self.limits = limits
    }

    package func write(to writer: inout JSONWriter) {
      writer.beginObject()
      writer.member("name", "watchwordd")
      writer.member("version", version)
      writer.member("protocolVersion", Initialize.protocolVersion)
      writer.key("capabilities")
      writer.beginObject()
      writer.member("descriptors", true)
      writer.key("framings")
      writer.strings(["line", "contentLength"])
      writer.endObject()
      writer.member("pid", Int(pid))
      writer.member("uid", Int(uid))
      writer.key("limits")
      writer.integers(limits)
      writer.endObject()
    }
  }
}
