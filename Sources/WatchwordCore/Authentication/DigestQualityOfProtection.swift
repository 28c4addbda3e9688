package enum DigestQualityOfProtection: String, Sendable, Hashable {
  case auth
  case authInt = "auth-int"
}
