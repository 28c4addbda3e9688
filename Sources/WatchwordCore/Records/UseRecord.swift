package import WatchwordVocabulary

/// When and over which ways a stored entry was given, its uses, and the limits that end it (storage.md
/// 9.5.1).
package struct UseRecord: Sendable, Equatable {
  package let limits: CredentialLimits
  /// Monotonic seconds.
  package let created: Double
  package private(set) var lastUsed: Double?
  package private(set) var uses = 0
  /// The ways that callers had chosen where it was given (storage.md 9.6.12); of what a session keeps, those
  /// that a task had chosen (storage.md 9.2.7).
  package var ways: GivenWays
  /// Of a synchronizable credential.
  package var identifier: GivingIdentifier?

  package init(
    limits: CredentialLimits = CredentialLimits(), created: Double, lastUsed: Double? = nil, uses: Int = 0,
    ways: GivenWays = GivenWays(), identifier: GivingIdentifier? = nil
  ) {
    self.limits = limits
    self.created = created
    self.lastUsed = lastUsed
    self.uses = uses
    self.ways = ways
    self.identifier = identifier
  }

  package var giving: Giving { Giving(time: created, identifier: identifier ?? .none) }

  /// When it was used last, or given.
  package var touched: Double { lastUsed ?? created }

  /// When the limits end it; nil when they do not. Seconds on the clock that `now` is on.
  package func expiry(now: Double, wallClock: Double) -> Double? {
    let ends = [
      limits.lifetimeSeconds.map { created + $0 },
      limits.idleSeconds.map { touched + $0 },
      limits.notAfter.map { now + ($0 - wallClock) },
    ]
    return ends.compactMap(\.self).min()
  }

  /// When it ends on every host, whatever its use; nil: never. Seconds on the clock that `now` is on.
  package func fixedEnd(now: Double, wallClock: Double) -> Double? {
    [limits.lifetimeSeconds.map { created + $0 }, limits.notAfter.map { now + ($0 - wallClock) }]
      .compactMap(\.self).min()
  }

  /// Whether it has been used as often as allowed.
  var isUsedUp: Bool { limits.maximumUses.map { uses >= $0 } ?? false }

  /// Whether it has expired, or has been used as often as allowed.
  ///
  /// - Parameter isRepeated: whether the use that is meant is counted already.
  package func isOver(now: Double, wallClock: Double, isRepeated: Bool = false) -> Bool {
    if isUsedUp, !isRepeated { return true }
    return expiry(now: now, wallClock: wallClock).map { $0 <= now } ?? false
  }

  package mutating func noteUse(now: Double) { noteUses(1, now: now) }

  mutating func noteUses(_ count: Int, now: Double) {
    uses += count
    lastUsed = now
  }

  /// Records a repetition, which does not count as a further use.
  package mutating func noteRepetition(now: Double) { lastUsed = now }
}
