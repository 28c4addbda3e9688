internal import WatchwordVocabulary

/// How each nonce of a server was used, by whichever credential and task: a count must never repeat (RFC 7616
/// §3.4.5), and a server may give the same nonce again, after `session/reset` too.
package struct NonceCounts: Sendable {
  /// Nonces that are remembered, the newest ones.
  package static let capacity = 8192

  private struct Use {
    var count: UInt32
    /// The first one, with a `-sess` algorithm: the server's A1 is made of it (RFC 7616 §3.4.2).
    let clientNonce: String?
  }

  /// By a hash, since a nonce may be long. Where two have the same one, counts are left out, which servers
  /// allow.
  private var uses: [Int: Use] = [:]
  /// A ring of what is remembered.
  private var order: [Int] = []
  private var oldest = 0

  package init() {}

  /// What is remembered, in bytes: a count, and perhaps a client nonce.
  var heldBytes: Int { order.count * HeldBytes.text(0) }

  /// How often the nonce was used; 0 when that is not remembered.
  func count(of nonce: OctetString, at space: ProtectionSpace) -> UInt32 {
    uses[hash(nonce, space)]?.count ?? 0
  }

  /// The client nonce that a `-sess` algorithm has used with this nonce, on whichever connection that belongs
  /// to.
  func clientNonce(of nonce: OctetString, at space: ProtectionSpace) -> String? {
    uses[hash(nonce, space)]?.clientNonce
  }

  mutating func note(_ ticket: DigestTicket, at space: ProtectionSpace) {
    let hash = hash(ticket.nonce, space)
    if let known = uses[hash]?.count {
      uses[hash]?.count = max(known, ticket.nonceCount)
      return
    }
    if order.count < Self.capacity {
      order.append(hash)
    } else {
      uses[order[oldest]] = nil
      order[oldest] = hash
      oldest = (oldest + 1) % Self.capacity
    }
    uses[hash] = Use(
      count: ticket.nonceCount, clientNonce: ticket.algorithm.isSession ? ticket.clientNonce : nil)
  }

  private func hash(_ nonce: OctetString, _ space: ProtectionSpace) -> Int {
    var hasher = Hasher()
    hasher.combine(nonce)
    hasher.combine(space.origin)
    hasher.combine(space.hop)
    return hasher.finalize()
  }
}
