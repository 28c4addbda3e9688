package import WatchwordVocabulary

/// A caller's changes to the request of a redirect; nil leaves a part as it is.
package struct RedirectChange: Sendable, Equatable {
  package var url: RequestURL?
  package var method: String?
  package var headers: [HeaderField]?

  package init(url: RequestURL? = nil, method: String? = nil, headers: [HeaderField]? = nil) {
    self.url = url
    self.method = method
    self.headers = headers
  }
}
