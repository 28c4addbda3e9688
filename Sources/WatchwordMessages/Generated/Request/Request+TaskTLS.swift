package import WatchwordJSON

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Request {
  /// The versions of TLS of one task.
  package struct TaskTLS: SentObject {
    /// Not above the maximum, the task's or the session's.
    package let minimumVersion: String?
    /// Not below the minimum, the task's or the session's.
    package let maximumVersion: String?

    package init(minimumVersion: String? = nil, maximumVersion: String? = nil) {
      self.minimumVersion = minimumVersion
      self.maximumVersion = maximumVersion
    }

    package func writeMembers(to writer: inout JSONWriter) {
      if let minimumVersion { writer.member("minimumVersion", minimumVersion) }
      if let maximumVersion { writer.member("maximumVersion", maximumVersion) }
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      minimumVersion = try object.memberIfPresent("minimumVersion")
      maximumVersion = try object.memberIfPresent("maximumVersion")
    }
  }
}
