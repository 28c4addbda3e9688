internal import WatchwordSQLite
package import WatchwordSecret

extension Vault {
  /// What is at hand to open a vault with, beside the key file.
  package struct GivenKeys: Sendable {
    package let passphrase: Secret?
    /// The contents of the configured one.
    package let systemdCredential: Secret?

    /// The name of the configured one, when it cannot be read.
    package let missingCredential: String?
    package let secretService: SecretServiceAccess

    package init(
      passphrase: Secret? = nil, systemdCredential: Secret? = nil, missingCredential: String? = nil,
      secretService: SecretServiceAccess = .none("it is not used here")
    ) {
      self.secretService = secretService
      self.passphrase = passphrase
      self.systemdCredential = systemdCredential
      self.missingCredential = missingCredential
    }

    /// For a vault that is to open with it from now on; nil: none is configured.
    func wantedCredential() throws(VaultFault) -> Secret? {
      if let missingCredential {
        throw .unavailable("the credential \(missingCredential) of systemd cannot be read")
      }
      return systemdCredential
    }
  }

  /// Opens the data key with what fits first. A vault that has a passphrase waits for it when nothing else fits.
  static func unwrap(
    _ database: Database, _ path: String, in directory: String, of uid: UInt32, _ given: GivenKeys
  ) throws(VaultFault) -> Keys {
    let wrappings = try attempt(path) { () throws(SQLiteFault) in try Wrapping.all(in: database) }
    var fault: VaultFault?
    for kind in Opener.Kind.allCases {
      guard let wrapping = wrappings.first(where: { $0.kind == kind }) else { continue }
      do throws(VaultFault) {
        let opener = try opener(of: wrapping, path, in: directory, given)
        guard let seal = wrapping.open(with: opener, of: uid) else { throw misfit(kind, path, in: directory) }
        let others = wrappings.filter { $0.kind != kind }
        let openers = [opener] + others.compactMap { $0.opener(under: seal, of: uid) }
        return Keys(seal: seal, openers: openers, isIncomplete: openers.count < wrappings.count)
      } catch {
        if error == .postponed { throw error }
        // What a person can do is said rather than why it did not open by itself.
        fault = kind == .passphrase ? error : fault ?? error
      }
    }
    throw fault ?? .damaged("\(path): no key opens it")
  }

  private static func opener(
    of wrapping: Wrapping, _ path: String, in directory: String, _ given: GivenKeys
  ) throws(VaultFault) -> Opener {
    switch wrapping.kind {
    case .keyFile:
      let file = KeyFile(in: directory)
      guard let key = try file.read(), let seal = Seal(key) else {
        throw .unavailable("\(file.path): is missing, and opens the vault beside it")
      }
      return Opener(kind: .keyFile, parameters: wrapping.parameters, seal: seal)
    case .secretService: return try .stored(wrapping.parameters, given.secretService, path)
    case .systemdCredential:
      guard let secret = given.systemdCredential else {
        let name = given.missingCredential ?? "that the configuration does not name"
        throw .unavailable("\(path): opens with a credential of systemd, \(name), that cannot be read")
      }
      return try Opener(.systemdCredential, stored: wrapping.parameters, from: secret, in: path)
    case .passphrase:
      guard let passphrase = given.passphrase else { throw .locked }
      return try Opener(.passphrase, stored: wrapping.parameters, from: passphrase, in: path)
    }
  }

  private static func misfit(_ kind: Opener.Kind, _ path: String, in directory: String) -> VaultFault {
    switch kind {
    case .keyFile: .damaged("\(KeyFile(in: directory).path): does not fit the vault beside it")
    case .secretService: .damaged("\(path): the key of the Secret Service does not fit")
    case .systemdCredential: .unavailable("\(path): the credential of systemd is not the one that opens it")
    case .passphrase: .wrongPassphrase
    }
  }

  /// Brings a vault of an earlier schema to this one, in one transaction.
  static func migrate(
    _ database: Database, _ path: String, of uid: UInt32, _ keys: Keys
  ) throws(VaultFault) {
    let wrappings = try keys.wrappings(of: uid)
    try attempt(path) { () throws(SQLiteFault) in
      try database.transaction { () throws(SQLiteFault) in
        let version = try database.integer("PRAGMA user_version") ?? 0
        guard version < schemaVersion else { return }
        if version < 2 {
          try database.execute("ALTER TABLE wrapping ADD COLUMN key BLOB")
          try Wrapping.replace(wrappings, in: database)
        }
        try database.execute("PRAGMA user_version = \(schemaVersion)")
      }
    }
  }
}
