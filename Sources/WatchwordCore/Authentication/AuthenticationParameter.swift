package import WatchwordVocabulary

/// One `name=value` of a challenge; the name in lower case, the value unquoted.
package struct AuthenticationParameter: Sendable, Hashable {
  package let name: String
  package let value: OctetString

  package init(_ name: String, _ value: OctetString) {
    self.name = name
    self.value = value
  }
}
