package import WatchwordCore
package import WatchwordJSON

/// `credential/set`: puts a credential into a session's storage.
package enum CredentialSet {
  package static let name = "credential/set"

  package struct Parameters: Sendable {
    package let session: String?
    /// Two for the method `default`.
    package let spaces: [ProtectionSpace]
    package let credential: Credential
    package let isDefault: Bool

    package init(_ object: JSONObject?) throws(RPCError) {
      (session, spaces, credential, isDefault) = try ParameterReader.decode(object) {
        reader throws(RPCError) in
        let session = try reader.optionalName("session")
        let spaces = try reader.protectionSpaces("protectionSpace")
        guard let credential = try reader.optionalCredential("credential") else {
          throw reader.fault("credential", "is missing")
        }
        return (session, spaces, credential, try reader.optionalBool("default") ?? true)
      }
    }
  }
}

/// `credential/remove`: removes one user's credential of a space, or all of them.
package enum CredentialRemove {
  package static let name = "credential/remove"

  package struct Parameters: Sendable {
    package let session: String?
    package let spaces: [ProtectionSpace]
    package let user: String?

    package init(_ object: JSONObject?) throws(RPCError) {
      (session, spaces, user) = try ParameterReader.decode(object) { reader throws(RPCError) in
        (
          try reader.optionalName("session"), try reader.protectionSpaces("protectionSpace"),
          try reader.optionalString("user", maximumBytes: 4096)
        )
      }
    }
  }
}

/// `credential/setDefault`: says which user of a space is used.
package enum CredentialSetDefault {
  package static let name = "credential/setDefault"

  package struct Parameters: Sendable {
    package let session: String?
    package let spaces: [ProtectionSpace]
    package let user: String

    package init(_ object: JSONObject?) throws(RPCError) {
      (session, spaces, user) = try ParameterReader.decode(object) { reader throws(RPCError) in
        (
          try reader.optionalName("session"), try reader.protectionSpaces("protectionSpace"),
          try reader.string("user", maximumBytes: 4096)
        )
      }
    }
  }
}

/// A credential as `credential/list` shows it: never a secret.
package struct CredentialDescription {
  package let credential: CachedCredential
  package let secondsLeft: Double?
  /// Seconds since 1970.
  package let created: Double
  package let lastUsed: Double?

  package init(_ credential: CachedCredential, now: Double, wallClock: Double) {
    self.credential = credential
    secondsLeft = credential.expiry(now: now, wallClock: wallClock).map { max(0, $0 - now) }
    created = wallClock - (now - credential.created)
    lastUsed = credential.lastUsed.map { wallClock - (now - $0) }
  }

  package func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("protectionSpace")
    credential.space.writeIdentity(to: &writer)
    writer.member("user", credential.credential.user)
    writer.member("kind", credential.credential.user == nil ? "token" : "password")
    writer.member("persistence", credential.credential.persistence.rawValue)
    writer.member("isDefault", credential.isDefault)
    writer.member("source", "session")
    writer.key("limits")
    writeLimits(to: &writer)
    writer.member("uses", credential.uses)
    writer.member("lastUsed", lastUsed.map(Timestamp.text))
    writer.member("created", Timestamp.text(created))
    writer.member("secondsLeft", secondsLeft)
    writer.endObject()
  }

  private func writeLimits(to writer: inout JSONWriter) {
    let limits = credential.credential.limits
    writer.beginObject()
    if let seconds = limits.idleSeconds { writer.member("idleSeconds", seconds) }
    if let seconds = limits.lifetimeSeconds { writer.member("lifetimeSeconds", seconds) }
    if let time = limits.notAfter { writer.member("notAfter", Timestamp.text(time)) }
    if !limits.pathPrefixes.isEmpty {
      writer.key("pathPrefixes")
      writer.strings(limits.pathPrefixes)
    }
    if !limits.methods.isEmpty {
      writer.key("methods")
      writer.strings(limits.methods)
    }
    if let uses = limits.maximumUses { writer.member("maximumUses", uses) }
    if limits.confirm { writer.member("confirm", true) }
    writer.endObject()
  }
}
