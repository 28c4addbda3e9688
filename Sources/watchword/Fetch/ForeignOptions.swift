internal import WatchwordOptions

/// Options of curl that a pasted command line may have and a fetch cannot: refused with what to do instead.
enum ForeignOptions {
  private struct ForeignOption {
    let short: Character?
    let long: String
    let argument: String?
    let reason: String
    let hint: String
  }

  private static let entries = [
    ForeignOption(
      short: nil, long: "location-trusted", argument: nil,
      reason: "a credential is sent only where it was given for",
      hint: "watchword credentials set URL gives one for the other host"),
    ForeignOption(
      short: nil, long: "interface", argument: "NAME",
      reason: "the daemon's connections take the way of the system", hint: "ip route chooses it"),
    ForeignOption(
      short: nil, long: "unix-socket", argument: "PATH", reason: "the daemon connects over TCP only",
      hint: "socat TCP-LISTEN:PORT,bind=127.0.0.1 UNIX-CONNECT:PATH makes the server reachable over TCP"),
    ForeignOption(
      short: nil, long: "trace-ascii", argument: "FILE", reason: "bodies are not traced",
      hint: "-v 2>FILE has the heads and the challenges"),
    ForeignOption(
      short: nil, long: "path-as-is", argument: nil, reason: "dots in a path are resolved, as servers do",
      hint: "a server that needs the dots cannot be reached: %2E is resolved, too"),
    ForeignOption(
      short: nil, long: "socks5", argument: "HOST:PORT", reason: "a proxy has one option",
      hint: "-x socks5://HOST:PORT, or -x socks5h://HOST:PORT where the proxy resolves the names"),
    ForeignOption(
      short: nil, long: "socks5-hostname", argument: "HOST:PORT", reason: "a proxy has one option",
      hint: "-x socks5h://HOST:PORT"),
    ForeignOption(
      short: nil, long: "socks4", argument: "HOST:PORT", reason: "a proxy has one option",
      hint: "-x socks4://HOST:PORT, or -x socks4a://HOST:PORT where the proxy resolves the names"),
    ForeignOption(
      short: nil, long: "proxy-header", argument: "LINE", reason: "fields for a proxy are the daemon's",
      hint: "-U USER answers a proxy that asks"),
    ForeignOption(
      short: nil, long: "proxy-insecure", argument: nil, reason: "a proxy's certificate is asked about",
      hint: "at a terminal answer once, session or always"),
    ForeignOption(
      short: nil, long: "connect-to", argument: "MAP", reason: "a host is reached by its name",
      hint: "--resolve HOST:PORT:ADDRESS gives it another address"),
    ForeignOption(
      short: nil, long: "capath", argument: "FOLDER", reason: "authorities are in one file",
      hint: "--cacert FILE, or watchword trust add-ca FILE for every fetch"),
    ForeignOption(
      short: nil, long: "http3", argument: nil, reason: "the daemon speaks HTTP/1.1 and HTTP/2",
      hint: "leave it out"),
    ForeignOption(
      short: nil, long: "trace", argument: "FILE", reason: "bodies are not traced",
      hint: "-v 2>FILE has the heads and the challenges"),
    ForeignOption(
      short: nil, long: "next", argument: nil, reason: "all options are for all URLs",
      hint: "a second watchword fetch has the same session, and so the same connections"),
  ]

  static var options: [Option<FetchCommand>] {
    entries.map { entry in
      let refuse = { (_: inout FetchCommand, _: String) throws(Failure) in
        throw Failure.usage("--\(entry.long) is not supported: \(entry.reason)", hint: entry.hint)
      }
      let help = "not supported: \(entry.reason)"
      guard let argument = entry.argument else {
        return Option(switch: entry.short, entry.long, help, refuse)
      }
      return Option(entry.short, entry.long, argument, help, refuse)
    }
  }
}
