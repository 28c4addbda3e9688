/// A server that a request passes, and that may ask for a credential of its own; the wire's `hop`.
package enum Hop: String, Sendable, Hashable {
  case origin
  case proxy
}
