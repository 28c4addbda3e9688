internal import WatchwordClient

/// The variables that name a PEM file of roots for curl.
enum RootsEnvironment {
  /// As curl reads them (curl(1), ENVIRONMENT): the first that is set and not empty.
  static var bundle: String? {
    ["CURL_CA_BUNDLE", "SSL_CERT_FILE"].lazy.compactMap { SocketPath.environment($0) }.first
  }
}
