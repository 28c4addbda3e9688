internal import WatchwordCore
package import WatchwordJSON
package import WatchwordVocabulary

/// `challenge/reply`: answers a challenge; exactly one reply counts.
package enum ChallengeReply {
  package struct Parameters: Sendable {
    package let challenge: String
    package let disposition: Disposition
    /// Nil with `useCredential`: continue without a credential. Ignored with another disposition.
    package let credential: GivenCredential?

    package init(_ object: JSONObject?) throws(RPCError) {
      (challenge, disposition, credential) = try ParameterReader.decode(object) { reader throws(RPCError) in
        let challenge = try reader.string("challenge", maximumBytes: 256)
        let disposition = try reader.enumeration("disposition", Disposition.self)
        guard disposition == .useCredential else {
          _ = reader.member("credential")
          return (challenge, disposition, nil)
        }
        return (challenge, disposition, try reader.optionalGivenCredential("credential"))
      }
    }
  }

  package static func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("accepted", true)
    writer.endObject()
  }
}
