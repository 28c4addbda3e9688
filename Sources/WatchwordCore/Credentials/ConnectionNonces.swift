internal import WatchwordVocabulary

/// The Digest nonces that servers gave on their connections, and which servers take them only there
/// (methods.md 8.7).
///
/// Cameras and routers keep a nonce for each connection, and refuse that of another one, often without
/// `stale`.
package struct ConnectionNonces: Sendable {
  /// Spaces that are remembered as of one kind; beyond it they are found out again.
  private static let spaceCapacity = 4096

  private struct Place: Hashable {
    let space: ProtectionSpace
    let connection: UInt64
  }

  private struct Nonce: Hashable {
    let space: ProtectionSpace
    let octets: OctetString
  }

  private var challenges = RecentValues<Place, DigestChallenge>(capacity: 256) {
    $0.space.heldBytes + $1.heldBytes
  }
  /// How a nonce was given last.
  private struct Giving {
    let connection: UInt64
    /// Whether it had served before that.
    let hadServed: Bool
  }

  private var givings = RecentValues<Nonce, Giving>(capacity: 1024) { nonce, _ in
    nonce.space.heldBytes + HeldBytes.text(nonce.octets.count)
  }
  private var suspected: Set<ProtectionSpace> = []
  private var bound: Set<ProtectionSpace> = []
  private var unbound: Set<ProtectionSpace> = []

  /// Of the spaces in the three sets.
  private var spaceBytes = 0

  package init() {}

  /// What servers have made it keep, in bytes.
  var heldBytes: Int { challenges.bytes + givings.bytes + spaceBytes }

  /// The newest one on the connection.
  func challenge(of space: ProtectionSpace, on connection: UInt64) -> DigestChallenge? {
    challenges[Place(space: space, connection: connection)]
  }

  /// Where it was given last; nil: that is not remembered.
  func connection(of nonce: OctetString, in space: ProtectionSpace) -> UInt64? {
    givings[Nonce(space: space, octets: nonce)]?.connection
  }

  /// Whether the server gives nonces again that have served, and has done so with this one.
  func isGivenAgain(_ nonce: OctetString, in space: ProtectionSpace) -> Bool {
    givings[Nonce(space: space, octets: nonce)]?.hadServed ?? false
  }

  mutating func note(
    _ challenge: DigestChallenge, of space: ProtectionSpace, on connection: UInt64, hadServed: Bool = false
  ) {
    challenges.set(challenge, for: Place(space: space, connection: connection))
    givings.set(
      Giving(connection: connection, hadServed: hadServed), for: Nonce(space: space, octets: challenge.nonce))
  }

  /// The server has named the next nonce in a response on this connection.
  mutating func note(nextNonce: OctetString, of space: ProtectionSpace, on connection: UInt64) {
    guard var next = challenge(of: space, on: connection) else { return }
    next.nonce = nextNonce
    note(next, of: space, on: connection)
  }

  /// Whether the server of the space takes a nonce only on its connection.
  func isBound(_ space: ProtectionSpace) -> Bool { bound.contains(space) }

  /// Whether it has accepted one on another connection.
  func isUnbound(_ space: ProtectionSpace) -> Bool { unbound.contains(space) }

  /// A nonce of another connection was refused to the only request that used it. The second time it is no
  /// accident, such as a count that was lost.
  mutating func noteRefusal(in space: ProtectionSpace) {
    guard !isUnbound(space), !isBound(space) else { return }
    guard suspected.remove(space) == nil else {
      bound.insert(space)
      return
    }
    guard bound.count + suspected.count < Self.spaceCapacity else { return }
    suspected.insert(space)
    spaceBytes += space.heldBytes
  }

  /// A nonce of another connection was accepted.
  mutating func noteAcceptance(in space: ProtectionSpace) {
    if suspected.remove(space) != nil { spaceBytes -= space.heldBytes }
    guard unbound.count < Self.spaceCapacity, !bound.contains(space) else { return }
    if unbound.insert(space).inserted { spaceBytes += space.heldBytes }
  }
}

/// Values of the keys that came last.
private struct RecentValues<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private let capacity: Int
  private let size: @Sendable (Key, Value) -> Int
  /// Of all that is remembered.
  private(set) var bytes = 0
  private var values: [Key: Value] = [:]
  /// A ring of what is remembered.
  private var order: [Key] = []
  private var oldest = 0

  init(capacity: Int, size: @escaping @Sendable (Key, Value) -> Int) {
    self.capacity = capacity
    self.size = size
  }

  subscript(key: Key) -> Value? { values[key] }

  mutating func set(_ value: Value, for key: Key) {
    bytes += size(key, value)
    if let replaced = values.updateValue(value, forKey: key) {
      bytes -= size(key, replaced)
      return
    }
    guard order.count >= capacity else { return order.append(key) }
    if let forgotten = values.removeValue(forKey: order[oldest]) { bytes -= size(order[oldest], forgotten) }
    order[oldest] = key
    oldest = (oldest + 1) % capacity
  }
}

extension DigestChallenge {
  fileprivate var heldBytes: Int {
    domain.reduce(HeldBytes.text(realm.count + nonce.count) + HeldBytes.text(opaque?.count ?? 0)) {
      $0 + HeldBytes.text($1)
    }
  }
}
