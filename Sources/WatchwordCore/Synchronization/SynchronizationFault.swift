/// Why the fleet's store cannot be used now, or something in it; `status` shows the last one (administrator.md 15.4).
package enum SynchronizationFault: String, Error, Sendable, CaseIterable {
  /// No endpoint takes a connection, or it was lost.
  case unreachable
  /// The endpoint's certificate is not accepted, or it does not accept this host's.
  case untrusted
  case timedOut
  /// The store refuses the user, the password or a request.
  case refused
  /// The member has lost the others.
  case unavailable
  /// What was read is no reply of etcd's.
  case malformed
  /// A reply or a credential is larger than what is read or written.
  case tooLarge
  /// More records than a vault may have.
  case tooMany
  /// Changes were made that the watch has not shown.
  case silent
  /// The key file, or another file of the configuration, cannot be used.
  case fileUnusable
  /// The vault cannot be written.
  case vaultUnwritable
}
