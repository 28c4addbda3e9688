internal import WatchwordCore
package import WatchwordJSON
package import WatchwordSecret
package import WatchwordVocabulary

/// `challenge/reply`: answers a challenge; exactly one reply counts.
package enum ChallengeReply {
  package struct Parameters: Sendable {
    package let challenge: String
    package let disposition: Disposition
    /// Nil with `useCredential`: continue without a credential. Ignored with another disposition.
    package let credential: GivenCredential?
    /// Of the agent's lock; there is no other credential then.
    package let passphrase: Secret?

    package init(_ object: JSONObject?) throws(RPCError) {
      (challenge, disposition, credential, passphrase) = try ParameterReader.decode(object) {
        reader throws(RPCError) in
        let challenge = try reader.string("challenge", maximumBytes: 256)
        let disposition = try reader.enumeration("disposition", Disposition.self)
        guard disposition == .useCredential else {
          _ = reader.member("credential")
          return (challenge, disposition, nil, nil)
        }
        if let passphrase = try reader.optionalPassphraseCredential("credential") {
          return (challenge, disposition, nil, passphrase)
        }
        return (challenge, disposition, try reader.optionalGivenCredential("credential"), nil)
      }
    }
  }

  package static func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("accepted", true)
    writer.endObject()
  }
}

extension ParameterReader {
  /// `{"passphrase"}`, with a persistence that means nothing; nil for another credential.
  fileprivate mutating func optionalPassphraseCredential(_ name: String) throws(RPCError) -> Secret? {
    guard case .object(let object) = member(name), object["passphrase"] != nil else { return nil }
    return try optionalObject(name) { reader throws(RPCError) in
      _ = try reader.optionalEnumeration("persistence", Persistence.self)
      return try reader.optionalPassphrase("passphrase")
    } ?? nil
  }
}
