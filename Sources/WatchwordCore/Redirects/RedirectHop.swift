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
