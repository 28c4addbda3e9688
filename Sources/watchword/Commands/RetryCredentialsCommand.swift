internal import WatchwordClient
internal import WatchwordMessages
internal import WatchwordOptions

/// `watchword credentials retry`: lets refused credentials from outside a session be sent once more.
struct RetryCredentialsCommand: Command {
  static let name = "credentials retry"
  static let summary = "let refused passwords be tried once more"
  static let synopsis = "[options] URL"
  static let about = """
    The next fetch of the URL sends once more what its server or proxy has refused, if it comes from one of
    the administrator's sources, a netrc or a URL: an account was unlocked. "watchword explain" shows which
    sources wait. Prints how many there are; none is a failure.
    """
  static let example = "watchword credentials retry https://intranet.example/"

  static var options: [Option<RetryCredentialsCommand>] {
    [Option(nil, "session", "NAME", "the session [default]") { $0.session = $1 }]
      + FetchProxy.options(\.proxy) + [Option(nil, "json", "as JSON") { $0.isJSON = true }]
  }

  var daemon = DaemonOptions()
  private var url: String?
  private var session: String?
  private var proxy = FetchProxy()
  private var isJSON = false

  static let operandsAreOctets = true

  mutating func take(operand: String) throws(Failure) {
    guard url == nil else { throw .usage("only one URL is allowed") }
    url = try URLText.argument(operand)
  }

  mutating func run() throws(Failure) -> ExitCode {
    guard let url else { throw .usage("the URL is missing") }
    try proxy.check()
    let reply = try daemon.connect().askReply(
      Request.CredentialRetry(session: session, url: url, proxies: proxy.proxies))
    let retried = reply.result.retried
    StandardOutput.write(isJSON ? JSONText.of(reply.text) + "\n" : "may be tried again: \(retried)\n")
    return retried > 0 ? .success : .failure
  }
}
