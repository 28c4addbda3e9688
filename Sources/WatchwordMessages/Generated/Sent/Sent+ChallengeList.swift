package import WatchwordJSON

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Sent {
  /// Pending challenges.
  package struct ChallengeList: SentObject {
    package let challenges: [Encoded<Sent.Challenge>]

    package init(challenges: [Encoded<Sent.Challenge>]) {
      self.challenges = challenges
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("challenges", challenges)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      challenges = try object.member("challenges")
    }
  }
}
