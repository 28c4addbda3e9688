internal import WatchwordVocabulary

/// Which servers take a Digest nonce once only, and answer its second use with 400 or 403 (methods.md 8.8).
package struct NonceReuse: Sendable {
  enum Finding: Sendable {
    /// A nonce has served twice.
    case accepted
    /// A second use was refused; another answer may have the same status.
    case suspected
    /// After that, a request with a new nonce was not refused.
    case refused
  }

  /// Spaces that are remembered; beyond it they are found out again.
  private static let capacity = 4096

  private var findings: [ProtectionSpace: Finding] = [:]
  /// Of the spaces, in bytes.
  private(set) var heldBytes = 0

  package init() {}

  func finding(of space: ProtectionSpace) -> Finding? { findings[space] }

  /// Whether a nonce that has served may be sent with the next request.
  func isAllowed(in space: ProtectionSpace) -> Bool {
    switch findings[space] {
    case .accepted, nil: true
    case .suspected, .refused: false
    }
  }

  mutating func note(_ finding: Finding, of space: ProtectionSpace) {
    guard findings[space] == nil else { return findings[space] = finding }
    guard findings.count < Self.capacity else { return }
    findings[space] = finding
    heldBytes += space.heldBytes
  }
}
