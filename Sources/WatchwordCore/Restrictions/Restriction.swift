package import WatchwordVocabulary

/// What restricted connections may fetch until it expires, and what they have made of it.
///
/// Every request of their tasks is judged here: the first one, those behind redirects and those for a login
/// form.
package struct Restriction: Sendable {
  /// A request that was allowed, and the limits of its bodies.
  package struct Permit: Sendable, Equatable {
    package let method: String
    package let url: RequestURL
    package let requestBytes: Int64?
    package let responseBytes: Int64?
  }

  /// A rule, and the requests that it has allowed.
  package struct CountedRule: Sendable {
    package let rule: RestrictionRule
    package fileprivate(set) var uses = 0
    fileprivate var rate: RateLimit?
  }

  package struct Violation: Sendable {
    package let fault: RestrictionFault
    /// Seconds since 1970.
    package let time: Double
  }

  package private(set) var entries: [CountedRule]
  /// In seconds of the monotonic clock; nil: never.
  package let expires: Double?
  /// Tasks that run by it now.
  package internal(set) var tasks = 0
  package private(set) var violations = 0
  package private(set) var lastViolation: Violation?

  package init(_ rules: [RestrictionRule], expires: Double? = nil, now: Double) {
    entries = rules.map { rule in
      CountedRule(rule: rule, rate: rule.perMinute.map { RateLimit(perMinute: $0, now: now) })
    }
    self.expires = expires
  }

  package var uses: Int { entries.reduce(0) { $0 + $1.uses } }

  /// Whether some rule adds the header field.
  package func adds(_ field: String) -> Bool {
    let field = field.asciiLowercased
    return entries.contains { $0.rule.addedFields.contains(field) }
  }

  package func isExpired(now: Double) -> Bool { expires.map { $0 <= now } ?? false }

  /// Whether some rule covers the request, whatever it sends and however often.
  func refusal(
    of method: String, _ url: RequestURL, fields: Set<String>, now: Double
  ) -> RestrictionFault? {
    guard !isExpired(now: now) else { return RestrictionFault(.expired, to: url.origin) }
    var reason = RestrictionFault.Reason.origin
    for entry in entries {
      guard let refusal = entry.rule.refusal(of: method, url, fields: fields, bodyBytes: nil) else {
        return nil
      }
      reason = max(reason, refusal)
    }
    return RestrictionFault(reason, to: url.origin)
  }

  /// Lets the request be made by the first rule that allows it, and counts it there.
  ///
  /// - Parameters:
  ///   - fields: those of the request that a rule has to add.
  ///   - bodyBytes: nil for a stream.
  mutating func permit(
    _ method: String, _ url: RequestURL, fields: Set<String>, bodyBytes: Int64?, now: Double
  ) throws(RestrictionFault) -> Permit {
    guard !isExpired(now: now) else { throw RestrictionFault(.expired, to: url.origin) }
    var reason = RestrictionFault.Reason.origin
    var retrySeconds: Double?
    for index in entries.indices {
      let rule = entries[index].rule
      if let refusal = rule.refusal(of: method, url, fields: fields, bodyBytes: bodyBytes) {
        reason = max(reason, refusal)
        continue
      }
      if let wait = entries[index].rate?.useToken(now: now) {
        reason = max(reason, .rate)
        retrySeconds = min(retrySeconds ?? wait, wait)
        continue
      }
      entries[index].uses += 1
      return Permit(
        method: method, url: url, requestBytes: rule.requestBytes, responseBytes: rule.responseBytes)
    }
    throw RestrictionFault(reason, to: url.origin, retrySeconds: retrySeconds)
  }

  mutating func note(_ fault: RestrictionFault, at wallClock: Double) {
    violations += 1
    lastViolation = Violation(fault: fault, time: wallClock)
  }
}

/// Why a restricted connection may not do something.
package struct RestrictionFault: Error, Sendable, Equatable {
  package let reason: Reason
  /// Of the request that was refused; nil when it was refused before it was one.
  package let origin: Origin?
  /// For `rate`: when the next request is allowed.
  package let retrySeconds: Double?

  package init(_ reason: Reason, to origin: Origin? = nil, retrySeconds: Double? = nil) {
    self.reason = reason
    self.origin = origin
    self.retrySeconds = retrySeconds
  }
}

/// Of two rules that refuse a request, the one that refuses it later in the order of the cases says why.
extension RestrictionFault.Reason: Comparable {
  private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }

  package static func < (left: Self, right: Self) -> Bool { left.rank < right.rank }
}

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
  mutating func useToken(now: Double) -> Double? {
    tokens = min(capacity, tokens + max(0, now - counted) * perSecond)
    counted = max(counted, now)
    guard tokens < 1 else {
      tokens -= 1
      return nil
    }
    return (1 - tokens) / perSecond
  }
}
