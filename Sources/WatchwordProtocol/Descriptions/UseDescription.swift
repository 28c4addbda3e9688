internal import WatchwordCore
internal import WatchwordMessages
internal import WatchwordVocabulary

/// When a stored entry was given and used, and its limits, as lists show them.
struct UseDescription {
  let secondsLeft: Double?
  /// As on the wire.
  let created: String
  let lastUsed: String?

  init(_ record: UseRecord, now: Double, wallClock: Double) {
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
