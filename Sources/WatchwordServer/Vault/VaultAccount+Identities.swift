internal import WatchwordCore
internal import WatchwordReactor
internal import WatchwordTransport
internal import WatchwordVault
internal import WatchwordVocabulary

/// The permanent client identities of the account: records of its vault, like its credentials. Their keys are
/// ready for handshakes as long as the vault is open.
extension VaultAccount {
  /// Keeps an identity; the first permanent one makes the vault.
  ///
  /// - Parameter then: called when it is on the disk and counts, before other sessions hear of it. False
  ///   takes it back.
  func add(
    _ draft: PermanentIdentities.Draft, with key: ClientIdentity,
    then: @escaping (Result<Void, VaultFault>) -> Bool
  ) {
    prepare { [self] result in
      if case .failure(let fault) = result {
        _ = then(.failure(fault))
        return
      }
      submit(.identities(.add(draft)), \.identities) { [self] result in
        switch result {
        case .success(.added(let addition)):
          identityKeys[addition.entry.identifier] = key
          guard then(.success(())) else { return takeBack(addition) }
          let change: CredentialChange = addition.replaced.isEmpty ? .added : .replaced
          tell([PermanentIdentityChange(addition.entry, change)])
        case .success(.full), .success(.removed), .success(.merged):
          _ = then(.failure(VaultFault.noRoomForIdentities))
        case .failure(let fault): _ = then(.failure(fault))
        }
      }
    }
  }

  /// - Parameters:
  ///   - identifier: nil for all.
  ///   - then: with the number of certificates that are gone.
  func removeIdentities(_ identifier: String?, then: @escaping (Result<Int, VaultFault>) -> Void) {
    if let fault = lifecycle.removalFault { return then(.failure(fault)) }
    let concerns = identifier.map { identities.holds($0) } ?? (identities.count > 0)
    guard isBusy || queue.hasIdentities || concerns else { return then(.success(0)) }
    submit(.identities(.remove(identifier: identifier)), \.identities) { [self] result in
      switch result {
      case .success(.removed(let entries)):
        releaseIdentityKeys()
        then(.success(entries.count))
        if !entries.isEmpty { tell(entries.map { PermanentIdentityChange($0, .removed) }) }
      case .success(.added), .success(.merged), .success(.full): then(.success(0))
      case .failure(let fault): then(.failure(fault))
      }
    }
  }

  /// Those of an import count.
  func takeOver(_ merging: PermanentIdentities.Merging, with keys: [String: ClientIdentity]) {
    guard !merging.entries.isEmpty else { return }
    for entry in merging.entries { identityKeys[entry.identifier] = keys[entry.identifier] }
    tell(merging.entries.map { PermanentIdentityChange($0, .added) })
  }

  /// Takes over what the limits have ended and what was used since.
  func carryOutIdentityNews() {
    let news = identities.takeNews()
    guard !news.isEmpty else { return }
    queue.note(news)
    schedule()
    guard !news.expired.isEmpty else { return }
    releaseIdentityKeys()
    // Connections of other sessions may depend on them.
    EventLoop.shared.atEndOfTurn { [self] in
      tell(news.expired.map { PermanentIdentityChange($0, .removed) })
    }
  }

  private func tell(_ changes: [PermanentIdentityChange]) {
    environment.permanentIdentitiesChanged(changes, of: uid)
  }

  /// Connections that use a key hold it themselves.
  func releaseIdentityKeys() {
    identityKeys = identityKeys.filter { identities.holds($0.key) }
  }

  private func takeBack(_ addition: PermanentIdentities.Addition) {
    identities.takeBack(addition)
    releaseIdentityKeys()
    queue.noteIdentities()
    schedule()
  }
}
