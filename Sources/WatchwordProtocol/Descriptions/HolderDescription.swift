package import WatchwordCore
package import WatchwordJSON
package import WatchwordVocabulary

/// A connection that holds a session.
package struct HolderDescription {
  package let pid: Int32
  package let uid: UInt32
  package let executable: String?
  /// Its name from `initialize`.
  package let callerName: String?
  package let callerVersion: String?
  package let interest: DelegateInterest
  /// Nil for a connection that has every right.
  package let restriction: RestrictionIdentifier?

  package init(
    pid: Int32, uid: UInt32, executable: String?, callerName: String?, callerVersion: String?,
    interest: DelegateInterest, restriction: RestrictionIdentifier?
  ) {
    self.pid = pid
    self.uid = uid
    self.executable = executable
    self.callerName = callerName
    self.callerVersion = callerVersion
    self.interest = interest
    self.restriction = restriction
  }

  package func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("pid", Int(pid))
    writer.member("uid", Int(uid))
    writer.member("executable", executable)
    writer.member("name", callerName)
    writer.member("version", callerVersion)
    writer.key("delegate")
    writer.beginObject()
    writer.key("tasks")
    HolderDescription.write(interest.tasks, to: &writer)
    writer.key("session")
    HolderDescription.write(interest.session, to: &writer)
    if interest.trustVerdicts != .all { writer.member("trustVerdicts", interest.trustVerdicts.rawValue) }
    writer.endObject()
    writer.member("restriction", restriction?.description)
    writer.endObject()
  }

  private static func write(_ methods: DelegateInterest.Methods, to writer: inout JSONWriter) {
    switch methods {
    case .all: writer.strings(["*"])
    case .only(let methods): writer.strings(methods.map(\.rawValue).sorted())
    }
  }
}
