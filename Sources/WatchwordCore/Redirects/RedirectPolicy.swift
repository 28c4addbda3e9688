package import WatchwordVocabulary

/// Decides whether a redirect is followed, and which fields and body are kept (challenges.md 13).
///
/// Credentials belong to an origin: in curl's CVE-2018-1000007 and CVE-2022-27774, fields were sent to
/// another host, scheme or port. When a caller that was asked changes the target, the decision is made again
/// with that target, from the same step.
package struct RedirectPolicy: Sendable, Equatable {
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
    status: Int, target: RedirectTarget, from step: RequestStep, after count: Int
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
    let isDowngrade = step.url.origin.scheme == .https && url.origin.scheme == .http
    if isDowngrade, !allowsDowngrade { return .refuse(.downgrade) }

    let method = kind.method(after: step.method)
    // Depends only on the status: `Content-Type` is kept even without a body.
    let keepsContent = kind.keepsContent(changing: step.method, to: method)
    let headers = Self.headers(
      of: step, toOtherOrigin: url.origin != step.url.origin, withContent: keepsContent)
    let next = RequestStep(
      url: url, method: method, headers: headers, sensitiveNames: step.sensitiveNames,
      body: keepsContent ? step.body : .none)
    return mode == .ask ? .ask(next) : .follow(next)
  }

  /// Fields that describe a request's content, besides all that begin with `content-`.
  private static let contentNames: Set<String> = [
    "transfer-encoding", "trailer", "expect", "digest", "repr-digest",
  ]

  private static func headers(
    of step: RequestStep, toOtherOrigin isOtherOrigin: Bool, withContent keepsContent: Bool
  ) -> [HeaderField] {
    step.headers.filter { field in
      let name = field.name.asciiLowercased
      // It would reveal the previous URL, with its query.
      if name == "referer" { return false }
      if !keepsContent, name.hasPrefix("content-") || contentNames.contains(name) { return false }
      guard isOtherOrigin else { return true }
      return name != "host" && !SensitiveFields.contains(name) && !step.sensitiveNames.contains(name)
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

extension RedirectPolicy {
  /// The `proposed` step with what the caller has put in its place; nil leaves a part as it is.
  ///
  /// Another URL is judged like the server's own redirect: from the same step, by the same status and limits,
  /// and with the fields that may be sent to it.
  ///
  /// - Throws: the fault for which a redirect to the caller's URL would be refused.
  package func step(
    _ proposed: RequestStep, to url: RequestURL?, method: String?, headers: [HeaderField]?, status: Int,
    from step: RequestStep, after count: Int
  ) throws(RedirectFault) -> RequestStep {
    var next = proposed
    if let url {
      var policy = self
      policy.mode = .follow
      switch policy.decision(status: status, target: .resolved(url), from: step, after: count) {
      case .follow(let judged), .ask(let judged): next = judged
      case .refuse(let fault): throw fault
      case .notARedirect, .deliver: break
      }
    }
    if let method { next.method = method }
    if let headers { next.headers = SensitiveFields.restored(in: headers, from: next.headers) }
    return next
  }
}

/// What the task does with a redirect.
package enum RedirectDecision: Sendable, Equatable {
  case notARedirect
  /// The response itself is the result.
  case deliver
  case follow(RequestStep)
  /// The caller receives the step and decides.
  case ask(RequestStep)
  case refuse(RedirectFault)
}

/// The target of a `Location`, resolved against the step's URL by the transport's parser.
package enum RedirectTarget: Sendable, Equatable {
  case absent
  case resolved(RequestURL)
  /// A URL with a scheme other than `http` and `https`.
  case unsupportedScheme
  /// Not a URL, or several `Location` fields that differ.
  case malformed
}

/// Why a redirect is not followed, and the task fails.
package enum RedirectFault: String, Error, Sendable, CaseIterable {
  case tooManyRedirects
  /// From https to http.
  case downgrade
  case unsupportedScheme
  case malformedTarget
}

/// The header fields that a caller sets for a task: those of the task, and those of its session's `headers`.
///
/// A session's field is the caller's field of every task, so the same rules apply to both: an `Authorization`
/// means no challenge and no cached credential (storage.md 9.2.4), and a field with a secret is dropped with
/// its origin and never restored (challenges.md 13.2).
package enum CallerFields {
  /// The fields of the first step; the session's come first.
  ///
  /// The task's field replaces a session's field of the same name. The user in the URL also replaces the
  /// session's `Authorization`: the more specific one counts, and the task's own field is the most specific
  /// of the three.
  package static func merged(
    task: [HeaderField], session: [HeaderField], for url: RequestURL
  ) -> [HeaderField] {
    guard !session.isEmpty else { return task }
    var taken = Set(task.map { $0.name.asciiLowercased })
    if url.userinfo != nil { taken.insert("authorization") }
    return session.filter { !taken.contains($0.name.asciiLowercased) } + task
  }
}

/// A request of a task, the first or one that a redirect leads to: its parts that the caller chose.
package struct RequestStep: Sendable, Equatable {
  /// Without userinfo where a redirect led to it.
  package var url: RequestURL
  package var method: String
  /// The caller's fields without those that earlier redirects of the task dropped: each step takes the fields
  /// of the one before, so that a dropped field does not return.
  package var headers: [HeaderField]
  /// Names, in lower case, of further fields that the caller marked as carrying a secret.
  package var sensitiveNames: Set<String>
  package var body: Body

  package enum Body: Sendable {
    case none
    /// It can be sent again: bytes in memory, a seekable file.
    case replayable
    /// A pipe; some of its bytes may have been read.
    case notReplayable

    var isReplayable: Bool {
      switch self {
      case .none, .replayable: true
      case .notReplayable: false
      }
    }
  }

  package init(
    url: RequestURL, method: String, headers: [HeaderField], sensitiveNames: Set<String> = [],
    body: Body = .none
  ) {
    self.url = url
    self.method = method
    self.headers = headers
    self.sensitiveNames = sensitiveNames
    self.body = body
  }
}
