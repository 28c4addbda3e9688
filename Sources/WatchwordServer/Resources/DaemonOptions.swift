internal import Glibc
package import WatchwordCore
package import WatchwordJSON
internal import WatchwordTransport
package import WatchwordVocabulary

/// The options that the daemon was started with.
package struct DaemonOptions: Sendable {
  package var socketPath: String
  /// Nil when neither the command line nor the environment names a place.
  package var configuration: ConfigurationPlace?
  /// As the file has them; nil: there is no file.
  package var configurationMembers: JSONNode?
  /// Where permanent state is kept; nil when no place is known.
  package var statePlace: StatePlace?
  package var idleExitSeconds: Double?
  /// Of the configuration file.
  package var settings = DaemonSettings()
  /// The program that asks the Secret Service; nil when it is not installed.
  package var secretServiceProgram: String?
  /// Read once, at start.
  package var proxies = ProxyEnvironment { _ in nil }
  /// The program that loads PKCS#11 modules; nil when it is not installed.
  package var tokenProgram: String?

  /// Whether every uid of the host may connect, each to its own sessions.
  package var isHostWide: Bool { settings.access == .host }

  package init(socketPath: String) { self.socketPath = socketPath }

  package static let version = "1.0.0"
}

/// The proxies that the daemon's own environment names, read once, with curl's names and meanings.
package struct ProxyEnvironment: Sendable {
  /// Nil: it names none.
  package let rules: ProxyRules?
  /// The variables that are no proxy's URL or hold an exception that is malformed; never their values.
  package let malformed: [String]

  package static var ofProcess: ProxyEnvironment {
    ProxyEnvironment { name in
      guard let value = getenv(name), value.pointee != 0 else { return nil }
      return Secret(copying: UnsafeRawBufferPointer(start: value, count: strlen(value)))
    }
  }

  /// - Parameter read: the value of a variable; nil when it is absent or empty.
  package init(_ read: (String) -> Secret?) {
    var malformed: [String] = []
    func entry(_ names: [String]) -> ProxyRules.Setting? {
      for name in names {
        guard let value = read(name) else { continue }
        let proxy = try? ProxyURL.parse(value, requiresScheme: false)
        if proxy == nil { malformed.append(name) }
        return ProxyRules.Setting(name: name, proxy: proxy)
      }
      return nil
    }
    var rules = ProxyRules(.environment)
    // A CGI program's `HTTP_PROXY` is a field of the request that it serves (CVE-2016-5385).
    rules.http = entry(["http_proxy"])
    rules.https = entry(["https_proxy", "HTTPS_PROXY"])
    rules.all = entry(["all_proxy", "ALL_PROXY"])
    for name in ["no_proxy", "NO_PROXY"] {
      guard let value = read(name) else { continue }
      let text = value.withBytes { String(decoding: $0, as: UTF8.self) }
      for part in text.split(whereSeparator: { $0 == "," || $0 == " " || $0 == "\t" }) {
        if let exception = ProxyException(String(part)) {
          rules.exceptions.append(exception)
        } else if malformed.last != name {
          malformed.append(name)
        }
      }
      break
    }
    self.rules = rules.isEmpty ? nil : rules
    self.malformed = malformed
  }
}
