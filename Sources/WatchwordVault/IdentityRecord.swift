package import WatchwordCore
internal import WatchwordJSON
package import WatchwordVocabulary

/// A permanent client identity as a record. What its certificates are is read elsewhere: this target knows
/// none.
package enum IdentityRecord {
  package typealias Clocks = CredentialRecord.Clocks

  /// What a record holds.
  package struct Contents: Sendable {
    /// Nil: any.
    package let origin: Origin?
    package let certificates: String
    package let privateKey: Secret
    package let record: UseRecord
  }

  /// In place of an origin: no host is written like that.
  private static let anyOrigin = [UInt8(ascii: "*")]

  /// The number of the record of an identity.
  package static func number(of identity: UInt64) -> UInt64 {
    VaultRecord.Kind.identity.numbers.lowerBound + identity
  }

  /// The number of the identity in a record.
  package static func number(in record: VaultRecord) -> UInt64 {
    record.number - min(record.number, VaultRecord.Kind.identity.numbers.lowerBound)
  }

  package static func record(of entry: PermanentIdentities.StoredIdentity, _ clocks: Clocks) -> VaultRecord {
    var writer = JSONWriter()
    writer.beginObject()
    writer.key("certificates")
    writer.string(entry.kept.certificates)
    writer.key("privateKey")
    entry.kept.privateKey.withBytes { writer.base64($0) }
    CredentialRecord.write(entry.record, clocks, to: &writer)
    writer.endObject()
    let contents = writer.buffer.withUnsafeBytes { Secret(copying: $0) }
    return VaultRecord(
      number: number(of: entry.number), kind: .identity, space: entry.origin?.vaultOctets ?? anyOrigin,
      contents: contents)
  }

  /// Nil for contents that this version does not understand.
  package static func contents(of record: VaultRecord, _ clocks: Clocks) -> Contents? {
    let origin = Origin(vaultOctets: record.space)
    guard origin != nil || record.space == anyOrigin,
      let object = CredentialRecord.object(in: record.contents),
      let certificates = object["certificates"]?.text, let privateKey = object["privateKey"]?.decoded,
      let use = CredentialRecord.uses(in: object, clocks)
    else { return nil }
    return Contents(origin: origin, certificates: certificates, privateKey: privateKey, record: use)
  }
}
