/// The state of one synchronizable credential in the fleet's store, as a host has read it.
package struct FleetCredential: Sendable, Equatable {
  package enum Content: Sendable, Equatable {
    case credential(ImportedCredential)
    case removed
    /// Its time is over, by its own limits.
    case over
    /// The store has nothing.
    case absent
  }

  package let key: PermanentCredentials.Key
  /// 0 for `absent`.
  package let version: Int64
  /// The store's own number of the last change, which a transaction compares; 0 for `absent`.
  package let revision: Int64
  package let content: Content

  package init(key: PermanentCredentials.Key, version: Int64, revision: Int64, _ content: Content) {
    self.key = key
    self.version = version
    self.revision = revision
    self.content = content
  }
}

/// What a host writes into the fleet's store.
package struct OutgoingCredential: Sendable, Equatable {
  /// As it is when it is sent. One whose mark says `removal` has an empty secret.
  package let entry: PermanentCredentials.Entry
  package let version: Int64
  /// What the store has if no other host was faster; 0: nothing.
  package let revision: Int64

  /// Whether the same record is written with the same version.
  package static func == (left: OutgoingCredential, right: OutgoingCredential) -> Bool {
    left.entry.generation == right.entry.generation && left.version == right.version
      && left.revision == right.revision
  }

  package var isRemoval: Bool { entry.synchronization?.pending == .removal }
}
