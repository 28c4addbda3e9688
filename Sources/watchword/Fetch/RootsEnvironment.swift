internal import Glibc
internal import WatchwordClient

/// The variables that name a PEM file of roots for curl.
enum RootsEnvironment {
  /// The system's, which the daemon trusts anyway: many installations name one of them for every program.
  private static let systemBundles = [
    "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/ca-bundle.pem",
    "/etc/ssl/cert.pem",
  ]

  /// As curl reads them (curl(1), ENVIRONMENT): the first that is set and not empty; nil when it names the system's.
  static var bundle: String? {
    let names = ["CURL_CA_BUNDLE", "SSL_CERT_FILE"]
    guard let path = names.lazy.compactMap({ SocketPath.environment($0) }).first else { return nil }
    return systemBundles.contains { isOneFile(path, $0) } ? nil : path
  }

  private static func isOneFile(_ path: String, _ other: String) -> Bool {
    var (information, another) = (stat(), stat())
    guard stat(path, &information) == 0, stat(other, &another) == 0 else { return false }
    return information.st_dev == another.st_dev && information.st_ino == another.st_ino
  }
}
