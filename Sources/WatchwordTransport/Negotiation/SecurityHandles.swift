internal import CSecurity

/// A context of GSSAPI; used by one thread at a time.
// Unchecked: its task starts no step before the last one has ended.
final class SecurityContext: @unchecked Sendable {
  let pointer: OpaquePointer
  /// Which the context uses to its end.
  let credential: SecurityCredential

  init?(_ credential: SecurityCredential) {
    guard let pointer = security_context_make() else { return nil }
    self.pointer = pointer
    self.credential = credential
  }

  deinit { security_context_free(pointer) }
}

/// Tickets, or the user and password of NTLM, that several contexts share.
// Unchecked: the library locks it.
final class SecurityCredential: @unchecked Sendable {
  let pointer: OpaquePointer

  init?() {
    guard let pointer = security_credential_make() else { return nil }
    self.pointer = pointer
  }

  deinit { security_credential_free(pointer) }
}
