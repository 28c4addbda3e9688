internal import CSecurity

/// A context of GSSAPI; used by one thread at a time.
// Unchecked: its task starts no step before the last one has ended.
final class SecurityContext: @unchecked Sendable {
  let pointer: OpaquePointer

  init?() {
    guard let pointer = security_context_make() else { return nil }
    self.pointer = pointer
  }

  deinit { security_context_free(pointer) }
}

/// Tickets that several contexts share.
// Unchecked: the library locks it.
final class SecurityCredential: @unchecked Sendable {
  let pointer: OpaquePointer

  init?() {
    guard let pointer = security_credential_make() else { return nil }
    self.pointer = pointer
  }

  deinit { security_credential_free(pointer) }
}
