/// The algorithms of RFC 7616 §6.1; strength rises with the hash, `-sess` does not change it.
package enum DigestAlgorithm: String, Sendable, Hashable, CaseIterable {
  case md5 = "MD5"
  case md5Session = "MD5-sess"
  case sha256 = "SHA-256"
  case sha256Session = "SHA-256-sess"
  case sha512256 = "SHA-512-256"
  case sha512256Session = "SHA-512-256-sess"
}
