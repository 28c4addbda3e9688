/// Why a Digest value cannot be made from a user and a password.
package enum DigestFault: Error, Sendable, Equatable {
  /// The nonce has been used 4,294,967,295 times: send without it, and take the nonce of the new challenge.
  case nonceExhausted
  /// The server offers `auth-int` only, and the body has not been hashed.
  case bodyHashNeeded
  /// As `bodyHashNeeded`, but the body can be read: nothing has changed, try again with the hash.
  case bodyUnread
  case hashUnavailable
}
