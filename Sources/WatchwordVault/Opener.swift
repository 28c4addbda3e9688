internal import WatchwordSecret

extension Vault {
  /// The key that opens a vault: it seals the data key.
  package struct Opener: Sendable {
    package enum Kind: String, Sendable {
      case keyFile
      case passphrase
    }

    let kind: Kind
    /// Of a passphrase.
    let parameters: [UInt8]
    let seal: Seal

    /// The key file of a directory, which is made if there is none.
    static func keyFile(of directory: String) throws(VaultFault) -> Opener {
      let file = KeyFile(in: directory)
      let key: Secret
      // A key without a vault is from a making that was cut short.
      if let found = try file.read() { key = found } else { key = try file.create() }
      guard let seal = Seal(key) else { throw .damaged("\(file.path): is no key") }
      return Opener(kind: .keyFile, parameters: [], seal: seal)
    }

    /// With a new salt. Takes a tenth of a second.
    static func new(_ passphrase: Secret) throws(VaultFault) -> Opener {
      guard let derivation = PassphraseKey() else { throw .unavailable("the system has no randomness") }
      guard let key = derivation.key(from: passphrase), let seal = Seal(key) else {
        throw .unavailable("no memory for scrypt")
      }
      return Opener(kind: .passphrase, parameters: derivation.stored, seal: seal)
    }
  }

  /// The data key of an open vault, and what opens it.
  struct Keys: Sendable {
    /// Under the data key.
    let seal: Seal
    let opener: Opener

    init(seal: Seal, opener: Opener) {
      self.seal = seal
      self.opener = opener
    }

    /// Nil unless the opener fits.
    init?(_ wrapped: [UInt8], for uid: UInt32, openedBy opener: Opener) {
      guard let key = opener.seal.open(wrapped, for: Keys.associated(uid, opener.kind)),
        let seal = Seal(key)
      else { return nil }
      self.init(seal: seal, opener: opener)
    }

    /// The data key, sealed.
    func wrapped(for uid: UInt32) throws(VaultFault) -> [UInt8] {
      guard let wrapped = opener.seal.seal(seal.key, for: Keys.associated(uid, opener.kind)) else {
        throw .unavailable("the system has no randomness")
      }
      return wrapped
    }

    private static func associated(_ uid: UInt32, _ kind: Opener.Kind) -> [UInt8] {
      var octets = Array("watchword data key".utf8) + [0]
      withUnsafeBytes(of: uid.bigEndian) { octets += $0 }
      return octets + Array(kind.rawValue.utf8)
    }
  }
}
