internal import WatchwordPrimitives
internal import WatchwordVocabulary

/// Decides whether a redirect is followed, and which fields and body are kept (challenges.md 13).
///
/// Credentials belong to an origin: in curl's CVE-2018-1000007 and CVE-2022-27774, fields were sent to another host,
/// scheme or port. When a caller that was asked changes the target, the decision is made again with that target, from
/// the same hop.
package struct RedirectPolicy: Sendable, Equatable {
  package enum Mode: String, Sendable, CaseIterable {
    case follow
    case manual
    case ask
  }

  package var mode: Mode = .follow
  /// Redirects of one task; browsers stop at 20 too.
  package var limit = 20
  /// Whether https may lead to http.
  package var allowsDowngrade = false

  package init() {}

  /// Whether a response of this status may lead elsewhere.
  static func isRedirect(_ status: Int) -> Bool { RedirectStatus(rawValue: status) != nil }

  /// Decides about a response of `status`, after `count` redirects of this task were followed.
  package func decision(
    status: Int, target: RedirectTarget, from hop: RedirectHop, after count: Int
  ) -> RedirectDecision {
    guard let kind = RedirectStatus(rawValue: status) else { return .notARedirect }
    if mode == .manual { return .deliver }
    let url: RequestURL
    switch target {
    case .absent: return .deliver
    case .unsupportedScheme: return .refuse(.unsupportedScheme)
    case .malformed: return .refuse(.malformedTarget)
    case .resolved(let resolved): url = resolved.withoutUserinfo
    }
    if count >= limit { return .refuse(.tooManyRedirects) }
    let isDowngrade = hop.url.origin.scheme == .https && url.origin.scheme == .http
    if isDowngrade, !allowsDowngrade { return .refuse(.downgrade) }

    let method = kind.method(after: hop.method)
    // Depends only on the status: `Content-Type` is kept even without a body.
    let keepsContent = kind.keepsContent(changing: hop.method, to: method)
    let headers = Self.headers(
      of: hop, toOtherOrigin: url.origin != hop.url.origin, withContent: keepsContent)
    let request = RedirectedRequest(
      status: status, url: url, method: method, headers: headers,
      keepsBody: keepsContent && hop.body != .none)
    return mode == .ask ? .ask(request) : .follow(request)
  }

  /// Fields that describe a request's content, besides all that begin with `content-`.
  private static let contentNames: Set<String> = [
    "transfer-encoding", "trailer", "expect", "digest", "repr-digest",
  ]

  private static func headers(
    of hop: RedirectHop, toOtherOrigin isOtherOrigin: Bool, withContent keepsContent: Bool
  ) -> [HeaderField] {
    hop.headers.filter { field in
      let name = field.name.asciiLowercased
      // It would reveal the previous URL, with its query.
      if name == "referer" { return false }
      if !keepsContent, name.hasPrefix("content-") || contentNames.contains(name) { return false }
      guard isOtherOrigin else { return true }
      return name != "host" && !SensitiveFields.contains(name) && !hop.sensitiveNames.contains(name)
    }
  }
}

/// The statuses that redirect (RFC 9110 §15.4); 300, 304, 305 and 306 do not.
private enum RedirectStatus: Int {
  case movedPermanently = 301
  case found = 302
  case seeOther = 303
  case temporaryRedirect = 307
  case permanentRedirect = 308

  /// As in browsers (Fetch §4.4): POST becomes GET, and after 303 every method except HEAD does.
  func method(after method: String) -> String {
    switch self {
    case .movedPermanently, .found: method == "POST" ? "GET" : method
    case .seeOther: method == "HEAD" ? method : "GET"
    case .temporaryRedirect, .permanentRedirect: method
    }
  }

  func keepsContent(changing method: String, to next: String) -> Bool {
    switch self {
    case .movedPermanently, .found: method == next
    case .seeOther: false
    case .temporaryRedirect, .permanentRedirect: true
    }
  }
}
