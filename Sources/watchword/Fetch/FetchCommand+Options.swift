internal import WatchwordOptions
internal import WatchwordVocabulary

extension FetchCommand {
  static var options: [Option<FetchCommand>] { optionGroups.flatMap(\.options) }

  static var optionGroups: [(title: String, options: [Option<FetchCommand>])] {
    [
      ("Request", request), ("Transfer", transfer), ("Trust", trust), ("Credentials", questions),
      ("Result", results), ("Of curl, without effect or not supported", ignored + ForeignOptions.options),
    ]
  }

  /// What they ask for is so anyway.
  private static var ignored: [Option<FetchCommand>] {
    [
      Option("q", "disable", "no file of options is read") { _ in },
      Option("N", "no-buffer", "the body is passed on as it arrives") { _ in },
      Option(nil, "parallel-immediate", "connections are opened as the session allows") { _ in },
      Option("#", "progress-bar", "a terminal has a line of progress anyway") { _ in },
      Option(nil, "no-progress-meter", "without a terminal there is none") { _ in },
      Option(nil, "http2", "HTTP/2 is used where a server speaks it over TLS") { _ in },
      Option(
        nil, "cert-type", "TYPE", "the kind of a certificate's file is detected",
        completion: .words(["PEM", "P12", "ENG"])
      ) { (_, type) throws(Failure) in
        guard ["pem", "p12", "eng"].contains(type.asciiLowercased) else {
          throw .usage(
            "--cert takes PEM, PKCS#12 and pkcs11: URIs, not \(DisplayText.escaped(type))",
            hint: "openssl x509 -inform DER -in FILE -out FILE.pem makes PEM of DER")
        }
      },
    ]
  }

  private static var request: [Option<FetchCommand>] {
    [
      Option(nil, "url", "URL", "a URL, as without --url", takesOctets: true) { $0.urls.append($1) },
      Option("g", "globoff", "take braces and brackets in URLs as they are") { $0.isLiteral = true },
      Option(
        nil, "url-query", "DATA|+TEXT", "add DATA, encoded as --data-urlencode does, or TEXT to the query",
        takesOctets: true
      ) { (fetch, data) throws(Failure) in
        let isPlain = data.utf8.first == UInt8(ascii: "+")
        fetch.queries.append(
          isPlain ? String(Substring(data.utf8.dropFirst())) : try FetchBody.encoded(data))
      },
      Option("K", "config", "FILE", "read options from FILE, as curl; - is standard input", completion: .file)
      {
        (fetch, path) throws(Failure) in try ConfigFile.apply(path, to: &fetch)
      },
      Option("X", "request", "METHOD", "the HTTP method") { $0.method = $1 },
      Option(
        "H", "header", "LINE|@FILE", "a header field; \"Name;\" sends it empty, \"Name:\" not at all",
        takesOctets: true
      ) {
        (fetch, line) throws(Failure) in try fetch.headers.add(line)
      },
      Option("d", "data", "DATA|@FILE", "POST DATA as a form; @- is standard input", completion: .file) {
        (fetch, data) throws(Failure) in try fetch.body.addForm(data)
      },
      Option(
        nil, "data-binary", "DATA|@FILE", "POST DATA unchanged; a file goes by descriptor", completion: .file
      ) {
        (fetch, data) throws(Failure) in try fetch.body.addBinary(data)
      },
      Option(nil, "data-raw", "DATA", "as -d, without a special meaning of @", takesOctets: true) {
        (fetch, data) throws(Failure) in try fetch.body.addRaw(data)
      },
      Option(nil, "data-urlencode", "[NAME]=DATA|[NAME]@FILE", "as -d, percent-encoded", takesOctets: true) {
        (fetch, data) throws(Failure) in try fetch.body.addEncoded(data)
      },
      Option(nil, "json", "DATA|@FILE", "POST DATA as JSON", completion: .file) {
        (fetch, data) throws(Failure) in try fetch.body.addJSON(data)
      },
      Option(
        "T", "upload-file", "FILE", "PUT a file, under its name if the URL ends in /; - is standard input",
        completion: .file
      ) { $0.uploads.append($1) },
      Option(
        "F", "form", "NAME=TEXT|NAME=@FILE|NAME=<FILE",
        "POST a form of parts; a file also ;type=TYPE and ;filename=NAME", completion: .file
      ) {
        (fetch, part) throws(Failure) in try fetch.body.addPart(part)
      },
      Option(
        nil, "form-string", "NAME=TEXT", "as -F, without a special meaning of @, < and ;", takesOctets: true
      ) {
        (fetch, part) throws(Failure) in try fetch.body.addTextPart(part)
      },
      Option("G", "get", "GET with the data of -d in the URL") { $0.isGet = true },
      Option("I", "head", "send HEAD and print the heads") { $0.isHead = true },
      Option(
        "A", "user-agent", "NAME", "the User-Agent field [watchword/VERSION]; \"\" sends none",
        takesOctets: true
      ) {
        $0.userAgent = $1
      },
      Option("e", "referer", "URL", "the Referer field", takesOctets: true) { $0.headers.set("Referer", $1) },
      Option(
        "b", "cookie", "NAME=VALUE|FILE", "the Cookie field, or cookies of FILE for the session *",
        completion: .file
      ) { (fetch, text) in
        if text.utf8.contains(UInt8(ascii: "=")) {
          fetch.headers.addCookie(text)
        } else if !text.isEmpty {
          fetch.session.cookieFiles.append(text)
        }
      },
      Option("j", "junk-session-cookies", "leave out the cookies of -b FILE that have no expiry") {
        $0.session.leavesSessionCookies = true
      },
      Option(
        "z", "time-cond", "TIME|FILE", "fetch only what is newer than this time, with - before it older",
        completion: .file
      ) { (fetch, text) throws(Failure) in
        fetch.timeCondition = try TimeCondition(text)
        fetch.timeWarning =
          fetch.timeCondition == nil ? "-z: \(text) is neither a time nor a file: there is no condition" : nil
      },
      Option("r", "range", "FIRST-LAST", "part of the body") {
        $0.headers.set("Range", $1.isEmpty ? "" : "bytes=\($1)")
      },
      Option(
        "u", "user", "USER", "fetch as this user, with a prompt for the password; : with --negotiate"
      ) {
        (fetch, user) throws(Failure) in
        guard user != ":" else { return fetch.session.methods.usesTickets = true }
        if let colon = user.utf8.firstIndex(of: UInt8(ascii: ":")) {
          throw GivenSecret.refusal(of: user[..<colon])
        }
        guard !user.isEmpty else {
          throw .usage("-u needs a user", hint: "without -u the command prompts for one")
        }
        fetch.user = user
      },
      Option(
        nil, "preemptive", "send the credential of -u, or the token, with the first request below the URL"
      ) { $0.isPreemptive = true },
      Option(nil, "basic", "authenticate with Basic only; several of these: with any of them *") {
        $0.session.methods.allow("basic")
      },
      Option(nil, "digest", "authenticate with Digest only *") { $0.session.methods.allow("digest") },
      Option(nil, "negotiate", "authenticate with Kerberos only; -u : sends the tickets of kinit *") {
        $0.session.methods.allow("negotiate")
      },
      Option(nil, "ntlm", "authenticate with NTLM only *") { $0.session.methods.allow("ntlm") },
      Option(nil, "anyauth", "authenticate with what the server offers, the default") {
        $0.session.methods.allowAll()
      },
      Option(
        nil, "oauth2-bearer", "@FILE",
        "answer a 401 with the token in FILE, or at once with --preemptive; \"\" prompts for it *",
        takesOctets: true
      ) {
        (fetch, text) throws(Failure) in
        fetch.session.methods.allow("bearer")
        try fetch.given.takeToken(text)
      },
      Option(
        nil, "proxy-negotiate",
        "Kerberos at the proxy of -x: tickets, or a password if -U names a user *"
      ) {
        $0.session.methods.usesNegotiateAtProxy = true
      },
      Option("n", "netrc", "users and passwords from ~/.netrc, which must be readable by you only *") {
        $0.session.netrc = NetrcFile(path: NetrcFile.ofHome, isOptional: false)
      },
      Option(nil, "netrc-file", "FILE", "the same from FILE *", completion: .file) {
        $0.session.netrc = NetrcFile(path: $1, isOptional: $0.session.netrc?.isOptional ?? false)
      },
      Option(nil, "netrc-optional", "as -n, and without the file as if -n were not there *") {
        $0.session.netrc = NetrcFile(path: $0.session.netrc?.path ?? NetrcFile.ofHome, isOptional: true)
      },
    ]
  }

  private static var transfer: [Option<FetchCommand>] {
    [
      Option("L", "location", "follow redirects") { $0.session.followsRedirects = true },
      Option(nil, "max-redirs", "COUNT", "follow at most COUNT redirects [50, or the session's]") {
        (fetch, text) throws(Failure) in
        fetch.limits.redirectLimit = try wholeNumber(text, "--max-redirs")
      },
      Option(nil, "proto", "PROTOCOLS", "use these only, as =https; exit code 1 for another URL") {
        (fetch, list) throws(Failure) in try fetch.schemes.allow(list)
      },
      Option(
        nil, "proto-redir", "PROTOCOLS",
        "the same for redirects; https is among them, and http unless the URL is https"
      ) {
        (fetch, list) throws(Failure) in try fetch.schemes.allowRedirects(list)
      },
      Option(nil, "compressed", "request a compressed body and decode it") { $0.isCompressed = true },
      Option("m", "max-time", "SECONDS", "time limit for the whole fetch (waiting for a credential excluded)")
      {
        (fetch, text) throws(Failure) in fetch.maxTime = try Number.limit(text, "--max-time")
      },
      Option(nil, "connect-timeout", "SECONDS", "time limit for a connection") {
        (fetch, text) throws(Failure) in
        fetch.connectTimeout = try Number.limit(text, "--connect-timeout")
      },
      Option(nil, "retry", "COUNT", "try again at most COUNT times after a problem that may pass; see above")
      {
        (fetch, text) throws(Failure) in fetch.retry.count = try wholeNumber(text, "--retry")
      },
      Option(nil, "retry-delay", "SECONDS", "wait so long before each retry") {
        (fetch, text) throws(Failure) in fetch.retry.delay = try Number.limit(text, "--retry-delay")
      },
      Option(nil, "retry-all-errors", "--retry after every error, and with -f every status from 400 on") {
        $0.retry.includesAll = true
      },
      Option(nil, "retry-connrefused", "--retry also when no connection could be made") {
        $0.retry.includesRefusedConnections = true
      },
      Option("Z", "parallel", "fetch the URLs at the same time") { $0.isParallel = true },
      Option(nil, "parallel-max", "COUNT", "with -Z: so many at once, 1 to 300 [50]") {
        (fetch, text) throws(Failure) in
        let count = try wholeNumber(text, "--parallel-max")
        guard (1...300).contains(count) else { throw .usage("--parallel-max is from 1 to 300") }
        fetch.mostAtOnce = count
      },
      Option(nil, "fail-early", "end at the first URL that fails") { $0.endsAtFailure = true },
      Option(nil, "max-filesize", "BYTES", "fail when the body is larger; also 10K, 5M, 1G; 0 for no limit") {
        (fetch, text) throws(Failure) in
        let limit = try bytes(text, "--max-filesize")
        fetch.maximumBytes = limit == 0 ? nil : limit
      },
      Option(nil, "http1.1", "use HTTP/1.1 only") { $0.limits.httpVersions = ["1.1"] },
      Option("4", "ipv4", "connect to IPv4 addresses only") { $0.limits.ipVersion = "4" },
      Option("6", "ipv6", "connect to IPv6 addresses only") { $0.limits.ipVersion = "6" },
      Option(nil, "limit-rate", "SPEED", "so many bytes a second at most; also 10K, 5M, 1G; 0 for no limit") {
        (fetch, text) throws(Failure) in
        let speed = try bytes(text, "--limit-rate")
        guard speed == 0 || speed >= 1024 else { throw .usage("--limit-rate is 1K or more, or 0") }
        fetch.limits.bytesPerSecond = speed == 0 ? nil : speed
      },
      Option(nil, "resolve", "HOST:PORT:ADDRESS", "connect to this address instead of resolving the name *") {
        (fetch, text) throws(Failure) in try fetch.session.resolve(text)
      },
    ] + FetchProxy.options(\.proxy) + [
      Option(nil, "session", "NAME", "the session; created if there is none [default]") {
        $0.session.name = $1
      },
      Option(nil, "private", "a private session, which ends with the fetch") { $0.session.isPrivate = true },
    ]
  }

  private static var trust: [Option<FetchCommand>] {
    [
      Option(
        nil, "cacert", "FILE", "trust only the authorities in this PEM file * [CURL_CA_BUNDLE]",
        completion: .file
      ) {
        $0.session.authorities = $1
      },
      Option(
        nil, "crlfile", "FILE", "check certificates against the revocation lists in this PEM file *",
        completion: .file
      ) {
        $0.session.revocationLists = $1
      },
      Option(nil, "cert-status", "require a good OCSP response from the server *") {
        $0.session.requiresStaple = true
      },
      Option(
        nil, "pinnedpubkey", "PINS",
        "require one of these keys of the server or an issuer (sha256//BASE64, separated by ;) *"
      ) {
        (fetch, text) throws(Failure) in
        fetch.session.pins = try FetchPins(text)
      },
      Option(
        "E", "cert", "FILE", "present this certificate: PEM, PKCS#12 or a pkcs11: URI *", completion: .file
      ) { (fetch, file) throws(Failure) in try fetch.session.setCertificate(file) },
      Option(nil, "key", "FILE", "its key, if it is in another PEM file", completion: .file) {
        $0.session.key = $1
      },
      Option("k", "insecure", "accept untrusted certificates for this fetch; needs --because") {
        $0.trust.isInsecure = true
        $0.session.isInsecure = true
      },
      Option(nil, "because", "TEXT", "the reason for -k, kept in the history and printed without -s") {
        $0.trust.reason = $1
      },
      Option(nil, "tlsv1.2", "TLS 1.2 or newer, the default") { $0.limits.requireTLS("1.2") },
      Option(nil, "tlsv1.3", "TLS 1.3 or newer") { $0.limits.requireTLS("1.3") },
      Option(
        nil, "tls-max", "VERSION", "TLS of this version or older: 1.2 or 1.3",
        completion: .words(["1.2", "1.3"])
      ) {
        (fetch, version) throws(Failure) in try fetch.limits.limitTLS(version)
      },
    ]
  }

  private static var questions: [Option<FetchCommand>] {
    GivenSecret.options + [
      Option(
        nil, "askpass", "PROGRAM", "prompt with this program instead of the terminal [WATCHWORD_ASKPASS]",
        completion: .file
      ) {
        $0.askpass = $1
      },
      Option(nil, "no-ask", "do not prompt: a 401 ends the fetch") { $0.mayAsk = false },
      Option(
        nil, "persistence", "WHICH",
        "how long it and --cert are kept: forSession, none, permanent, synchronizable",
        completion: .words(Persistence.words(Persistence.forAnswers))
      ) { (fetch, text) throws(Failure) in
        fetch.persistence = try Persistence.checked(text, among: Persistence.forAnswers)
      },
    ]
  }

  private static var results: [Option<FetchCommand>] {
    [
      Option("o", "output", "FILE", "write the body to FILE; - is standard output", completion: .file) {
        $0.outputs.append(.path($1))
      },
      Option("O", "remote-name", "write the body to a file named like the URL's last segment") {
        $0.outputs.append(.remoteName)
      },
      Option("J", "remote-header-name", "with -O: the name is the server's; no file is replaced") {
        $0.takesNameOfHeader = true
      },
      Option("R", "remote-time", "give the file the time of the server's copy") { $0.keepsTime = true },
      Option("C", "continue-at", "-", "continue a file that was cut off") { (fetch, text) throws(Failure) in
        guard text == "-" else { throw .usage("-C takes only -: the size of the file is the offset") }
        fetch.resumes = true
      },
      Option(
        nil, "checksum", "sha-256=HEX", "fail unless the body of a 2xx response has this SHA-256 or SHA-512"
      ) { (fetch, text) throws(Failure) in fetch.digest = try DigestArgument.parameter(text) },
      Option(
        "D", "dump-header", "FILE", "write the heads to FILE; - is standard output; see above",
        completion: .file
      ) { $0.headPath = $1 },
      Option(
        "c", "cookie-jar", "FILE", "the session keeps cookies; write them to FILE; - is standard output",
        completion: .file
      ) { $0.cookiePath = $1 },
      Option("i", "include", "print the heads before the body") { $0.includesHead = true },
      Option(nil, "fail-with-body", "exit code 22 when the status is 400 or above, and the body") {
        $0.failsWithBody = true
      },
      Option(nil, "output-dir", "FOLDER", "the folder of -o and -O", completion: .file) {
        $0.outputFolder = $1
      },
      Option(nil, "create-dirs", "make the folders of -o and --output-dir") { $0.createsFolders = true },
      Option("f", "fail", "no body, exit code 22 (3 for 401 and 407) when the status is 400 or above") {
        $0.failsOnError = true
      },
      Option(nil, "deliver-401", "write the page of a 401 or 407, or a login page, too; the exit code is 3") {
        $0.deliversRefusals = true
      },
      Option("s", "silent", "no progress, no errors, no hints") { $0.isSilent = true },
      Option("S", "show-error", "errors even with -s") { $0.showsErrors = true },
      Option("v", "verbose", "show connections, heads and challenges; secrets stay hidden") {
        $0.isVerbose = true
      },
      Option(
        "w", "write-out", "FORMAT|@FILE", "print FORMAT at the end, also after a failure; see above",
        completion: .file
      ) { (fetch, format) throws(Failure) in fetch.writeOut = try WriteOut.format(format) },
      Option(nil, "metrics", "print metrics as JSON on standard error") { $0.showsMetrics = true },
    ]
  }

  private static func bytes(_ text: String, _ option: String) throws(Failure) -> Int {
    let factors: [Character: Int] = ["k": 1 << 10, "m": 1 << 20, "g": 1 << 30]
    let factor = text.last.flatMap { factors[Character($0.lowercased())] }
    let (count, isTooLarge) = try wholeNumber(factor == nil ? text : String(text.dropLast()), option)
      .multipliedReportingOverflow(by: factor ?? 1)
    guard !isTooLarge else { throw .usage("\(option): \(DisplayText.escaped(text)) is too large") }
    return count
  }

  private static func wholeNumber(_ text: String, _ option: String) throws(Failure) -> Int {
    guard let value = Int(text), value >= 0 else {
      throw .usage("\(option) needs a whole number, not \(DisplayText.escaped(text))")
    }
    return value
  }
}
