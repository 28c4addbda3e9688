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

/// When a stored entry was given and used, and its limits, as lists show them.
package struct UseDescription {
  package let record: UseRecord
  package let secondsLeft: Double?
  /// As on the wire.
  package let created: String
  package let lastUsed: String?

  package init(_ record: UseRecord, now: Double, wallClock: Double) {
    self.record = record
    secondsLeft = record.expiry(now: now, wallClock: wallClock).map { max(0, $0 - now) }
    created = Timestamp.text(wallClock - (now - record.created))
    lastUsed = record.lastUsed.map { Timestamp.text(wallClock - (now - $0)) }
  }
}

extension CredentialLimits {
  /// The limits that are set.
  var sent: Sent.CredentialLimits {
    Sent.CredentialLimits(
      idleSeconds: idleSeconds, lifetimeSeconds: lifetimeSeconds, notAfter: notAfter.map(Timestamp.text),
      pathPrefixes: pathPrefixes.isEmpty ? nil : pathPrefixes, methods: methods.isEmpty ? nil : methods,
      maximumUses: maximumUses, confirm: confirm ? true : nil)
  }

  /// The same of what is used in a handshake, where no request is known.
  var sentOfHandshake: Sent.IdentityLimits {
    Sent.IdentityLimits(
      idleSeconds: idleSeconds, lifetimeSeconds: lifetimeSeconds, notAfter: notAfter.map(Timestamp.text),
      maximumUses: maximumUses)
  }
}

/// What restricted connections may fetch, and what they have made of it: in `session/describe` and `status`.
package struct RestrictionDescription: Describing {
  package let identifier: RestrictionIdentifier
  package let restriction: Restriction
  /// Connections that it restricts now.
  package let connections: Int
  /// The administrator's socket that it is of.
  package let socket: String?
  package let secondsLeft: Double?

  package init(
    _ identifier: RestrictionIdentifier, _ restriction: Restriction, connections: Int, socket: String?,
    now: Double
  ) {
    self.identifier = identifier
    self.restriction = restriction
    self.connections = connections
    self.socket = socket
    secondsLeft = restriction.expires.map { max(0, $0 - now) }
  }

  package var sent: Sent.Restriction {
    Sent.Restriction(
      restriction: identifier.description, rules: restriction.entries.map(\.sent), socket: socket,
      connections: connections, uses: restriction.uses, violations: restriction.violations,
      lastViolation: restriction.lastViolation.map { last in
        Sent.RestrictionLastViolation(
          time: Timestamp.text(last.time), reason: last.fault.reason.rawValue,
          origin: last.fault.origin?.description)
      }, secondsLeft: secondsLeft)
  }
}

extension Restriction.Entry {
  fileprivate var sent: Sent.RuleStatus {
    Sent.RuleStatus(
      methods: rule.methods?.sorted(), origin: rule.origin.description, path: rule.path.description,
      headers: rule.addedFields.sorted(),
      requestBytes: rule.requestBytes.map { Int($0) }, responseBytes: rule.responseBytes.map { Int($0) },
      perMinute: rule.perMinute, uses: uses)
  }
}
