internal import WatchwordCore
internal import WatchwordProtocol
internal import WatchwordTransport
internal import WatchwordVault
internal import WatchwordVocabulary

/// Permanent client identities as records of a vault say them, with their keys ready for handshakes.
struct IdentityRecords: Sendable {
  private(set) var entries: [PermanentIdentities.StoredIdentity] = []
  /// By the ids of the identities.
  private(set) var keys: [String: ClientIdentity] = [:]
  /// Records that are not understood.
  private(set) var unreadable = 0

  init() {}

  /// Takes a fraction of a millisecond for each: never on the loop, except at the start.
  init(_ records: [VaultRecord], _ clocks: CredentialRecord.Clocks) {
    for record in records where record.kind == .identity {
      do throws(VaultExport.ExportFault) {
        let (entry, key) = try IdentityRecords.read(record, clocks)
        entries.append(entry)
        keys[entry.identifier] = key
      } catch {
        unreadable += 1
      }
    }
  }

  /// Every identity among the records of a file, or none: each can be used and kept as it is.
  init(all records: [VaultRecord], _ clocks: CredentialRecord.Clocks) throws(VaultExport.ExportFault) {
    for record in records where record.kind == .identity {
      let (entry, key) = try IdentityRecords.read(record, clocks)
      guard entry.origin.map(IdentityRecords.isSound) ?? true else { throw .unusable }
      entries.append(entry)
      keys[entry.identifier] = key
    }
  }

  /// Whether it is in the form in which challenges name it.
  private static func isSound(_ origin: Origin) -> Bool {
    guard origin.isSecure else { return false }
    do throws(RPCError) {
      return try URLParameter.origin(origin.description, path: "") == origin
    } catch {
      return false
    }
  }

  /// What of a file can be merged: nothing that has expired.
  func usable(now: Double, wallClock: Double) -> [PermanentIdentities.Draft] {
    entries.filter {
      !$0.record.isOver(now: now, wallClock: wallClock) && wallClock <= $0.identity.certificate.notAfter
    }.map { PermanentIdentities.Draft($0.kept, for: $0.origin, record: $0.record) }
  }

  /// An expired certificate is read like another one.
  ///
  /// - Throws: `newerVersion` for contents of a later version, `unusable` for what is no identity.
  static func read(
    _ record: VaultRecord, _ clocks: CredentialRecord.Clocks
  ) throws(VaultExport.ExportFault) -> (PermanentIdentities.StoredIdentity, ClientIdentity) {
    guard let contents = IdentityRecord.contents(of: record, clocks) else { throw .newerVersion }
    let material = IdentityMaterial.pem(
      certificates: contents.certificates, privateKey: contents.privateKey, passphrase: nil)
    let key: ClientIdentity
    do throws(IdentityFault) { key = try ClientIdentity(anyTime: material) } catch { throw .unusable }
    let kept = KeptIdentity(
      key.identity, certificates: contents.certificates, privateKey: contents.privateKey)
    guard !kept.isTooLarge else { throw .unusable }
    let entry = PermanentIdentities.StoredIdentity(
      number: IdentityRecord.number(in: record), kept, for: contents.origin, record: contents.record)
    return (entry, key)
  }
}
