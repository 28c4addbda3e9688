package import WatchwordVocabulary

/// The cookies of one session: which are stored, and where they are sent (RFC 6265bis §5.7, §5.8).
///
/// Cookies are indexed by domain, and every domain has a limit, so that no operation costs more than one pass
/// over the session's limit. libcurl's own engine is not used: it keeps cookies of interim responses, has no
/// limit on number or bytes, and decides before the session's policy can.
package struct CookieStore: Sendable {
  /// Whether the names below the domain may share a cookie that this host sets: false for public suffixes,
  /// such as `com`.
  package typealias SharingRule = @Sendable (_ domain: String, _ host: String) -> Bool

  /// A cookie with its times of creation and use, counted in operations.
  struct StoredCookie: Sendable {
    let name: [UInt8]
    var value: [UInt8]
    let includesSubdomains: Bool
    let path: String
    var expires: Int64?
    var isSecure: Bool
    var isHTTPOnly: Bool
    var created: UInt64
    var lastUsed: UInt64

    func isExpired(_ now: Int64) -> Bool { expires.map { $0 <= now } ?? false }

    func bytes(in domain: String) -> Int { name.count + value.count + path.utf8.count + domain.utf8.count }
  }

  private let policy: SessionConfiguration.Cookies
  private let mayShare: SharingRule
  var entries: [String: [StoredCookie]] = [:]
  private(set) var count = 0
  private var bytes = 0
  private var operations: UInt64 = 0

  package init(policy: SessionConfiguration.Cookies, mayShare: @escaping SharingRule) {
    self.policy = policy
    self.mayShare = mayShare
  }

  package var isEmpty: Bool { count == 0 }

  /// What they take, each with two texts of its own.
  package var heldBytes: Int { bytes + count * 2 * HeldBytes.text(0) }

  // MARK: Storing

  /// Takes the `Set-Cookie` fields of one final response.
  package mutating func receive(
    _ fields: some Sequence<UnsafeRawBufferPointer>, from url: RequestURL, now: Int64
  ) {
    guard policy != .never else { return }
    var taken = 0
    for field in fields where taken < CookieLimits.perResponse {
      guard let cookie = SetCookie(field, now: now) else { continue }
      taken += 1
      receive(cookie, from: url, now)
    }
  }

  private mutating func receive(_ cookie: SetCookie, from url: RequestURL, _ now: Int64) {
    let host = url.origin.host
    let isSecureOrigin = url.isSecureForCookies
    guard let includesSubdomains = isShared(cookie, from: host), !cookie.isSecure || isSecureOrigin,
      CookiePrefix.isKept(
        name: cookie.name, isSecure: cookie.isSecure, hasRootPath: cookie.path == "/",
        isForHostOnly: cookie.domain == nil)
    else { return }
    let domain = includesSubdomains ? cookie.domain ?? host : host
    let path = cookie.path ?? url.defaultCookiePath
    guard isSecureOrigin || !wouldHideSecureCookie(cookie.name, domain, path, now) else { return }
    store(
      StoredCookie(
        name: cookie.name, value: cookie.value, includesSubdomains: includesSubdomains, path: path,
        expires: cookie.expires, isSecure: cookie.isSecure, isHTTPOnly: cookie.isHTTPOnly, created: 0,
        lastUsed: 0
      ), in: domain, now)
  }

  /// Whether the names below its domain receive the cookie too; nil when the session must not store it.
  private func isShared(_ cookie: SetCookie, from host: String) -> Bool? {
    guard let domain = cookie.domain else { return false }
    guard domain.hasBytes(of: host) else {
      guard policy == .accept, CookieDomain.covers(domain, host), mayShare(domain, host) else { return nil }
      return true
    }
    // A host that is a public suffix itself, or an address, shares no cookies.
    return policy == .accept && !CookieDomain.isAddress(host) && mayShare(host, "www." + host)
  }

  /// RFC 6265bis §5.7, "leave secure cookies alone": cleartext does not replace or hide a cookie of a secure
  /// origin.
  private func wouldHideSecureCookie(_ name: [UInt8], _ domain: String, _ path: String, _ now: Int64) -> Bool
  {
    func hides(_ other: String) -> Bool {
      entries[other]?.contains {
        $0.isSecure && !$0.isExpired(now) && $0.name == name && CookiePath.covers($0.path, path)
      } ?? false
    }
    if CookieDomain.parents(of: domain).contains(where: { hides(String($0)) }) { return true }
    return entries.keys.contains { CookieDomain.covers(domain, $0) && hides($0) }
  }

  /// A cookie as it is stored, whatever its octets are.
  package struct Kept: Sendable, Equatable {
    package let domain: String
    package let name: [UInt8]
    package let value: [UInt8]
    package let includesSubdomains: Bool
    package let path: String
    /// Seconds since 1970; nil for a session cookie.
    package let expires: Int64?
    package let isSecure: Bool
    package let isHTTPOnly: Bool

    package init(
      domain: String, name: [UInt8], value: [UInt8], includesSubdomains: Bool, path: String, expires: Int64?,
      isSecure: Bool, isHTTPOnly: Bool
    ) {
      self.domain = domain
      self.name = name
      self.value = value
      self.includesSubdomains = includesSubdomains
      self.path = path
      self.expires = expires
      self.isSecure = isSecure
      self.isHTTPOnly = isHTTPOnly
    }
  }

  /// All of them, in the order in which they were stored.
  package var all: [Kept] {
    entries.flatMap { domain, own in own.map { (domain, $0) } }.sorted(on: \.1.created)
      .map { domain, entry in
        Kept(
          domain: domain, name: entry.name, value: entry.value,
          includesSubdomains: entry.includesSubdomains, path: entry.path, expires: entry.expires,
          isSecure: entry.isSecure, isHTTPOnly: entry.isHTTPOnly)
      }
  }

  /// Stores what another store has had.
  package mutating func takeOver(_ kept: Kept, now: Int64) {
    guard policy != .never else { return }
    store(
      StoredCookie(
        name: kept.name, value: kept.value, includesSubdomains: kept.includesSubdomains, path: kept.path,
        expires: kept.expires, isSecure: kept.isSecure, isHTTPOnly: kept.isHTTPOnly, created: 0, lastUsed: 0),
      in: kept.domain, now)
  }

  /// Why a caller's cookie is refused.
  package enum Refusal: Sendable {
    /// It violates the prefix of its name.
    case brokenPromise
    /// It would be sent to every name below a public suffix.
    case publicSuffix
  }

  /// Stores a caller's cookie; returns why it is refused, or nil.
  package mutating func set(_ cookie: Cookie, now: Int64) -> Refusal? {
    let domain = cookie.domain.asciiLowercased
    let isShared = cookie.includesSubdomains && policy == .accept
    guard
      CookiePrefix.isKept(
        name: cookie.name.utf8, isSecure: cookie.isSecure, hasRootPath: cookie.path == "/",
        isForHostOnly: !cookie.includesSubdomains)
    else { return .brokenPromise }
    guard !cookie.includesSubdomains || mayShare(domain, "www." + domain) else { return .publicSuffix }
    let texts = [cookie.name, cookie.value, cookie.domain, cookie.path]
    let isPlain = texts.allSatisfy { $0.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F } }
    guard policy != .never, isPlain, !cookie.name.isEmpty, !cookie.domain.isEmpty,
      cookie.path.utf8.first == UInt8(ascii: "/")
    else { return nil }
    store(
      StoredCookie(
        name: Array(cookie.name.utf8), value: Array(cookie.value.utf8), includesSubdomains: isShared,
        path: cookie.path, expires: cookie.expires, isSecure: cookie.isSecure, isHTTPOnly: cookie.isHTTPOnly,
        created: 0, lastUsed: 0), in: domain, now)
    return nil
  }

  private mutating func store(_ entry: StoredCookie, in domain: String, _ now: Int64) {
    operations += 1
    var entry = entry
    (entry.created, entry.lastUsed) = (operations, operations)
    var own = entries.removeValue(forKey: domain) ?? []
    let isSame: (StoredCookie) -> Bool = {
      $0.name == entry.name && CookiePath.isSame($0.path, entry.path)
        && $0.includesSubdomains == entry.includesSubdomains
    }
    if let index = own.firstIndex(where: isSame) {
      entry.created = own[index].created
      forget(own.remove(at: index), in: domain)
    }
    // A cookie that has already expired was a removal.
    if !entry.isExpired(now) {
      if own.count >= CookieLimits.perOrigin { makeRoom(in: &own, of: domain, now) }
      own.append(entry)
      count += 1
      bytes += entry.bytes(in: domain)
    }
    if !own.isEmpty { entries[domain] = own }
    if count > CookieLimits.perSession || bytes > CookieLimits.bytesPerSession { evict(now) }
  }

  private mutating func forget(_ entry: StoredCookie, in domain: String) {
    count -= 1
    bytes -= entry.bytes(in: domain)
  }

  /// Removes expired cookies first, then the least recently used one; cookies of cleartext before secure
  /// ones.
  private mutating func makeRoom(in own: inout [StoredCookie], of domain: String, _ now: Int64) {
    let before = own.count
    own.removeAll { entry in
      guard entry.isExpired(now) else { return false }
      forget(entry, in: domain)
      return true
    }
    guard own.count == before else { return }
    let rank: (StoredCookie) -> (Int, UInt64) = { ($0.isSecure ? 1 : 0, $0.lastUsed) }
    guard let index = own.indices.min(by: { rank(own[$0]) < rank(own[$1]) }) else { return }
    forget(own.remove(at: index), in: domain)
  }

  /// Brings the session below its limits: removes expired cookies first, then the least recently used ones.
  private mutating func evict(_ now: Int64) {
    _ = removeAll { $1.isExpired(now) }
    guard count > CookieLimits.perSession || bytes > CookieLimits.bytesPerSession else { return }
    let oldest = entries.flatMap { domain, own in own.map { ($0.lastUsed, $0.bytes(in: domain)) } }
      .sorted(on: \.0)
    var (left, leftBytes) = (count, bytes)
    var threshold: UInt64 = 0
    for (lastUsed, size) in oldest {
      let isBelow =
        left <= CookieLimits.perSession * CookieLimits.keptTenths / 10
        && leftBytes <= CookieLimits.bytesPerSession * CookieLimits.keptTenths / 10
      if isBelow { break }
      threshold = lastUsed
      left -= 1
      leftBytes -= size
    }
    _ = removeAll { $1.lastUsed <= threshold }
  }

  /// Removes the cookies that match every given argument, and returns their number.
  package mutating func remove(domain: String?, name: String?) -> Int {
    let domain = domain.map { $0.asciiLowercased }
    let name = name.map { Array($0.utf8) }
    return removeAll { own, entry in
      (domain.map { $0 == own } ?? true) && (name.map { $0 == entry.name } ?? true)
    }
  }

  private mutating func removeAll(where isUnwanted: (String, StoredCookie) -> Bool) -> Int {
    let before = count
    for domain in Array(entries.keys) {
      guard var own = entries.removeValue(forKey: domain) else { continue }
      own.removeAll { entry in
        guard isUnwanted(domain, entry) else { return false }
        forget(entry, in: domain)
        return true
      }
      if !own.isEmpty { entries[domain] = own }
    }
    return before - count
  }

  /// Records that these were sent; domain and index identify each.
  mutating func noteUse(_ used: some Sequence<(domain: String, index: Int)>) {
    operations += 1
    for (domain, index) in used { entries[domain]?[index].lastUsed = operations }
  }
}
