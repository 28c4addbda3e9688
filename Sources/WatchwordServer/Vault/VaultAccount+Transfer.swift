internal import WatchwordCore
internal import WatchwordProtocol
internal import WatchwordReactor
internal import WatchwordVault
internal import WatchwordVocabulary

/// What exports and imports need of an account.
extension VaultAccount {
  /// Sealing and opening files, apart from SQLite's thread: nothing that is written waits for them.
  private static let transfers = BlockingPool(threads: 1)

  /// The contents of the open vault.
  func exportable() throws(RPCError) -> VaultContents {
    guard isOpen else { throw RPCError(fault ?? .unavailable("there is no vault yet")) }
    forgetExpired()
    return VaultContents(credentials: credentials.all, trust: trust, identities: identities.all.reversed())
  }

  /// Runs what takes scrypt's memory and time off the loop, once at a time for an account.
  func transfer<Answer: Sendable>(
    _ work: @escaping @Sendable () -> Answer, then: @escaping @ReactorActor (Answer) -> Void
  ) throws(RPCError) {
    guard !isTransferring else {
      throw RPCError(.storageUnavailable, "another export or import of this uid is running")
    }
    isTransferring = true
    VaultAccount.transfers.submit(work) { [self] answer in
      isTransferring = false
      then(answer)
    }
  }
}
