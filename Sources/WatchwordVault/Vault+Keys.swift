package import WatchwordCore
package import WatchwordVocabulary

/// Other keys for a vault, and a check of it.
extension Vault {
  /// What a check has found.
  package struct Findings: Sendable {
    package let contents: Contents
    /// SQLite's first complaint about the structure of the file; nil: none.
    package let complaint: String?
  }

  /// From now on the vault opens with this passphrase. What opens it without a person would make the
  /// passphrase useless, and goes unless it is kept. There is a new data key: a copy of the key file cannot
  /// read what is written later.
  ///
  /// - Parameter given: the Secret Service, whose item goes.
  package func setPassphrase(
    _ passphrase: Secret, keepsOthers: Bool = false, _ given: GivenKeys = GivenKeys()
  ) throws(VaultFault) {
    let others = keepsOthers ? try allOpeners().filter { $0.kind != .passphrase } : []
    try reseal(under: [try Opener.new(.passphrase, from: passphrase)] + others, given.secretService)
  }

  /// Seals every record under a new data key. What has opened the vault opens it, except that a credential of
  /// systemd takes the place of a key file.
  ///
  /// - Parameter kind: what opens the vault without a person from now on, a key file or the Secret Service;
  ///   nil: what did.
  package func rekey(_ given: GivenKeys = GivenKeys(), to kind: Opener.Kind? = nil) throws(VaultFault) {
    var openers = try allOpeners()
    let new: Opener?
    switch kind {
    case .keyFile: new = try Opener.keyFile(of: directory)
    case .secretService:
      switch given.secretService {
      case .none(let reason): throw .keyring("the Secret Service: \(reason)", isLocked: false)
      case .later: throw .postponed
      case .now(let service): new = try Opener.kept(in: service, for: path)
      }
    case .systemdCredential, .passphrase, nil:
      new = try given.wantedCredential().map { (secret) throws(VaultFault) in
        try Opener.new(.systemdCredential, from: secret)
      }
    }
    if let new {
      openers.removeAll { $0.kind != .passphrase }
      openers.insert(new, at: 0)
    }
    do throws(VaultFault) {
      try reseal(under: openers, given.secretService)
    } catch {
      if case .now(let service) = given.secretService, let item = new?.item { service.remove(item) }
      throw error
    }
  }

  private func allOpeners() throws(VaultFault) -> [Opener] {
    let keys = keys.withLock { $0 }
    guard !keys.isIncomplete else { throw .damaged("\(path): the keys that open it were altered") }
    return keys.openers
  }

  /// One transaction: after a crash all records are under the one data key or the other.
  private func reseal(
    under openers: [Opener], _ secretService: GivenKeys.SecretServiceAccess
  ) throws(VaultFault) {
    let new = Keys(seal: try Vault.newSeal(), openers: openers)
    let items = keys.withLock { $0.openers.compactMap(\.item) }
    let wrappings = try new.wrappings(of: uid)
    try transact { (database) throws(SQLiteFault) in
      let update = try database.prepare("UPDATE record SET sealed = ? WHERE number = ?")
      for row in try SealedRow.all(in: database) {
        // One that does not open now would not open later.
        guard let record = open(row), let sealed = new.seal.seal(record.contents, for: row.associated(uid))
        else { continue }
        try update.run(.blob(sealed), .integer(row.number))
      }
      try Wrapping.replace(wrappings, in: database)
    }
    keys.withLock { $0 = new }
    if !openers.contains(where: { $0.kind == .keyFile }) { try KeyFile(in: directory).remove() }
    guard case .now(let service) = secretService else { return }
    for item in items where !openers.contains(where: { $0.item == item }) { service.remove(item) }
  }

  /// Reads the whole file and opens every record.
  package func check() throws(VaultFault) -> Findings {
    let complaint = try withDatabase { (database) throws(SQLiteFault) in
      try database.text("PRAGMA integrity_check(1)") ?? ""
    }
    return Findings(contents: try contents(), complaint: complaint == "ok" ? nil : complaint)
  }
}
