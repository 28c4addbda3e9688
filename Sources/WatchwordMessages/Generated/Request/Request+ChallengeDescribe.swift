package import WatchwordJSON

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Request {
  /// The parameters of `challenge/describe`. Describes one pending challenge.
  package struct ChallengeDescribe: MethodRequest {
    package typealias Result = Sent.Challenge
    package static let method = "challenge/describe"

    package let challenge: String

    package init(challenge: String) {
      self.challenge = challenge
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("challenge", challenge)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      challenge = try object.member("challenge")
    }
  }
}
