package import WatchwordJSON

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Sent {
  /// A connection that has the session open.
  package struct Holder: SentObject {
    /// 0: a process of another pid namespace.
    package let pid: Int
    package let uid: Int
    /// A hint for display.
    package let executable: String?
    /// What it called itself in initialize.
    package let name: String?
    /// The version it named there.
    package let version: String?
    package let delegate: Sent.HolderDelegate
    /// What restricts it; null: nothing.
    package let restriction: String?

    package init(
      pid: Int, uid: Int, executable: String?, name: String?, version: String?, delegate: Sent.HolderDelegate,
      restriction: String?
    ) {
      self.pid = pid
      self.uid = uid
      self.executable = executable
      self.name = name
      self.version = version
      self.delegate = delegate
      self.restriction = restriction
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("pid", pid)
      writer.member("uid", uid)
      writer.member("executable", executable)
      writer.member("name", name)
      writer.member("version", version)
      writer.member("delegate", delegate)
      writer.member("restriction", restriction)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      pid = try object.member("pid")
      uid = try object.member("uid")
      executable = try object.member("executable")
      name = try object.member("name")
      version = try object.member("version")
      delegate = try object.member("delegate")
      restriction = try object.member("restriction")
    }
  }
}
