/// The limits of a session on a response's body, by their names in its configuration.
package enum BodyLimit: String, Sendable {
  case inlineBodyBytes
  case memoryBodyBytes
  case decodedBodyBytes
}
