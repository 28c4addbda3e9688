package import WatchwordJSON

/// `initialize`: names the caller and its capabilities. Optional.
package enum Initialize {
  package static let protocolVersion = "1"

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
