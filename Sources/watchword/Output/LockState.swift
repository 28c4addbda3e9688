internal import WatchwordMessages
internal import WatchwordVocabulary

/// What is locked: the agent, its vault, or neither.
enum LockState {
  case agent
  /// A passphrase opens it.
  case vault
  /// The keyring that has its key opens it; why it did not, for a person.
  case keyring(String)
  case nothing

  init(_ client: WatchwordClient) throws(Failure) {
    let status = try client.ask(Request.Status())
    let reason = status.vault.reason
    if status.locked {
      self = .agent
    } else if status.vault.state == "locked" {
      self = reason.map { .keyring($0) } ?? .vault
    } else if status.vault.state == "unavailable" {
      self = .keyring(reason ?? "")
    } else {
      self = .nothing
    }
  }

  /// Says beside a list why it lacks something.
  ///
  /// - Parameter fromVault: whether the vault keeps some of what is listed.
  static func explain(_ client: WatchwordClient, fromVault: Bool) throws(Failure) {
    switch try LockState(client) {
    case .agent: Diagnostics.hint("the agent is locked, and shows nothing")
    case .vault where fromVault: Diagnostics.hint("the vault is locked: what it keeps is not listed")
    case .keyring(let reason) where fromVault:
      Diagnostics.hint("what the vault keeps is not listed: \(DisplayText.escaped(reason))")
    case .vault, .keyring, .nothing: break
    }
  }
}
