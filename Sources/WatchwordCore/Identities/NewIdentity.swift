/// An identity that a caller brings.
package enum NewIdentity: Sendable {
  case material(IdentityMaterial)
  case token(TokenKey)
}
