package import WatchwordJSON

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Sent {
  /// `HolderDelegate` of the contract.
  package struct HolderDelegate: SentObject {
    package let tasks: [String]
    package let session: [String]
    package let trustVerdicts: String?

    package init(tasks: [String], session: [String], trustVerdicts: String?) {
      self.tasks = tasks
      self.session = session
      self.trustVerdicts = trustVerdicts
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("tasks", tasks)
      writer.member("session", session)
      if let trustVerdicts { writer.member("trustVerdicts", trustVerdicts) }
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      tasks = try object.member("tasks")
      session = try object.member("session")
      trustVerdicts = try object.memberIfPresent("trustVerdicts")
    }
  }
}
