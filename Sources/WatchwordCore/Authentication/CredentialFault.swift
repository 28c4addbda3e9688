/// Why a credential cannot answer a challenge; the raw value is the `reason` of `credentialUnusable`.
package enum CredentialFault: String, Error, Sendable, CaseIterable {
  /// A token where user and password are needed, a password where a trust reply is needed, or the like.
  case wrongKind
  /// CR, LF, NUL or another control character, which would end or split the header field (CVE-2020-5260).
  case controlCharacter
  /// A colon in a Basic user name: the server would take the text after it for the password (RFC 7617 §2).
  case colonInUser
  /// A password that is not UTF-8, where the method or the server takes texts only.
  case notUTF8
  /// A token that is empty or has a space.
  case malformedToken
  case tooLong
  /// The administrator's configuration has no source, cache or keytab of this name.
  case unknownName
  /// The session has no identity with this id.
  case unknownIdentity
  /// The administrator's source is for other origins.
  case otherOrigin
  /// The administrator's source gave nothing that can be used.
  case sourceFailed
  /// The caller decides where a request to the origin ends: what a source gives is not sent there.
  case callersWay
  /// It cannot go with the first request: the method needs a challenge, or a proxy asks by itself.
  case notPreemptive
  /// It needs a confirmation, and a reading raises no challenge.
  case confirmationNeeded
  /// The daemon's own tickets, for a session of another account.
  case otherAccount
}
