internal import CLinux
internal import Glibc
internal import WatchwordOptions
internal import WatchwordVocabulary

/// `watchword fetch`: one URL or several, with curl's names for curl's options.
struct FetchCommand: Command {
  static let name = "fetch"
  static let summary = "fetch a URL, prompt for a password when the server requires one"
  static let synopsis = "[options] URL…"
  static let about = """
    Fetches a URL through the daemon and writes the body to standard output or a file. When the server
    requires a user, a password or a token, the command prompts on the terminal or runs --askpass. The
    session keeps the accepted credential for later fetches, in this process or another. An empty user,
    or the end of input (^D), cancels with exit code 3.

    When another process was asked for what this fetch needs, too, it says so and goes on with the answer.

    An askpass program gets each prompt as its argument, for example

    https://intranet.example (basic, realm "staff"): Password for reader:

    The first line that it prints is the answer. An exit status other than 0 cancels.

    A 401 or 407 that remains, or a login page of the session's forms, ends with exit code 3, and its page is
    not written: a script would take it for the data. --deliver-401 writes it.

    Without -L a redirect is the result. With -L the session's policy applies; the default is to follow.
    The options marked * are settings of a session. Without --session, a fetch with one of them or with -k
    runs in the session that is named after these settings: the next one with the same options is not
    prompted again, and no other session shares its credentials. With --cert it is also named after the files of the certificate and the
    key, and keeps the certificate, until it ends or a file changes. It is private and ends with the fetch,
    unless --session names one, with --private, with a token or cookies from a file, and with a certificate
    that is in a token or a pipe, or has --persistence none.

    CURL_CA_BUNDLE, or else SSL_CERT_FILE, in the environment is --cacert, unless --session names a session.
    An authority for every fetch belongs to the daemon: watchword trust add-ca FILE.

    -x names the proxy of this fetch. Without it those of http_proxy, https_proxy, all_proxy and no_proxy count,
    unless --session names a session. Without these the session's count, by default those of the daemon's
    environment. What a session keeps is sent only by the way, direct or over the proxy, that it was given for. A proxy that requires a user and a password, or whose certificate failed
    verification, is asked about like a server; the prompt says proxy.

    When a server's certificate failed verification, the command shows the reasons. Accept it once (this
    fetch), session (every fetch of the session) or always (every session, kept on disk), or answer no.
    Without a terminal it is refused with exit code 4. -k accepts it for one fetch.

    When a server requests a client certificate, the command shows the accepted issuers and the session's
    certificates that fit. Choose a number, name a file or a pkcs11: URI, answer none, or cancel. Without
    a terminal the session presents the one added last of those that fit, or none.

    Several URLs are fetched one after the other in one session; the first -o, -O or -T is for the first URL,
    and so on. The exit code is that of the last one, as curl's is. If that is 0, and an earlier one has ended
    with 3 or 4, it is this: a page is missing that a credential or a decision would have brought. -Z fetches
    them at the same time, without a line of progress; one prompt serves all that it concerns. The exit code is then that of the one that failed last.

    --retry tries again after a time limit, a name that was not resolved, and the status 408, 429, 500, 502,
    503 or 504, after the seconds of Retry-After, of --retry-delay, or 1, 2, 4 and so on. The body of such a
    status is not written while there are retries left.

    -o and -O write the file while the body arrives, as curl does: after a failure it has the beginning, and
    what it had before is lost. With --checksum it changes only when the whole body is there and right.

    -D, -i and -I write the heads of the redirects that were followed, of the refusals that were answered
    with a credential and of a proxy's replies to CONNECT, then that of the result.

    --preemptive is for servers that answer 403 or 404 and never ask: the user of -u, or the token, goes with
    the first request to the URL's directory and below, by Basic or Bearer, and the session keeps it. The
    URL is https, or on this host.

    Cookies are for one fetch, with its redirects. A session that --session or --private names keeps them, and
    so does any with -c; "watchword cookies" lists and removes them.

    {one,two} and [1-3], [01-10:2] or [a-z] in a URL stand for several URLs, at most 10,000; #1 in the name of
    -o is the word of the first one. In the name of -T they stand for several files, each for every URL. -g
    takes URLs and names as they are.

    -w supports %{json}, the daemon's result, %header{NAME}, %{stdout}, %{stderr}, %output{FILE}, %output{>>FILE}
    to append, and %{onerror}, and of curl's
    variables http_code, response_code, url, url_effective, urlnum, scheme, method, referer, content_type,
    redirect_url, num_redirects, num_headers, num_connects, header_json, http_version, size_download,
    size_upload, remote_ip, remote_port, speed_download, speed_upload, filename_effective, exitcode, errormsg, ssl_verify_result and
    time_namelookup, _connect, _appconnect, _pretransfer, _redirect, _starttransfer and _total.

    Secrets do not belong in arguments, which every process can read: -u takes the user only, and
    --password-fd 3 3<FILE reads the password. -u means a user and a password: where a server offers
    Bearer too, no token is asked for.
    """
  static let example = """
    watchword fetch -f -u reader -o q3.csv https://intranet.example/q3.csv
    """

  var daemon = DaemonTarget()

  // What to fetch.
  var urls: [String] = []
  /// The one that is being fetched, and its number among those of the command line.
  var url: String?
  var urlNumber = 0
  /// Whether braces and brackets in URLs are what they are.
  var isLiteral = false
  /// Encoded texts that the query gets.
  var queries: [String] = []
  var schemes = URLSchemes()
  var timeCondition: TimeCondition?
  /// Why there is no condition although -z was given.
  var timeWarning: String?
  /// Whether a file of options is being read.
  var isReadingOptions = false
  var method: String?
  var headers = FetchHeaders()
  var body = FetchBody()
  /// Of `-T`: a file or a pattern for each URL.
  var uploads: [String] = []
  var retry = RetryPolicy()
  /// `-Z`, and how many then run at the same time.
  var isParallel = false
  var mostAtOnce = 50
  /// `--fail-early`.
  var endsAtFailure = false
  var isGet = false
  var isHead = false
  var user: String?
  /// Whether the credential goes with the first request.
  var isPreemptive = false
  /// Empty: none is sent.
  var userAgent = "watchword/\(Version.text)"

  // How to fetch it.
  var session = FetchSession()
  var limits = FetchLimits()
  var proxy = FetchProxy()
  var trust = FetchTrust()
  var isCompressed = false
  var maxTime: Double?
  var connectTimeout: Double?

  // How to ask for credentials.
  var askpass: String? = Environment.value(of: "WATCHWORD_ASKPASS")
  var mayAsk = true
  var persistence: Persistence?
  var given = GivenSecret()

  // What to do with the result.
  var outputs: [Output] = []
  /// The one of the URL that is being fetched; nil for standard output.
  var output: Output?
  /// Where heads and cookies go; `-` is standard output.
  var headPath: String?
  var cookiePath: String?
  var maximumBytes: Int?
  var includesHead = false
  var failsOnError = false
  /// As `failsOnError`, with the body.
  var failsWithBody = false
  var outputFolder: String?
  var createsFolders = false
  /// `-J`.
  var takesNameOfHeader = false
  /// `-R`.
  var keepsTime = false
  /// Whether the page of a refusal is written like another body.
  var deliversRefusals = false
  var resumes = false
  /// What the body must hash to, as the daemon takes it.
  var digest: String?
  var isSilent = false
  var showsErrors = false
  var isVerbose = false
  var showsMetrics = false
  var writeOut: [UInt8]?

  /// `-o FILE` or `-O`.
  enum Output {
    case path(String)
    case remoteName

    func naming(_ match: URLPattern.Match) -> Output {
      switch self {
      case .path(let path): .path(match.choices.isEmpty ? path : match.naming(path))
      case .remoteName: self
      }
    }
  }

  /// Whether the command line has more URLs than this one.
  var isOneOfSeveral: Bool { urls.count > 1 || url != urls.first }

  /// Whether anything to print is in the metrics.
  var printsMetrics: Bool { isVerbose || showsMetrics || writeOut.map(WriteOut.readsMetrics) ?? false }

  /// Whether anything to print is in the details of the exchanges.
  var printsDetails: Bool { isVerbose || writeOut.map(WriteOut.readsDetails) ?? false }

  static let operandsAreOctets = true

  mutating func take(operand: String) throws(Failure) { urls.append(operand) }

  mutating func run() throws(Failure) -> ExitCode {
    do throws(Failure) {
      if given.isToken { session.methods.allow("bearer") }
      // With --preemptive the session is given the token each time.
      session.hasGivenToken = given.isToken && !isPreemptive
      try proxy.complete(session: session.name)
      let commands = try self.commands()
      // All are checked before the first one is fetched.
      var first: FetchRequest?
      for command in commands {
        let request = try FetchRequest(command)
        try session.methods.complete(for: request.url)
        if first == nil { first = request }
      }
      try session.methods.complete(for: proxy)
      try given.check(hasUser: user != nil || urls.allSatisfy { URLText.user(of: $0) != nil })
      try checkPreemptive()
      try trust.complete(mayAsk: mayAsk)
      session.nameIdentity(persistence: persistence)
      let conversation = try FetchConversation(self)
      let queue = FetchQueue(commands, trust: trust, first: first, conversation)
      let exitCode = try queue.run(atOnce: isParallel ? mostAtOnce : 1)
      do throws(Failure) {
        try conversation.writeCookies()
      } catch {
        if exitCode == .success { throw error }
      }
      return exitCode
    } catch {
      report(error)
      return error.exitCode
    }
  }

  /// A wrong command line is always reported; -s is about the transfer.
  func report(_ failure: Failure) {
    if !isSilent || showsErrors || failure.exitCode == .usage { Diagnostics.report(failure) }
  }

  private func checkPreemptive() throws(Failure) {
    guard isPreemptive else { return }
    guard (user != nil) != (given.isToken || given.asksForToken) else {
      throw .usage(
        "--preemptive needs -u USER, or a token", hint: "--oauth2-bearer @FILE or --token-fd NUMBER gives one"
      )
    }
    guard !session.methods.isSet || session.methods.allows("basic") || user == nil else {
      throw .usage(
        "--preemptive is for basic and bearer", hint: "the other methods answer what a server asks")
    }
    guard persistence != Persistence.none else {
      throw .usage(
        "--preemptive and --persistence none exclude each other",
        hint: "the session keeps what it sends first")
    }
  }

  /// The command for each URL alone.
  private func commands() throws(Failure) -> [FetchCommand] {
    guard !failsOnError || !failsWithBody else { throw .usage("-f and --fail-with-body exclude each other") }
    guard outputs.count <= max(urls.count, 1) else {
      throw .usage("there are more -o and -O than URLs")
    }
    guard uploads.count <= max(urls.count, 1) else { throw .usage("there are more -T than URLs") }
    guard uploads.isEmpty || body.isEmpty else { throw .usage("-T excludes every other body") }
    var commands: [FetchCommand] = []
    for (index, text) in urls.enumerated() {
      let files = index < uploads.count ? try matches(uploads[index]).map(\.text) : []
      let matches = try matches(text)
      guard files.count * matches.count <= URLPattern.most else {
        throw .usage("-T and the pattern stand for more than \(URLPattern.most) uploads")
      }
      for file in files.isEmpty ? [nil] : files.map(Optional.some) {
        for match in matches {
          var command = self
          command.url = match.text
          command.urlNumber = commands.count
          command.output = index < outputs.count ? outputs[index].naming(match) : nil
          if let file { command.body = FetchBody(uploading: file) }
          commands.append(command)
        }
      }
    }
    guard commands.count(where: \.body.readsStandardInput) < 2 else {
      throw .usage("standard input is read once, and there are several URLs")
    }
    return commands.isEmpty ? [self] : commands
  }

  private func matches(_ text: String) throws(Failure) -> [URLPattern.Match] {
    isLiteral ? [URLPattern.Match(text: text, choices: [])] : try URLPattern(text).matches
  }
}

/// curl's `--retry`: how often and when a fetch is tried again after a problem that may pass.
struct RetryPolicy {
  /// As curl: 408, 429 and the 5xx of a server or a gateway that is busy or gone.
  private static let statuses: Set<Int> = [408, 429, 500, 502, 503, 504]
  /// As curl: a time limit that passed, a name that was not resolved.
  private static let kinds: Set<ErrorKind> = [.timedOut, .nameNotResolved]
  private static let longestDelay = 600.0

  var count = 0
  /// Nil: 1 second, and twice as long each time.
  var delay: Double?
  /// `--retry-connrefused`.
  var includesRefusedConnections = false
  /// `--retry-all-errors`.
  var includesAll = false

  /// Why this failure may pass; nil when it does not.
  func reason(_ error: RemoteError) -> String? {
    guard let kind = error.kind else { return nil }
    // No repetition makes another answer, certificate or command line of it.
    let isFinal = [.usage, .authenticationRefused, .trustRefused].contains(ExitCode(error))
    if includesAll, !isFinal { return error.message }
    let isPassing = Self.kinds.contains(kind) || includesRefusedConnections && kind == .connectionFailed
    return isPassing ? error.message : nil
  }

  /// - Parameter failsOnError: whether a status from 400 on is an error.
  func reason(_ response: HeadText, failsOnError: Bool) -> String? {
    let status = response.status
    let isError = includesAll && failsOnError && status >= 400 && !response.isRefusal
    return isError || Self.statuses.contains(status) ? "the server answered \(status)" : nil
  }

  /// Seconds to wait before the attempt with this number, from 1.
  func seconds(before attempt: Int, after response: HeadText?) -> Double {
    let asked = response?.last("retry-after").flatMap { Double($0) }
    if let asked, asked >= 0 { return min(asked, Self.longestDelay) }
    return delay ?? min(Double(1 << min(attempt - 1, 10)), Self.longestDelay)
  }

  static func sleep(_ seconds: Double) {
    var left = timespec(tv_sec: Int(seconds), tv_nsec: Int((seconds - seconds.rounded(.down)) * 1e9))
    var rest = timespec()
    while nanosleep(&left, &rest) != 0, errno == EINTR { left = rest }
  }
}
