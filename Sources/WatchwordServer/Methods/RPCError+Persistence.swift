internal import WatchwordCore
internal import WatchwordProtocol
internal import WatchwordVocabulary

extension RPCError {
  /// - Parameter path: of the member with the persistence.
  init(_ fault: SessionState.PersistenceFault, at path: String, in session: String) {
    let text: String
    switch fault {
    case .nothingToStore:
      self = .invalidParams(path, "none is for replies: nothing would be stored")
      return
    case .noVault:
      text =
        "passwords, tokens and identities are kept in memory only, until there is a sealed vault; use forSession"
    case .notDistributed: text = "this version distributes nothing to other hosts; use permanent"
    case .privateStorage:
      text = "session \(session) has private storage and keeps nothing beyond itself; use forSession"
    }
    self.init(.storageUnavailable, text)
  }
}

extension Session {
  /// Where an entry with this persistence is kept.
  func place(
    for persistence: Persistence, isDecision: Bool = false, isReply: Bool = false, path: String
  ) throws(RPCError) -> SessionState.StoragePlace {
    do throws(SessionState.PersistenceFault) {
      return try state.place(for: persistence, isDecision: isDecision, isReply: isReply)
    } catch {
      throw RPCError(error, at: path, in: name)
    }
  }
}
