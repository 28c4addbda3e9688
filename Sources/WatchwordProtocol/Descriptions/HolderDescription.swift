package import WatchwordCore
package import WatchwordMessages
package import WatchwordVocabulary

/// A connection that holds a session.
package struct HolderDescription: Describing {
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

  package var sent: Sent.Holder {
    Sent.Holder(
      pid: Int(pid), uid: Int(uid), executable: executable, name: callerName, version: callerVersion,
      delegate: interest.sent, restriction: restriction?.description)
  }
}

extension DelegateInterest {
  fileprivate var sent: Sent.HolderDelegate {
    Sent.HolderDelegate(
      tasks: tasks.names, session: session.names,
      trustVerdicts: trustVerdicts == .all ? nil : trustVerdicts.rawValue)
  }
}

extension DelegateInterest.Methods {
  fileprivate var names: [String] {
    switch self {
    case .all: ["*"]
    case .only(let methods): methods.map(\.rawValue).sorted()
    }
  }
}
