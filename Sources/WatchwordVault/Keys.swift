internal import Foundation
internal import GRDB
internal import WatchwordSecret

extension Vault {
  /// The data key of an open vault, and what opens it.
  struct Keys: Sendable {
    /// Under the data key.
    let seal: Seal
    /// The one that was used comes first.
    let openers: [Opener]
    /// Whether there are openers whose keys the data key does not have.
    let isIncomplete: Bool

    init(seal: Seal, openers: [Opener], isIncomplete: Bool = false) {
      self.seal = seal
      self.openers = openers
      self.isIncomplete = isIncomplete
    }

    /// Writes the data key once for each opener. Beside it is the opener's key, sealed under the data key: so that the
    /// next data key can be sealed for all of them, while only one is at hand.
    func write(to database: Database, for uid: UInt32) throws {
      try database.execute(sql: "DELETE FROM wrapping")
      for opener in openers {
        guard let wrapped = opener.seal.seal(seal.key, for: Wrapping.associated(uid, opener.kind)),
          let key = seal.seal(opener.seal.key, for: Wrapping.associatedKey(uid, opener.kind))
        else { throw VaultFault.unavailable("the system has no randomness") }
        try database.execute(
          sql: "INSERT INTO wrapping (kind, parameters, wrapped, key) VALUES (?, ?, ?, ?)",
          arguments: [opener.kind.rawValue, Data(opener.parameters), Data(wrapped), Data(key)])
      }
    }
  }

  /// The data key as an opener has it.
  struct Wrapping: Sendable {
    let kind: Opener.Kind
    let parameters: [UInt8]
    private let wrapped: [UInt8]
    /// The opener's key under the data key; nil in schema 1.
    private let key: [UInt8]?

    /// Nil for a kind that this version does not know.
    init?(_ row: Row) {
      guard let kind = Opener.Kind(rawValue: row["kind"] as String) else { return nil }
      self.kind = kind
      parameters = [UInt8](row["parameters"] as Data)
      wrapped = [UInt8](row["wrapped"] as Data)
      key = (row["key"] as Data?).map { [UInt8]($0) }
    }

    /// The data key; nil unless the opener fits.
    func open(with opener: Opener, of uid: UInt32) -> Seal? {
      opener.seal.open(wrapped, for: Wrapping.associated(uid, kind)).flatMap { Seal($0) }
    }

    /// The opener of an open vault.
    func opener(under seal: Seal, of uid: UInt32) -> Opener? {
      key.flatMap { seal.open($0, for: Wrapping.associatedKey(uid, kind)) }.flatMap { Seal($0) }
        .map { Opener(kind: kind, parameters: parameters, seal: $0) }
    }

    static func associated(_ uid: UInt32, _ kind: Opener.Kind) -> [UInt8] {
      associated("watchword data key", uid, kind)
    }

    static func associatedKey(_ uid: UInt32, _ kind: Opener.Kind) -> [UInt8] {
      associated("watchword opener", uid, kind)
    }

    private static func associated(_ use: String, _ uid: UInt32, _ kind: Opener.Kind) -> [UInt8] {
      var octets = Array(use.utf8) + [0]
      withUnsafeBytes(of: uid.bigEndian) { octets += $0 }
      return octets + Array(kind.rawValue.utf8)
    }
  }
}
