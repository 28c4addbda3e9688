package import WatchwordJSON

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Request {
  /// Which challenges a connection takes. It replaces what the connection said before.
  package struct Delegate: SentObject {
    /// Methods this connection takes for tasks it started.
    package let tasks: [String]?
    /// Methods this connection takes for any task of the session.
    package let session: [String]?
    /// Whether serverTrust is asked about every chain, or about those only that default evaluation refuses.
    package let trustVerdicts: String?

    package init(tasks: [String]? = nil, session: [String]? = nil, trustVerdicts: String? = nil) {
      self.tasks = tasks
      self.session = session
      self.trustVerdicts = trustVerdicts
    }

    package func writeMembers(to writer: inout JSONWriter) {
      if let tasks { writer.member("tasks", tasks) }
      if let session { writer.member("session", session) }
      if let trustVerdicts { writer.member("trustVerdicts", trustVerdicts) }
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      tasks = try object.memberIfPresent("tasks")
      session = try object.memberIfPresent("session")
      trustVerdicts = try object.memberIfPresent("trustVerdicts")
    }
  }
}
