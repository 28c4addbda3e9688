internal import Glibc
package import WatchwordCore
internal import WatchwordPrimitives
package import WatchwordSecret
internal import WatchwordTransport

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
    func entry(_ names: [String]) -> ProxyRules.Entry? {
      for name in names {
        guard let value = read(name) else { continue }
        let proxy = try? ProxyURL.parse(value, requiresScheme: false)
        if proxy == nil { malformed.append(name) }
        return ProxyRules.Entry(name: name, proxy: proxy)
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
