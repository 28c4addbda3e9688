internal import WatchwordCore
internal import WatchwordProtocol
internal import WatchwordReactor
internal import WatchwordVault
internal import WatchwordVocabulary

/// How a vault is unlocked and rekeyed.
extension VaultAccount {
  /// Opens a locked vault. Each wrong passphrase doubles the time until the next one is tried.
  func unlock(_ passphrase: Secret) async -> Result<Void, VaultFault> {
    if isWithoutKey {
      // The caller says that the user has unlocked the keyring: the Secret Service is asked at once.
      lifecycle.trySoon()
      await completion { read(then: $0) }
      return fault.map { .failure($0) } ?? .success(())
    }
    guard isLocked else { return .success(()) }
    guard !isTrying, let place else {
      return .failure(.unavailable("another passphrase is being tried"))
    }
    isTrying = true
    await EventLoop.shared.sleep(seconds: attempts.delay)
    let outcome = await worker.run { [uid, clocks] in
      VaultFile.open(place, of: uid, isMade: false, passphrase: passphrase, clocks)
    }
    isTrying = false
    if case .failure(let failure) = outcome, failure.fault == .wrongPassphrase {
      attempts.note(isRight: false)
      return .failure(.wrongPassphrase)
    }
    attempts.note(isRight: true)
    feed(outcome) { $0.opened($1, isMade: false, mayWait: false, $2) }
    if isUnderLock { feed { $0.forget($1) } }
    return isOpen ? .success(()) : .failure(fault ?? .unavailable("there is no vault"))
  }

  /// Works on the open vault, behind the transactions that have been begun.
  func run<Answer: Sendable>(
    _ work: @escaping @Sendable (Vault) throws(VaultFault) -> Answer
  ) async -> Result<Answer, VaultFault> {
    guard let file else { return .failure(fault ?? .unavailable("there is no vault yet")) }
    return await worker.run {
      Result { () throws(VaultFault) in try work(file.vault) }
    }
  }
}

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
      throw .storageUnavailable("another export or import of this uid is running")
    }
    isTransferring = true
    VaultAccount.transfers.submit(work) { [self] answer in
      isTransferring = false
      then(answer)
    }
  }
}
