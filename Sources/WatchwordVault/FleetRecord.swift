package import WatchwordCore
internal import WatchwordJSON
internal import WatchwordVocabulary

/// A synchronizable credential, or its removal, as the store of a fleet has it: sealed, with nothing legible
/// beside it.
package enum FleetRecord {
  /// A credential with its limits is a few hundred bytes.
  package static let maximumBytes = 192 * 1024
  /// The store sees lengths: they say little when all are multiples of this.
  private static let blockBytes = 256

  /// Nil for what is too large, and when the system has no randomness.
  package static func sealed(
    _ outgoing: OutgoingCredential, under keys: FleetKeys, _ clocks: CredentialRecord.Clocks
  ) -> (name: String, value: [UInt8])? {
    let entry = outgoing.entry
    let space = entry.space.vaultOctets
    guard let name = keys.name(ofSpace: space, user: entry.credential.user) else { return nil }
    var writer = JSONWriter()
    writer.beginObject()
    writer.key("version")
    writer.integer(outgoing.version)
    writer.key("space")
    space.withUnsafeBytes { writer.base64($0) }
    writer.key("removed")
    writer.bool(outgoing.isRemoval)
    guard CredentialRecord.write(entry, clocks, to: &writer) else { return nil }
    writer.endObject()
    let count = writer.buffer.count
    guard count <= maximumBytes - blockBytes - Seal.overhead else { return nil }
    let filling = Secret([UInt8](repeating: UInt8(ascii: " "), count: blockBytes - count % blockBytes))
    let text = writer.buffer.withUnsafeBytes { Secret(joining: [Secret(copying: $0), filling]) }
    return keys.seal.seal(text, for: keys.associated(name)).map { (name, $0) }
  }

  /// What a value is.
  package enum Opening: Sendable {
    case state(FleetCredential)
    /// No host of the fleet has sealed it for this account and name.
    case foreign
    /// A host of a later version has.
    case newer
  }

  package static func open(
    _ value: [UInt8], named name: String, revision: Int64, under keys: FleetKeys,
    _ clocks: CredentialRecord.Clocks
  ) -> Opening {
    guard value.count <= maximumBytes, let text = keys.seal.open(value, for: keys.associated(name)) else {
      return .foreign
    }
    guard let object = CredentialRecord.object(in: text), let version = object["version"]?.integer,
      version > 0, version <= SynchronizationMark.maximumVersion,
      let octets = object["space"]?.text.flatMap(Base64.decode),
      let space = ProtectionSpace(vaultOctets: octets),
      let isRemoved = object["removed"]?.bool, let isDefault = object["isDefault"]?.bool,
      let (credential, created) = CredentialRecord.credential(
        in: object, clocks, persistence: .synchronizable),
      let ways = GivenWays(object["ways"]), let identifier = CredentialRecord.identifier(in: object),
      isRemoved || CredentialCheck.fault(of: credential, for: space) == nil
    else { return .newer }
    guard keys.name(ofSpace: octets, user: credential.user) == name else { return .foreign }
    let record = UseRecord(
      limits: credential.limits, created: created, ways: ways, identifier: identifier)
    let content: FleetCredential.Content =
      if isRemoved {
        .removed
      } else if record.isOver(now: clocks.now, wallClock: clocks.wallClock) {
        .over
      } else {
        .credential(
          ImportedCredential(space: space, credential: credential, isDefault: isDefault, record: record))
      }
    let key = CredentialKey(credential, for: space)
    return .state(FleetCredential(key: key, version: version, revision: revision, content))
  }

  /// What the store has under a name: the credential whose name this is, if this host has one.
  package static func name(of entry: CachedCredential, under keys: FleetKeys) -> String? {
    keys.name(ofSpace: entry.space.vaultOctets, user: entry.credential.user)
  }
}
