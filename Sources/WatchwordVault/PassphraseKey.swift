internal import CCrypto
package import WatchwordVocabulary

/// A key from a passphrase by scrypt (RFC 7914), with the parameters that are stored beside what it seals.
struct PassphraseKey: Sendable, Equatable {
  /// 2¹⁷ blocks of 1 KiB: 128 MiB and some tenths of a second. What it seals can be copied and tried
  /// elsewhere.
  static let passphraseCostBits: UInt8 = 17
  /// 32 MiB and a tenth of a second: what tells whether it is the passphrase of a lock never leaves memory.
  static let lockCostBits: UInt8 = 15
  /// 1 MiB and some milliseconds: what systemd seals is random, and a host with a thousand accounts opens as
  /// many vaults when the daemon starts.
  static let credentialCostBits: UInt8 = 10
  /// What the account's own vault may ask for: 1 GiB at most.
  static let vaultCostBitsRange: ClosedRange<UInt8> = 10...20
  /// What a file of unknown origin may ask for: 256 MiB and a second at most.
  static let exportCostBitsRange: ClosedRange<UInt8> = 10...18
  private static let block: UInt32 = 8
  private static let saltBytes = 16
  static let storedBytes = 1 + saltBytes

  let costBits: UInt8
  let salt: [UInt8]

  /// With a new salt; nil without entropy.
  init?(costBits: UInt8) {
    guard let salt = Seal.randomOctets(Self.saltBytes) else { return nil }
    self.costBits = costBits
    self.salt = salt
  }

  /// As stored by `stored`; nil when that is malformed or asks for too much.
  init?(stored: [UInt8], within range: ClosedRange<UInt8> = vaultCostBitsRange) {
    guard stored.count == Self.storedBytes, range.contains(stored[0]) else { return nil }
    costBits = stored[0]
    salt = Array(stored.dropFirst())
  }

  var stored: [UInt8] { [costBits] + salt }

  /// Takes some tenths of a second: never on the loop. Nil without memory.
  func key(from passphrase: Secret) -> Secret? {
    var isDerived = false
    let key = Secret(count: Seal.keyBytes) { target in
      guard let output = target.bindMemory(to: UInt8.self).baseAddress else { return }
      isDerived = passphrase.withBytes {
        watchword_scrypt(
          $0.baseAddress, $0.count, salt, salt.count, 1 << UInt64(costBits), Self.block, 1, output)
      }
    }
    return isDerived ? key : nil
  }
}

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

  /// That of the previous daemon; nil when it cannot be one.
  package init?(_ derived: DerivedKey) {
    guard let parameters = PassphraseKey(stored: derived.parameters) else { return nil }
    self.parameters = parameters
    key = derived.key
  }

  package var derived: DerivedKey { DerivedKey(parameters: parameters.stored, key: key) }

  /// The same; nil without memory.
  package func matches(_ passphrase: Secret) -> Bool? {
    parameters.key(from: passphrase).map { $0 == key }
  }
}

/// The key that was made of a passphrase, for the daemon that follows. It opens what the passphrase opens.
package struct DerivedKey: Sendable, Equatable {
  /// As ``PassphraseKey/stored``.
  let parameters: [UInt8]
  let key: Secret

  init(parameters: [UInt8], key: Secret) {
    self.parameters = parameters
    self.key = key
  }

  /// Nil for what ``octets`` does not give.
  package init?(octets: Secret) {
    guard octets.count == PassphraseKey.storedBytes + Seal.keyBytes else { return nil }
    (parameters, key) = octets.withBytes { bytes in
      (
        Array(bytes.prefix(PassphraseKey.storedBytes)),
        Secret(copying: UnsafeRawBufferPointer(rebasing: bytes.dropFirst(PassphraseKey.storedBytes)))
      )
    }
  }

  package var octets: Secret { Secret(joining: [Secret(parameters), key]) }
}
