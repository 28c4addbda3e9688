/// Why a SOCKS proxy opens no connection (RFC 1928 §6; a SOCKS4 proxy says only `refused`).
package enum SOCKSFault: String, Sendable, CaseIterable {
  /// What it sent is not SOCKS of the expected version.
  case malformedReply
  /// It accepts none of the authentication methods of SOCKS that exist here.
  case noAcceptableMethod
  case refused
  case generalFailure
  case connectionNotAllowed
  case networkUnreachable
  case hostUnreachable
  case connectionRefused
  case timeToLiveExpired
  case commandNotSupported
  case addressTypeNotSupported
}
