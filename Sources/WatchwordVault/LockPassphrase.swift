package import WatchwordSecret

/// What tells whether a passphrase is the one that locked the agent, without it.
package struct LockPassphrase: Sendable {
  private let parameters: PassphraseKey
  private let key: Secret

  /// Takes a tenth of a second: never on the loop. Nil without entropy or memory.
  package init?(_ passphrase: Secret) {
    guard let parameters = PassphraseKey(costBits: PassphraseKey.lockCostBits),
      let key = parameters.key(from: passphrase)
    else { return nil }
    self.parameters = parameters
    self.key = key
  }

  /// The same; nil without memory.
  package func matches(_ passphrase: Secret) -> Bool? {
    parameters.key(from: passphrase).map { $0 == key }
  }
}
