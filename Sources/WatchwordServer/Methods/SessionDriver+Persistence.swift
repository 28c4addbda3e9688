internal import WatchwordCore
internal import WatchwordJSON
internal import WatchwordProtocol
internal import WatchwordReactor
internal import WatchwordVault
internal import WatchwordVocabulary

/// Where a method keeps what it is given, and when.
extension SessionDriver {
  /// Where an entry with this persistence is kept.
  func place(
    for persistence: Persistence, of kind: SessionState.StoredKind, isReply: Bool = false, path: String
  ) throws(RPCError) -> SessionState.StoragePlace {
    do throws(SessionState.PersistenceFault) {
      return try state.place(for: persistence, of: kind, isReply: isReply)
    } catch {
      throw RPCError(error, at: path, in: name)
    }
  }

  /// That of a session which keeps something beyond itself.
  var keptAccount: VaultAccount {
    get throws(RPCError) {
      guard let account else { throw RPCError(.privateStorage, at: "params", in: name) }
      return account
    }
  }

  /// Waits until the account's vault is open; the first permanent credential makes it.
  func openVault(for call: Call) async throws(RPCError) {
    let account = try keptAccount
    if !account.isOpen { try await call.wait { account.prepare(then: $0) }.value() }
  }

}

extension VaultAccount {
  /// Writes a change to the vault, which is opened or made first: the caller can cancel it until then.
  ///
  /// - Parameters:
  ///   - merged: of the same import.
  ///   - acknowledge: sends the reply as soon as the change counts, before anybody else hears of it.
  func keep(
    _ change: Change, merging merged: VaultChange.Merged = VaultChange.Merged(), for call: Call,
    acknowledge: @escaping @ReactorActor (VaultAnswer.Settled) -> Void
  ) async throws(RPCError) {
    // What is open is prepared at once, and would be cancelled after that.
    guard !isOpen else {
      return try await submit(change, merging: merged, acknowledge: acknowledge).value()
    }
    let outcome: Result<Void, VaultFault> = try await call.wait { end in
      prepare { [self] result in
        guard !call.isOver else { return }
        guard case .success = result else { return end(result) }
        call.mustGoOn()
        // At once: changes keep the order of their requests.
        submit(change, merging: merged) { result in end(result.map(acknowledge)) }
      }
    }
    try outcome.value()
  }
}

extension RPCError {
  /// - Parameter path: of the member with the persistence.
  init(_ fault: SessionState.PersistenceFault, at path: String, in session: String) {
    let text: String
    switch fault {
    case .nothingToStore:
      self = .invalidParams(path, "none is for replies: nothing would be stored")
      return
    case .memoryOnly(let kind):
      let name = kind == .tokenIdentity ? "identities whose keys are in tokens" : "Kerberos credentials"
      text = "\(name) are kept in memory only; use forSession"
    case .notDistributed:
      text = "no synchronization with other hosts is configured for this daemon; use permanent"
    case .notShared(let kind):
      let name =
        switch kind {
        case .decision: "decisions about certificates"
        case .identity, .tokenIdentity: "identities"
        case .kerberos: "Kerberos credentials"
        case .password, .token: "credentials"
        }
      text = "\(name) are not shared with other hosts"
    case .privateStorage:
      text = "session \(session) has private storage and keeps nothing beyond itself; use forSession"
    }
    self = .storageUnavailable(text)
  }
}

extension Result where Failure == VaultFault {
  /// What a vault has given, or the error for the caller.
  func value() throws(RPCError) -> Success {
    switch self {
    case .success(let value): return value
    case .failure(let fault): throw RPCError(fault)
    }
  }
}

extension RPCError {
  init(_ fault: VaultFault) {
    switch fault {
    case .damaged(let text):
      self = .vaultDamaged("nothing permanent can be kept: \(text); move the file away or restore it")
    case .unavailable, .keyring, .postponed:
      self = .storageUnavailable("nothing permanent can be kept: \(fault.text)")
    case .alreadyMade: self = .storageUnavailable(fault.text)
    case .locked: self = .agentLocked("\(fault.text): its passphrase opens it")
    case .wrongPassphrase:
      self = .credentialUnusable(fault.text, reason: IdentityFault.wrongPassphrase)
    }
  }
}
