internal import WatchwordPrimitives
internal import WatchwordVocabulary

extension ProtectionSpace {
  /// What one that is remembered takes beside the credentials: its texts, itself, and its place in a table.
  var heldBytes: Int {
    2 * HeldBytes.text(0) + HeldBytes.text(origin.host) + HeldBytes.text(realm?.count ?? 0)
  }
}
