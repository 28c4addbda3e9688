internal import WatchwordCore
internal import WatchwordVocabulary

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

    /// Seals the data key once for each opener. Beside it is the opener's key, sealed under the data key: so
    /// that the next data key can be sealed for all of them, while only one is at hand.
    func wrappings(of uid: UInt32) throws(VaultFault) -> [Wrapping] {
      try openers.map { (opener) throws(VaultFault) in
        guard let wrapped = opener.seal.seal(seal.key, for: Wrapping.associated(uid, opener.kind)),
          let key = seal.seal(opener.seal.key, for: Wrapping.associatedKey(uid, opener.kind))
        else { throw .unavailable("the system has no randomness") }
        return Wrapping(kind: opener.kind, parameters: opener.parameters, wrapped: wrapped, key: key)
      }
    }
  }

  /// The data key as an opener has it.
  struct Wrapping: Sendable {
    let kind: Opener.Kind
    let parameters: [UInt8]
    private let wrapped: [UInt8]
    /// The opener's key under the data key.
    private let key: [UInt8]

    init(kind: Opener.Kind, parameters: [UInt8], wrapped: [UInt8], key: [UInt8]) {
      self.kind = kind
      self.parameters = parameters
      self.wrapped = wrapped
      self.key = key
    }

    /// Those of the kinds that this version knows.
    static func all(in database: Database) throws(SQLiteFault) -> [Wrapping] {
      var wrappings: [Wrapping] = []
      let rows = try database.prepare("SELECT kind, parameters, wrapped, key FROM wrapping")
      while try rows.step() {
        guard let kind = rows.text(0).flatMap(Opener.Kind.init(rawValue:)) else { continue }
        // One with values of another type does not open, and is not lost in silence.
        wrappings.append(
          Wrapping(
            kind: kind, parameters: rows.blob(1) ?? [], wrapped: rows.blob(2) ?? [], key: rows.blob(3) ?? []))
      }
      return wrappings
    }

    static func replace(_ wrappings: [Wrapping], in database: Database) throws(SQLiteFault) {
      try database.execute("DELETE FROM wrapping")
      let insertion = try database.prepare(
        "INSERT INTO wrapping (kind, parameters, wrapped, key) VALUES (?, ?, ?, ?)")
      for wrapping in wrappings {
        try insertion.run(
          .text(wrapping.kind.rawValue), .blob(wrapping.parameters), .blob(wrapping.wrapped),
          .blob(wrapping.key))
      }
    }

    /// The data key; nil unless the opener fits.
    func open(with opener: Opener, of uid: UInt32) -> Seal? {
      opener.seal.open(wrapped, for: Wrapping.associated(uid, kind)).flatMap { Seal($0) }
    }

    /// The opener of an open vault.
    func opener(under seal: Seal, of uid: UInt32) -> Opener? {
      seal.open(key, for: Wrapping.associatedKey(uid, kind)).flatMap { Seal($0) }
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
