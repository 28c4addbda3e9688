package import WatchwordVocabulary

/// The request that a redirect leads to.
package struct RedirectedRequest: Sendable, Equatable {
  /// Of the redirect that leads to it.
  package let status: Int
  /// Without userinfo.
  package var url: RequestURL
  package var method: String
  package var headers: [HeaderField]
  package var keepsBody: Bool
}
