internal import WatchwordCore
internal import WatchwordJSON
internal import WatchwordMessages
internal import WatchwordProtocol
internal import WatchwordReactor
internal import WatchwordVault
internal import WatchwordVocabulary

/// `agent/*`: the lock and the memory of the caller's uid.
@ReactorActor
enum AgentMethods {
  static func lock(_ daemon: Daemon, _ call: Call, _ object: JSONNode?) throws(RPCError) {
    let passphrase = try PassphraseParameters(object).passphrase
    let process = call.peer.process
    call.answer { () async throws(RPCError) in
      try await daemon.lock(process.uid, passphrase, for: call.peer.caller)
      return Sent.AgentLock(locked: true)
    }
  }

  /// The lock's passphrase when it is locked, otherwise the vault's.
  static func unlock(_ daemon: Daemon, _ call: Call, _ object: JSONNode?) throws(RPCError) {
    let passphrase = try PassphraseParameters(object).passphrase
    let process = call.peer.process
    guard daemon.isLocked(process.uid) else {
      let account = daemon.vaults.account(of: process.uid)
      return call.answer { () async throws(RPCError) in
        try await account.unlock(passphrase).value()
        daemon.noteChange()
        return Sent.AgentLock(locked: false)
      }
    }
    call.begin { () async throws(RPCError) in
      try await daemon.unlock(process.uid, passphrase, for: call.peer.caller) {
        call.succeed(Sent.AgentLock(locked: false))
      }
    }
  }

  static func forget(_ daemon: Daemon, _ call: Call, _ object: JSONNode?) throws(RPCError) {
    _ = try NoParameters(object)
    call.answer { await daemon.forget(call.peer.process.uid, for: call.peer.caller) }
  }
}

extension RPCError {
  static let agentLocked = RPCError.agentLocked("the agent is locked: the passphrase that locked it opens it")

  init(_ fault: AgentLock.LockFault) {
    switch fault {
    case .locked: self = .agentLocked
    case .unlocked: self = .challengeNotPending("the agent is not locked")
    case .busy: self = .storageUnavailable("another passphrase is being tried")
    }
  }
}
