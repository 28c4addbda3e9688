/// The request that a redirect leads to.
package struct RedirectedRequest: Sendable, Equatable {
  /// Without userinfo.
  package var url: RequestURL
  package var method: String
  package var headers: [HeaderField]
  package var keepsBody: Bool
}
