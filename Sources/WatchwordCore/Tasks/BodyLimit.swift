/// The limits of a session that a response's body may exceed, by their names in its configuration.
package enum BodyLimit: String, Sendable {
  case inlineBodyBytes
  case memoryBodyBytes
  case decodedBodyBytes
}
