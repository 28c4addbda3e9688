internal import WatchwordCore
internal import WatchwordJSON
internal import WatchwordProtocol
internal import WatchwordReactor
internal import WatchwordVault
internal import WatchwordVocabulary

/// Where a method keeps what it is given, and when.
extension Session {
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

  /// Continues a call when the account's vault is open; the first permanent credential makes it.
  func withVault(
    for call: Call, _ body: @escaping @ReactorActor () throws(RPCError) -> Void
  ) throws(RPCError) {
    guard let account else { return }
    if account.isOpen { return try body() }
    call.mayStop()
    account.prepare { result in
      if !call.isOver { call.proceed(with: result, body) }
    }
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
