package import WatchwordCore
package import WatchwordVocabulary

/// Records of a vault in a file, sealed under a passphrase of its own, that another vault can take over.
///
/// The file is a header and a body. The header has a mark, a version, the parameters of scrypt, the data key
/// sealed under the key that scrypt makes of the passphrase, and the length of the body. The body is the
/// records, sealed under the data key with the header as associated data. So a wrong passphrase, a file that
/// was cut and one that was altered are told apart.
package enum VaultExport {
  /// Why a file is not read, or not made.
  package enum ExportFault: String, Error, Sendable, Equatable {
    case notAnExport
    case newerVersion
    case truncated
    case altered
    case tooLarge
    /// Its scrypt would take more memory and time than a file of unknown origin may cost.
    case tooCostly
    /// A record in it is none that can be used.
    case unusable
    case wrongPassphrase
    /// The system has no randomness, or no memory for scrypt.
    case noResources

    /// The end of a sentence about the file.
    package var text: String {
      switch self {
      case .notAnExport: "is no export of a vault"
      case .newerVersion: "was written by a later version; this one reads version \(VaultExport.version)"
      case .truncated: "is truncated"
      case .altered: "was altered, or is damaged"
      case .tooLarge: "is larger than \(VaultExport.maximumBytes) bytes, or than a vault may be"
      case .tooCostly: "asks for more memory than a file may"
      case .unusable: "has a record that cannot be used"
      case .wrongPassphrase: "does not open with this passphrase"
      case .noResources: "cannot be read or made: no memory or no randomness"
      }
    }
  }

  private static let mark = Array("watchword export".utf8)
  private static let version: UInt8 = 1
  /// Some ten thousand credentials have 4 MiB.
  package static let maximumBytes = 64 * 1024 * 1024
  private static let maximumRecords =
    PermanentCredentials.capacity + PermanentTrust.capacity + PermanentIdentities.capacity
  private static let wrappedBytes = Seal.keyBytes + Seal.overhead
  private static let headerBytes = mark.count + 1 + PassphraseKey.storedBytes + wrappedBytes + 8

  // MARK: Sealing

  /// Takes half a second: never on the loop.
  package static func seal(
    _ records: [VaultRecord], under passphrase: Secret
  ) throws(ExportFault) -> [UInt8] {
    let body = try joined(records)
    guard let derivation = PassphraseKey(costBits: PassphraseKey.passphraseCostBits),
      let outer = derivation.key(from: passphrase).flatMap({ Seal($0) }),
      let inner = Seal.randomKey().flatMap({ Seal($0) })
    else { throw .noResources }
    var header = mark + [version] + derivation.stored
    guard let wrapped = outer.seal(inner.key, for: header) else { throw .noResources }
    header += wrapped
    withUnsafeBytes(of: UInt64(body.count + Seal.overhead).bigEndian) { header += $0 }
    guard let sealed = inner.seal(body, for: header) else { throw .noResources }
    return header + sealed
  }

  // MARK: Opening

  /// Takes half a second, and a second at most: never on the loop.
  package static func open(_ file: [UInt8], with passphrase: Secret) throws(ExportFault) -> [VaultRecord] {
    guard file.count <= maximumBytes else { throw .tooLarge }
    guard file.starts(with: mark.prefix(file.count)), !file.isEmpty else { throw .notAnExport }
    var rest = file.dropFirst(mark.count)
    guard let found = rest.popFirst() else { throw .truncated }
    guard found <= version else { throw .newerVersion }
    guard found == version else { throw .altered }
    guard file.count >= headerBytes else { throw .truncated }
    let header = file.prefix(headerBytes)
    let stored = Array(rest.prefix(PassphraseKey.storedBytes))
    let wrapped = Array(rest.dropFirst(PassphraseKey.storedBytes).prefix(wrappedBytes))
    let length = header.suffix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    let body = file.dropFirst(headerBytes)
    guard length <= UInt64(maximumBytes) else { throw .altered }
    guard body.count >= Int(length) else { throw .truncated }
    guard body.count == Int(length) else { throw .altered }
    guard let derivation = PassphraseKey(stored: stored, within: PassphraseKey.exportCostBitsRange) else {
      throw .tooCostly
    }
    guard let outer = derivation.key(from: passphrase).flatMap({ Seal($0) }) else { throw .noResources }
    guard let inner = outer.open(wrapped, for: mark + [version] + stored).flatMap({ Seal($0) }) else {
      throw .wrongPassphrase
    }
    guard let opened = inner.open(Array(body), for: Array(header)) else { throw .altered }
    return try parted(opened)
  }

  // MARK: The body

  /// For each record kind, space and contents, each behind its length in four octets.
  private static func joined(_ records: [VaultRecord]) throws(ExportFault) -> Secret {
    var parts: [Secret] = []
    var count = headerBytes + Seal.overhead
    for record in records {
      for part in [Secret(record.kind.rawValue.utf8), Secret(record.space), record.contents] {
        guard let length = UInt32(exactly: part.count) else { throw .tooLarge }
        count += 4 + part.count
        guard count <= maximumBytes else { throw .tooLarge }
        parts += [withUnsafeBytes(of: length.bigEndian) { Secret(copying: $0) }, part]
      }
    }
    return Secret(joining: parts)
  }

  private static func parted(_ body: Secret) throws(ExportFault) -> [VaultRecord] {
    try body.withBytes { bytes throws(ExportFault) in
      var rest = bytes[...]
      var records: [VaultRecord] = []
      while !rest.isEmpty {
        // No vault has more: nothing is made of a file that could not be taken over.
        guard records.count < maximumRecords else { throw .tooLarge }
        let kind = try takePart(from: &rest)
        let space = try takePart(from: &rest)
        let contents = try takePart(from: &rest)
        // A kind of record that this version does not know.
        guard let kind = VaultRecord.Kind(rawValue: String(decoding: kind, as: UTF8.self)) else {
          throw .newerVersion
        }
        records.append(
          VaultRecord(
            number: UInt64(records.count) + 1, kind: kind, space: Array(space),
            contents: Secret(copying: UnsafeRawBufferPointer(rebasing: contents))))
      }
      return records
    }
  }

  private static func takePart(
    from rest: inout Slice<UnsafeRawBufferPointer>
  ) throws(ExportFault) -> Slice<UnsafeRawBufferPointer> {
    guard rest.count >= 4 else { throw .altered }
    let length = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
    rest = rest.dropFirst(4)
    guard rest.count >= length else { throw .altered }
    defer { rest = rest.dropFirst(length) }
    return rest.prefix(length)
  }
}

extension VaultExport {
  /// Every credential among the records of a file, or none: each can be used and kept as it is.
  package static func credentials(
    in records: [VaultRecord], _ clocks: CredentialRecord.Clocks
  ) throws(ExportFault) -> [ImportedCredential] {
    var credentials: [ImportedCredential] = []
    for record in records where record.kind == .credential {
      // For example a limit that this version does not know.
      guard let entry = CredentialRecord.entry(of: record, clocks) else { throw .newerVersion }
      guard CredentialCheck.fault(of: entry.credential, for: entry.space) == nil else { throw .unusable }
      credentials.append(ImportedCredential(entry))
    }
    return credentials
  }
}
