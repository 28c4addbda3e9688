internal import WatchwordClient

/// `watchword fetch`: one URL, with curl's names for curl's options.
struct FetchCommand: Command {
  static let name = "fetch"
  static let summary = "fetch a URL, prompt for a password when the server requires one"
  static let synopsis = "[options] URL"
  static let about = """
    Fetches a URL through the daemon and writes the body to standard output or a file. When the server
    requires a user, a password or a token, the command prompts on the terminal or runs --askpass. The
    session keeps the accepted credential for later fetches, in this process or another. An empty user,
    or the end of input (^D), cancels with exit code 3.

    An askpass program gets each prompt as its argument, for example
    https://intranet.example (basic, realm "staff"): Password for reader:
    The first line that it prints is the answer. An exit status other than 0 cancels.

    Without -L a redirect is the result. With -L the session's policy applies; the default is to follow.
    The options marked * are settings of a session. They make a private session for this fetch, unless
    --session names one.

    When a server's certificate failed verification, the command shows the reasons. Accept it once (this
    fetch), session (every fetch of the session) or always (every session, kept on disk), or answer no.
    Without a terminal it is refused with exit code 4. -k accepts it for one fetch.

    When a server requests a client certificate, the command shows the accepted issuers and the session's
    certificates that fit. Choose a number, name a file or a pkcs11: URI, answer none, or cancel. Without
    a terminal the session presents the one added last of those that fit, or none.

    -w supports %{json}, the daemon's result, and of curl's variables http_code, response_code, url,
    url_effective, method, content_type, redirect_url, num_redirects, http_version, size_download and
    time_namelookup, _connect, _appconnect, _starttransfer and _total.

    Secrets do not belong in arguments, which every process can read: -u takes the user only.
    """
  static let example = """
    watchword fetch -f -u reader -o q3.csv https://intranet.example/q3.csv
    """

  var daemon = DaemonOptions()

  // What to fetch.
  var url: String?
  var method: String?
  var headers = FetchHeaders()
  var body = FetchBody()
  var isGet = false
  var isHead = false
  var user: String?

  // How to fetch it.
  var session = FetchSession()
  var trust = FetchTrust()
  var isCompressed = false
  var maxTime: Double?
  var connectTimeout: Double?

  // How to ask for credentials.
  var askpass: String? = SocketPath.environment("WATCHWORD_ASKPASS")
  var mayAsk = true
  var persistence: String?

  // What to do with the result.
  var outputPath: String?
  var usesRemoteName = false
  var includesHead = false
  var failsOnError = false
  var resumes = false
  /// What the body must hash to, as the daemon takes it.
  var digest: String?
  var isSilent = false
  var showsErrors = false
  var isVerbose = false
  var showsMetrics = false
  var writeOut: String?

  mutating func take(operand: String) throws(Failure) {
    guard url == nil else { throw .usage("only one URL is allowed: \(DisplayText.escaped(operand))") }
    url = operand
  }

  mutating func run() throws(Failure) -> ExitCode {
    do throws(Failure) {
      let task = try FetchRequest(self)
      try session.methods.complete(for: task.url)
      try trust.complete(mayAsk: mayAsk)
      return try FetchTransfer(task, self).run()
    } catch {
      // A wrong command line is always reported; -s is about the transfer.
      guard isSilent, !showsErrors, error.exitCode != .usage else { throw error }
      return error.exitCode
    }
  }
}
