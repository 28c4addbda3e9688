internal import WatchwordClient

/// `watchword fetch`: one URL, with curl's names for curl's options.
struct FetchCommand: Command {
  static let name = "fetch"
  static let summary = "fetch a URL, asking for a password when the server does"
  static let synopsis = "[options] URL"
  static let about = """
    Fetches a URL through the daemon and writes the body to standard output or a file. When the server
    demands a user, a password or a token, you are asked on the terminal, or by --askpass; the answer
    serves every later fetch of the session, in this process or another. No user, or the end of input
    (^D), cancels with exit code 3.

    An askpass program gets each question as its argument, the origin first and what is asked last, as
    https://intranet.example (basic, realm "staff"): Password for reader:
    The first line that it prints is the answer; another exit status than 0 cancels.

    Without -L a redirect is the result; with it the session's policy decides, which is to follow unless
    it was opened with another. The options marked * are settings of a session and make a private one
    for this fetch, unless --session names one.

    When a server's certificate is not trusted, you are shown why and may accept it: once, for this fetch;
    session, for every fetch of the session; always, for every session, kept on disk; or no. Without a
    terminal it is refused with exit code 4. -k accepts it for one fetch and says why.

    When a server asks for a client certificate, you are shown whose it takes and which of the session's
    fit, and choose one by its number, name a file or a pkcs11: URI, present none or cancel. Without a
    terminal the session presents the one that was added last of those that fit, or none.

    -w knows %{json}, which is the daemon's result, and of curl's variables http_code, response_code, url,
    url_effective, method, content_type, redirect_url, num_redirects, http_version, size_download and
    time_namelookup, _connect, _appconnect, _starttransfer and _total.

    Secrets do not belong in arguments, where every process can read them: -u takes the user only.
    """
  static let example = """
    watchword fetch -f -u reader -o q3.csv https://intranet.example/q3.csv
    """

  var daemon = DaemonOptions()

  // What is asked for.
  var url: String?
  var method: String?
  var headers = FetchHeaders()
  var body = FetchBody()
  var isGet = false
  var isHead = false
  var user: String?

  // How.
  var session = FetchSession()
  var trust = FetchTrust()
  var isCompressed = false
  var maxTime: Double?
  var connectTimeout: Double?

  // Who is asked.
  var askpass: String? = SocketPath.environment("WATCHWORD_ASKPASS")
  var mayAsk = true
  var persistence: String?

  // What becomes of it.
  var outputPath: String?
  var usesRemoteName = false
  var includesHead = false
  var failsOnError = false
  var resumes = false
  var isSilent = false
  var showsErrors = false
  var isVerbose = false
  var showsMetrics = false
  var writeOut: String?

  mutating func take(operand: String) throws(Failure) {
    guard url == nil else { throw .usage("one URL at a time, please: \(DisplayText.escaped(operand))") }
    url = operand
  }

  mutating func run() throws(Failure) -> ExitCode {
    do throws(Failure) {
      let task = try FetchRequest(self)
      try trust.complete(mayAsk: mayAsk)
      return try FetchTransfer(task, self).run()
    } catch {
      // A wrong command line is always said; -s is about the transfer.
      guard isSilent, !showsErrors, error.exitCode != .usage else { throw error }
      return error.exitCode
    }
  }
}
