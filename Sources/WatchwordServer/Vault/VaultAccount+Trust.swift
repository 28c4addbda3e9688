internal import WatchwordCore
internal import WatchwordReactor
internal import WatchwordVault
internal import WatchwordVocabulary

/// The permanent trust decisions of the account: records of its vault, like its credentials.
extension VaultAccount {
  /// Keeps a decision; the first permanent one makes the vault.
  ///
  /// - Parameter then: called when it is on the disk and counts: after "accepted", a caller is not asked
  ///   again after a crash.
  func record(
    _ decision: TrustDecision, about trust: ServerTrust,
    then: @escaping (Result<PermanentTrust.Recording, VaultFault>) -> Void
  ) {
    let change = PermanentTrust.Change.record(
      decision, about: PermanentTrust.Subject(trust), created: Int64(Clock.wallSeconds()))
    prepare { [self] result in
      if case .failure(let fault) = result { return then(.failure(fault)) }
      submit(change) { result in
        switch result {
        case .success(.recorded(let recording)): then(.success(recording))
        case .success(.full), .success(.removed), .success(.merged): then(.failure(VaultAccount.noRoom))
        case .failure(let fault): then(.failure(fault))
        }
      }
    }
  }

  static let noRoom = VaultFault.unavailable(
    "\(PermanentTrust.capacity) decisions are kept, and trust/remove makes room")

  /// - Parameters:
  ///   - number: nil for any number.
  ///   - origin: nil for any origin.
  func removeTrust(
    number: UInt64?, origin: Origin?, then: @escaping (Result<Int, VaultFault>) -> Void
  ) {
    // Nothing may seem to be taken back that counts again after the unlocking.
    if let fault, isWithoutKey || isLocked { return then(.failure(fault)) }
    guard isBusy || queue.hasTrust || trust.holds(number: number, origin: origin) else {
      return then(.success(0))
    }
    submit(.remove(number: number, origin: origin)) { result in
      switch result {
      case .success(.removed(let count)): then(.success(count))
      case .success(.recorded), .success(.merged), .success(.full): then(.success(0))
      case .failure(let fault): then(.failure(fault))
      }
    }
  }

  /// Undoes a recording that did not take effect. Call it at once, before any use of the decision.
  func takeBack(_ recording: PermanentTrust.Recording) {
    guard recording.isNew else { return }
    trust.takeBack(recording)
    queue.noteTrust()
    schedule()
  }

  func submit(
    _ change: PermanentTrust.Change, then: @escaping (Result<PermanentTrust.Outcome, VaultFault>) -> Void
  ) {
    guard !isClosed else { return then(.failure(.unavailable("the daemon is stopping"))) }
    enqueue { $0.append(change, then: then) }
  }
}
