package import WatchwordJSON
package import WatchwordVocabulary

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Request {
  /// The parameters of `challenge/reply`. Answers a challenge. Exactly one reply counts.
  package struct ChallengeReply: MethodRequest {
    package typealias Result = Sent.AcceptedReply
    package static let method = "challenge/reply"

    package let challenge: String
    package let disposition: Disposition
    package let credential: Request.Credential??

    package init(challenge: String, disposition: Disposition, credential: Request.Credential?? = nil) {
      self.challenge = challenge
      self.disposition = disposition
      self.credential = credential
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("challenge", challenge)
      writer.member("disposition", disposition)
      if let credential { writer.member("credential", credential) }
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      challenge = try object.member("challenge")
      disposition = try object.member("disposition")
      credential = try object.memberIfPresent("credential")
    }
  }
}
