internal import WatchwordPrimitives
internal import WatchwordVocabulary

extension PermanentCredentials.Change {
  /// What a change that a caller sends takes until it is on the disk: the texts, those of its records, and these sealed.
  package var heldBytes: Int {
    switch self {
    case .store(let credential, let spaces, _, _):
      spaces.reduce(0) {
        let texts = credential.byteCount + ($1.realm?.count ?? 0)
        return $0 + HeldBytes.credential + HeldBytes.copiesInTransaction * texts
      }
    // They are small, or counted by who has brought them.
    case .merge, .remove, .setDefault, .drop, .bind, .noteUses, .adopt, .noteMissing, .acknowledge:
      HeldBytes.credential
    }
  }
}
