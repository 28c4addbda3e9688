internal import Foundation
internal import GRDB
internal import WatchwordPrimitives
package import WatchwordSecret

/// Other keys for a vault, and a check of it.
extension Vault {
  /// What a check has found.
  package struct Findings: Sendable {
    package let records: Int
    /// Records that do not open.
    package let unreadable: Int
    /// SQLite's first complaint about the structure of the file; nil: none.
    package let complaint: String?
  }

  /// From now on the vault opens with this passphrase and with nothing else. A key file beside it would make the
  /// passphrase useless, and goes. There is a new data key: who had the key file cannot read what is written later.
  package func setPassphrase(_ passphrase: Secret) throws(VaultFault) {
    try reseal(under: try Opener.new(passphrase))
    try KeyFile(in: directory).remove()
  }

  /// Seals every record under a new data key. The same key file or passphrase opens the vault.
  package func rekey() throws(VaultFault) { try reseal(under: keys.withLock { $0.opener }) }

  /// One transaction: after a crash all records are under the one data key or the other.
  private func reseal(under opener: Opener) throws(VaultFault) {
    let new = Keys(seal: try Vault.newSeal(), opener: opener)
    let wrapped = try new.wrapped(for: uid)
    try Vault.attempt(path) {
      try queue.write { database in
        let update = try database.makeStatement(sql: "UPDATE record SET sealed = ? WHERE number = ?")
        let rows = try Row.fetchAll(database, sql: "SELECT number, kind, space, sealed FROM record")
        for row in rows {
          // One that does not open now would not open later.
          guard let record = open(row), let sealed = new.seal.seal(record.contents, for: associated(row))
          else {
            continue
          }
          try update.execute(arguments: [Data(sealed), row["number"] as Int64])
        }
        try database.execute(sql: "DELETE FROM wrapping")
        try Vault.insert(opener, wrapped, into: database)
      }
    }
    keys.withLock { $0 = new }
  }

  /// Reads the whole file and opens every record.
  package func check() throws(VaultFault) -> Findings {
    let complaint = try Vault.attempt(path) {
      try queue.read { try String.fetchOne($0, sql: "PRAGMA integrity_check(1)") ?? "" }
    }
    let contents = try contents()
    return Findings(
      records: contents.records.count, unreadable: contents.unreadable,
      complaint: complaint == "ok" ? nil : complaint)
  }
}
