/// The exchange that was answered with a redirect: what was sent, as far as the caller chose it.
package struct RedirectHop: Sendable {
  package var url: RequestURL
  package var method: String
  /// The fields as the caller gave them, less what earlier redirects of the task dropped: feeding each hop
  /// with the fields of `RedirectedRequest` is what keeps a dropped field from coming back.
  package var headers: [HeaderField]
  /// Names, in lower case, of further fields that the caller marked as carrying a secret.
  package var sensitiveNames: Set<String>
  package var body: Body

  package enum Body: Sendable {
    case none
    /// Can be sent again: bytes in memory, a seekable file.
    case replayable
    /// A pipe of which bytes may have been taken.
    case notReplayable
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

/// Where `Location` points, resolved against the hop's URL by the transport's parser.
package enum RedirectTarget: Sendable, Equatable {
  case absent
  case resolved(RequestURL)
  /// A URL of another scheme than `http` and `https`.
  case unsupportedScheme
  /// Not a URL, or several `Location` fields that differ.
  case malformed
}

/// The request that a redirect leads to.
package struct RedirectedRequest: Sendable, Equatable {
  /// Without userinfo.
  package var url: RequestURL
  package var method: String
  package var headers: [HeaderField]
  package var keepsBody: Bool
}

/// What a redirect comes to.
package enum RedirectDecision: Sendable, Equatable {
  case notARedirect
  /// The response itself is the result.
  case deliver
  case follow(RedirectedRequest)
  /// The caller is shown the request and decides.
  case ask(RedirectedRequest)
  case refuse(RedirectFault)
}

/// Why a redirect is not followed, and the task fails.
package enum RedirectFault: String, Error, Sendable, CaseIterable {
  case tooManyRedirects
  /// From https to http.
  case downgrade
  case unsupportedScheme
  case malformedTarget
  case bodyNotReplayable
}
