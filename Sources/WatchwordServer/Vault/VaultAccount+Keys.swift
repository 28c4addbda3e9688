internal import WatchwordCore
internal import WatchwordReactor
internal import WatchwordSecret
internal import WatchwordVault

/// How a vault is made, unlocked and rekeyed.
extension VaultAccount {
  /// Makes a vault with a passphrase, or without one with the credential of systemd, the Secret Service or a key file.
  func make(_ passphrase: Secret?, then: @escaping (Result<Void, VaultFault>) -> Void) {
    guard place != nil else { return then(.failure(.unavailable(StorageFault.noPlace.text))) }
    guard !isClosed else { return then(.failure(.unavailable("the daemon is stopping"))) }
    guard !isOpen, fault == nil, !isBusy else { return then(.failure(fault ?? .alreadyMade)) }
    opening.append(then)
    open(isMade: true, passphrase: passphrase)
  }

  /// Opens a locked vault. Each wrong passphrase doubles the time until the next one is tried.
  func unlock(_ passphrase: Secret, then: @escaping (Result<Void, VaultFault>) -> Void) {
    if isWithoutKey {
      return askForKeyAgain { [self] in then(fault.map { .failure($0) } ?? .success(())) }
    }
    guard isLocked else { return then(.success(())) }
    guard !isTrying, let place else {
      return then(.failure(.unavailable("another passphrase is being tried")))
    }
    isTrying = true
    _ = EventLoop.shared.schedule(after: attempts.delay) { [self, clocks] in
      worker.submit { [uid] in
        VaultFile.open(place, of: uid, isMade: false, passphrase: passphrase, clocks)
      } then: { [self] outcome in
        isTrying = false
        if case .failure(let failure) = outcome, failure.fault == .wrongPassphrase {
          attempts.note(isRight: false)
          return then(.failure(.wrongPassphrase))
        }
        attempts.note(isRight: true)
        opened(outcome, isMade: false)
        if isUnderLock { forget {} }
        then(isOpen ? .success(()) : .failure(fault ?? .unavailable("there is no vault")))
      }
    }
  }

  /// Works on the open vault, behind the transactions that have been begun.
  func run<Answer: Sendable>(
    _ work: @escaping @Sendable (Vault) throws(VaultFault) -> Answer,
    then: @escaping (Result<Answer, VaultFault>) -> Void
  ) {
    guard let file else { return then(.failure(fault ?? .unavailable("there is no vault yet"))) }
    worker.submit {
      Result { () throws(VaultFault) in try work(file.vault) }
    } then: {
      then($0)
    }
  }
}
