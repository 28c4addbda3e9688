internal import WatchwordCore
internal import WatchwordVocabulary

extension Vault {
  /// A key that opens a vault: it seals the data key. A vault can have one of each kind.
  package struct Opener: Sendable {
    let kind: Kind
    /// Of scrypt; the identifier of the item of the Secret Service; none of a key file.
    let parameters: [UInt8]
    let seal: Seal

    /// The key file of a directory, which is made if there is none.
    static func keyFile(of directory: String) throws(VaultFault) -> Opener {
      let file = KeyFile(in: directory)
      var found: Secret?
      // A key without a vault is from a making that was cut short, maybe before the key was whole.
      do throws(VaultFault) {
        found = try file.read()
      } catch {
        guard case .damaged = error else { throw error }
        try file.remove()
      }
      let key: Secret
      if let found { key = found } else { key = try file.create() }
      guard let seal = Seal(key) else { throw .damaged("\(file.path): is no key") }
      return Opener(kind: .keyFile, parameters: [], seal: seal)
    }

    /// With a new salt. Of a passphrase, it takes a tenth of a second.
    static func new(_ kind: Kind, from secret: Secret) throws(VaultFault) -> Opener {
      let costBits =
        kind == .systemdCredential ? PassphraseKey.credentialCostBits : PassphraseKey.passphraseCostBits
      guard let derivation = PassphraseKey(costBits: costBits) else {
        throw .unavailable("the system has no randomness")
      }
      return Opener(
        kind: kind, parameters: derivation.stored, seal: try Opener.seal(derivation, from: secret))
    }

    /// As stored. Of a passphrase, it takes a tenth of a second.
    init(_ kind: Kind, stored parameters: [UInt8], from secret: Secret, in path: String) throws(VaultFault) {
      guard let derivation = PassphraseKey(stored: parameters) else {
        throw .damaged("\(path): the parameters of its \(kind.text) are malformed")
      }
      self.init(kind: kind, parameters: parameters, seal: try Opener.seal(derivation, from: secret))
    }

    init(kind: Kind, parameters: [UInt8], seal: Seal) {
      self.kind = kind
      self.parameters = parameters
      self.seal = seal
    }

    private static func seal(_ derivation: PassphraseKey, from secret: Secret) throws(VaultFault) -> Seal {
      guard let key = derivation.key(from: secret), let seal = Seal(key) else {
        throw .unavailable("no memory for scrypt")
      }
      return seal
    }
  }
}

extension Vault.Opener.Kind {
  var text: String {
    switch self {
    case .keyFile: "key file"
    case .secretService: "item of the Secret Service"
    case .systemdCredential: "credential of systemd"
    case .passphrase: "passphrase"
    }
  }
}
