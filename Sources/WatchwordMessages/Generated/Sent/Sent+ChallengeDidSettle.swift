package import WatchwordJSON

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Sent {
  /// The parameters of `challenge/didSettle`. A challenge is over. To the holders that were asked.
  package struct ChallengeDidSettle: SentObject {
    package let challenge: String
    package let session: String
    package let outcome: String
    package let disposition: String?

    package init(challenge: String, session: String, outcome: String, disposition: String?) {
      self.challenge = challenge
      self.session = session
      self.outcome = outcome
      self.disposition = disposition
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("challenge", challenge)
      writer.member("session", session)
      writer.member("outcome", outcome)
      writer.member("disposition", disposition)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      challenge = try object.member("challenge")
      session = try object.member("session")
      outcome = try object.member("outcome")
      disposition = try object.member("disposition")
    }
  }
}
