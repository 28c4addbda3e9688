/// The identity of a credential: one that the session stores, or a new one.
package enum IdentitySource: Sendable {
  case stored(identifier: String)
  case new(NewIdentity)
}
