/// Why a text is not a URL that Watchword fetches. No case holds any of the text: it may contain a password.
package enum URLFault: Error, Sendable, Equatable, CaseIterable {
  case tooLong
  /// A control character, raw, or percent-encoded where it would get into a field (host, userinfo).
  case controlCharacter
  /// No `scheme://host`.
  case notAbsolute
  /// A scheme other than http and https.
  case unsupportedScheme
  case badUserinfo
  case badHost
  /// An IPv6 zone is meaningful on one host only, and libcurl would remove it from the name.
  case zoneIdentifier
  case badPort
  /// libcurl's parser refused it for another reason.
  case malformed
}
