package import WatchwordVocabulary

/// A permanent credential of another vault, with the counts of its uses.
package struct ImportedCredential: Sendable, Equatable {
  package let space: ProtectionSpace
  package let credential: Credential
  package let isDefault: Bool
  package let record: UseRecord

  package init(space: ProtectionSpace, credential: Credential, isDefault: Bool, record: UseRecord) {
    self.space = space
    self.credential = credential
    self.isDefault = isDefault
    self.record = record
  }

  package init(_ entry: CachedCredential) {
    space = entry.space
    var credential = entry.credential
    // What hosts of a fleet share is not shared by a file.
    credential.persistence = .permanent
    self.credential = credential
    isDefault = entry.isDefault
    record = entry.record
  }

  var key: CredentialKey { CredentialKey(credential, for: space) }

  /// What of a file can be merged: nothing that is over, and of two for one user of a space the newer one.
  package static func usable(
    _ all: [ImportedCredential], now: Double, wallClock: Double
  ) -> [ImportedCredential] {
    var places: [CredentialKey: Int] = [:]
    var usable: [ImportedCredential] = []
    for one in all where !one.record.isOver(now: now, wallClock: wallClock) {
      guard let place = places[one.key] else {
        places[one.key] = usable.count
        usable.append(one)
        continue
      }
      if one.record.created > usable[place].record.created { usable[place] = one }
    }
    return usable
  }
}
