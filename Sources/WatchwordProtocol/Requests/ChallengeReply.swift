internal import WatchwordCore
internal import WatchwordJSON
package import WatchwordVocabulary

/// `challenge/reply`: answers a challenge; exactly one reply counts.
package enum ChallengeReply {
  package struct Parameters: MethodParameters {
    package let challenge: String
    package let disposition: Disposition
    /// Nil with `useCredential`: continue without a credential. Ignored with another disposition.
    package let credential: GivenCredential?
    /// For the history.
    package let because: String?
    /// Of the agent's lock; there is no other credential then.
    package let passphrase: Secret?

    package init(_ reader: inout ParameterReader) throws(RPCError) {
      let given = try ChallengeReplyParameters(&reader)
      challenge = given.challenge
      disposition = given.disposition
      because = given.because
      let used = disposition == .useCredential ? given.credential?.unlessNull : nil
      if let used, used.value.member("passphrase") != nil {
        passphrase = try used.object(PassphraseCredentialMembers.init).passphrase
        credential = nil
      } else {
        passphrase = nil
        credential = try used?.givenCredential()
      }
    }
  }
}

extension RedirectReplyParameters.Request {
  /// Bytes that are kept until the task ends.
  package var heldBytes: Int { (url?.utf8.count ?? 0) + (headers?.heldBytes ?? 0) }
}
