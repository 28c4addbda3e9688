/// Why a URI of a token's key is invalid, for a person.
package struct TokenURIFault: Error, Sendable, Equatable {
  package let text: String

  init(_ text: String) { self.text = text }
}
