/// The identity of a credential: one that the session has, or a new one.
package enum IdentitySource: Sendable {
  case stored(identifier: String)
  case new(NewIdentity)
}
