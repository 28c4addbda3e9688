internal import WatchwordCore
internal import WatchwordReactor
internal import WatchwordVault
internal import WatchwordVocabulary

/// Permanent credentials: the session's state decides, the account's vault keeps.
extension Session {
  /// Writes a credential that a server has accepted; the task that tried it ends after that.
  func keep(
    _ credential: Credential, for key: CredentialCache.Key, over ways: [CallersWay], generation: UInt64,
    triedBy task: TaskIdentifier
  ) {
    guard let account else {
      return take { state, _ in state.kept(key, generation: generation, as: nil, by: task) }
    }
    account.submit(.store(credential, for: [key.space], isDefault: true, over: ways)) { [weak self] result in
      guard let self, !isOver else { return }
      let number: UInt64? =
        switch result {
        case .success: account.credentials.entry(key)?.generation
        case .failure: nil
        }
      take { state, _ in state.kept(key, generation: generation, as: number, by: task) }
    }
  }
}
