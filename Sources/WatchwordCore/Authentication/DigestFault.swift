/// Why a Digest value cannot be made although user and password are there.
package enum DigestFault: Error, Sendable, Equatable {
  /// The nonce has been used 4,294,967,295 times: send without, and take the nonce of the new challenge.
  case nonceExhausted
  /// The server offers `auth-int` only, and the body has not been hashed.
  case bodyHashNeeded
  /// The same, and it can be had: nothing has changed, try again with the hash.
  case bodyUnread
  case hashUnavailable
}
