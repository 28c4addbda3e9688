package import WatchwordVocabulary

/// The exchange whose response is a redirect: the parts of its request that the caller chose.
package struct RedirectHop: Sendable {
  package var url: RequestURL
  package var method: String
  /// The caller's fields without those that earlier redirects of the task dropped: each hop takes the fields of
  /// `RedirectedRequest`, so that a dropped field does not return.
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
