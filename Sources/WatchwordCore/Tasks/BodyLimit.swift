/// The limits on a response's body, by their names in a session's configuration and in a fetch.
package enum BodyLimit: String, Sendable {
  case inlineBodyBytes
  case memoryBodyBytes
  case decodedBodyBytes
  /// The fetch's own.
  case maximumBodyBytes
}
