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
      submit(.trust(change), \.trust) { result in
        switch result {
        case .success(.recorded(let recording)): then(.success(recording))
        case .success(.full), .success(.removed), .success(.merged): then(.failure(VaultFault.noRoomForTrust))
        case .failure(let fault): then(.failure(fault))
        }
      }
    }
  }

  /// - Parameters:
  ///   - number: nil for any number.
  ///   - origin: nil for any origin.
  func removeTrust(
    number: UInt64?, origin: Origin?, then: @escaping (Result<Int, VaultFault>) -> Void
  ) {
    if let fault = lifecycle.removalFault { return then(.failure(fault)) }
    guard isBusy || queue.hasTrust || trust.holds(number: number, origin: origin) else {
      return then(.success(0))
    }
    submit(.trust(.remove(number: number, origin: origin)), \.trust) { result in
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
}
