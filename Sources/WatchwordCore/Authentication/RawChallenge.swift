package import WatchwordVocabulary

/// One challenge as the server spelled it, before checking whether it can be answered.
package struct RawChallenge: Sendable, Equatable {
  /// The authentication scheme in lower case.
  package var scheme: String
  /// In the order in which they were sent; no name twice.
  package var parameters: [AuthenticationParameter]
  /// The token68 that schemes such as Negotiate send instead of parameters; with its padding.
  package var token68: String?

  package init(scheme: String, parameters: [AuthenticationParameter] = [], token68: String? = nil) {
    self.scheme = scheme
    self.parameters = parameters
    self.token68 = token68
  }

  /// The value of the parameter called `name`, given in lower case.
  package func value(of name: String) -> OctetString? { parameters.first { $0.name == name }?.value }
}
