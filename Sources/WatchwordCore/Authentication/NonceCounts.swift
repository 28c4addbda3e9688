internal import WatchwordVocabulary

/// How often each nonce of a server was used, by whichever credential and task: a count must never repeat (RFC 7616
/// §3.4.5), and a server may give the same nonce again, after `session/reset` too.
package struct NonceCounts: Sendable {
  /// Nonces that are remembered, the newest ones.
  package static let capacity = 8192

  /// By a hash, since a nonce may be long. Where two have the same one, counts are left out, which servers allow.
  private var counts: [Int: UInt32] = [:]
  /// A ring of what is remembered.
  private var order: [Int] = []
  private var oldest = 0

  package init() {}

  /// How often the nonce was used; 0 when that is not remembered.
  func count(of nonce: OctetString, at space: ProtectionSpace) -> UInt32 { counts[hash(nonce, space)] ?? 0 }

  mutating func note(_ ticket: DigestTicket, at space: ProtectionSpace) {
    let hash = hash(ticket.nonce, space)
    if let known = counts[hash] {
      counts[hash] = max(known, ticket.nonceCount)
      return
    }
    if order.count < Self.capacity {
      order.append(hash)
    } else {
      counts[order[oldest]] = nil
      order[oldest] = hash
      oldest = (oldest + 1) % Self.capacity
    }
    counts[hash] = ticket.nonceCount
  }

  private func hash(_ nonce: OctetString, _ space: ProtectionSpace) -> Int {
    var hasher = Hasher()
    hasher.combine(nonce)
    hasher.combine(space.origin)
    hasher.combine(space.hop)
    return hasher.finalize()
  }
}
