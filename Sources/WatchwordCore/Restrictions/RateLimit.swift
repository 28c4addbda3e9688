/// So many requests a minute: a bucket of as many tokens, at least one, that fills up evenly.
struct RateLimit: Sendable {
  private let perSecond: Double
  private let capacity: Double
  private var tokens: Double
  private var counted: Double

  init(perMinute: Double, now: Double) {
    perSecond = perMinute / 60
    capacity = max(1, perMinute)
    tokens = capacity
    counted = now
  }

  /// Takes one token.
  ///
  /// - Returns: Nil, or the seconds until there is one.
  mutating func take(now: Double) -> Double? {
    tokens = min(capacity, tokens + max(0, now - counted) * perSecond)
    counted = max(counted, now)
    guard tokens < 1 else {
      tokens -= 1
      return nil
    }
    return (1 - tokens) / perSecond
  }
}
