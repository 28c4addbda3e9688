package import WatchwordJSON

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Sent {
  /// `ChallengeError` of the contract.
  package struct ChallengeError: SentObject {
    /// weakerOffer: the origin has offered something stronger for this realm before. confirmUse:
    /// performDefaultHandling lets this process use a stored credential with the limit confirm. sourceFailed:
    /// the administrator's source of this name gave nothing. Those of methods.md 14.11 and 14.12: why a
    /// credential for negotiate or ntlm could not be used (ticketMissing, ticketExpired, credentialRefused,
    /// credentialMalformed, serverUnknown, kdcUnreachable, clockSkew, timedOut, unavailable and failed).
    package let kind: String
    /// Of sourceFailed: the name of the source.
    package let source: String?
    /// Of sourceFailed: why it gave nothing (administrator.md 15.3.8).
    package let reason: String?
    /// Of confirmUse.
    package let process: Int??
    /// Of weakerOffer.
    package let previous: Sent.OfferStrength?
    /// Of weakerOffer.
    package let offered: Sent.OfferStrength?

    package init(
      kind: String, source: String? = nil, reason: String? = nil, process: Int?? = nil,
      previous: Sent.OfferStrength? = nil, offered: Sent.OfferStrength? = nil
    ) {
      self.kind = kind
      self.source = source
      self.reason = reason
      self.process = process
      self.previous = previous
      self.offered = offered
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("kind", kind)
      if let source { writer.member("source", source) }
      if let reason { writer.member("reason", reason) }
      if let process { writer.member("process", process) }
      if let previous { writer.member("previous", previous) }
      if let offered { writer.member("offered", offered) }
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      kind = try object.member("kind")
      source = try object.memberIfPresent("source")
      reason = try object.memberIfPresent("reason")
      process = try object.memberIfPresent("process")
      previous = try object.memberIfPresent("previous")
      offered = try object.memberIfPresent("offered")
    }
  }
}
