internal import WatchwordMessages
internal import WatchwordOptions
internal import WatchwordVocabulary

/// `watchword explain`: shows how a URL would be fetched.
struct ExplainCommand: URLCommand {
  static let name = "explain"
  static let summary = "show what a fetch of a URL would do"
  static let synopsis = "[options] URL"
  static let about = """
    Shows which credential, method, client certificate and redirect policy a fetch would use. Nothing is
    sent, so the requests of the server's handshake are unknown.
    """
  static let example = "watchword explain --session reports https://intranet.example/q3.csv"

  static var options: [Option<ExplainCommand>] {
    [
      Option("X", "request", "METHOD", "the HTTP method [GET]") { $0.method = $1 },
      Option("H", "header", "LINE|@FILE", "a header field, as fetch takes it", takesOctets: true) {
        (explain, line) throws(Failure) in try explain.headers.add(line)
      },
      Option(nil, "session", "NAME", "the session [default]") { $0.session = $1 },
    ] + FetchProxy.options(\.proxy) + [
      Option(nil, "json", "as JSON") { $0.isJSON = true }
    ]
  }

  var daemon = DaemonTarget()
  var url: String?
  private var method: String?
  private var headers = FetchHeaders()
  private var session: String?
  private var proxy = FetchProxy()
  private var isJSON = false

  mutating func run() throws(Failure) -> ExitCode {
    guard let url else { throw .usage("the URL is missing") }
    try proxy.complete(session: session)
    let client = try daemon.connect()
    let proxies = try proxy.proxies(for: url, session: session, client)
    let reply = try client.askReply(
      Request.Explain(
        session: session, url: url, method: method, headers: headers.sent(), proxies: proxies))
    if isJSON {
      StandardOutput.write(JSONText.of(reply.text) + "\n")
    } else {
      let certificates = ExplainedCertificate(reply.result.clientCertificate)
      let identities =
        certificates.namesIdentities
        ? try client.ask(Request.IdentityList(session: session)).identities : []
      StandardOutput.write(text(reply.result, certificates.lines(identities)))
    }
    return .success
  }

  private func text(_ explained: Sent.Explanation, _ certificates: [String]) -> String {
    var lines = [
      "url         \(explained.url)", "origin      \(explained.origin)",
    ]
    lines.append("credential  \(credential(explained))")
    if let kept = explained.passedOver { lines.append("passed over \(passedOver(kept))") }
    for key in explained.keys { lines.append("key         \(key.field), from \(key.source), sent unasked") }
    lines.append("methods     \(words(explained.methods))")
    for text in UnusableOfferTexts(explained.unusableOffers, of: explained.unusableOfferCount).texts {
      lines.append("unusable    \(text)")
    }
    lines.append("redirects   \(explained.redirects.policy), at most \(explained.redirects.limit)")
    lines.append("trust       \(explained.trust.evaluation) evaluation")
    if !explained.trust.pins.isEmpty {
      lines.append(
        "pins        for \(explained.trust.pins.map { DisplayText.escaped($0) }.joined(separator: ", "))")
    }
    if let root = explained.trust.root { lines.append("root        \(RootLine.text(of: root))") }
    for decision in explained.trust.decisions { lines.append("decision    \(TrustLine.text(of: decision))") }
    lines += certificates
    if let host = explained.hostField { lines.append("way         to \(host), which a Host field names") }
    lines.append("proxy       \(proxy(explained))")
    for way in explained.proxyCallersWays {
      lines.append("way         \(CallersWayText.line(way)), of the proxy")
    }
    for way in explained.callersWays { lines.append("way         \(CallersWayText.line(way))") }
    for text in UnusableOfferTexts(explained.proxyUnusableOffers, of: explained.proxyUnusableOfferCount).texts
    {
      lines.append("unusable    \(text), of the proxy")
    }
    if let kept = explained.proxyPassedOver { lines.append("passed over \(passedOver(kept)), of the proxy") }
    for source in explained.refusedSources {
      lines.append("refused     \(RefusedSourceLine.text(of: source))")
    }
    for field in explained.headers { lines.append("field       \(field.name): \(field.value)") }
    let pending = words(explained.pendingChallenges)
    if !pending.isEmpty { lines.append("pending     \(pending)") }
    return lines.map { DisplayText.escaped($0, longest: 1000) + "\n" }.joined()
  }

  private func credential(_ explained: Sent.Explanation) -> String {
    guard let credential = explained.credential else {
      return explained.authorizationHeader == "session"
        ? "an Authorization field of the session or of -H" : "none"
    }
    return "\(name(credential)), \(explained.preemptive ? "sent unasked" : "sent when asked")"
  }

  private func passedOver(_ credential: Sent.ExplainedCredential) -> String {
    "\(name(credential)): \(PassedOverText.reason(of: credential))"
  }

  private func name(_ credential: Sent.ExplainedCredential) -> String {
    let user = credential.user ?? (credential.source == "ambient" ? "tickets" : "token")
    let realm = credential.realm.flatMap { $0 }.map { " \"\($0)\"" } ?? ""
    return "\(user), \(credential.authenticationMethod)\(realm), from \(credential.source)"
  }

  /// The proxy, and which setting names it or takes it away.
  private func proxy(_ explained: Sent.Explanation) -> String {
    guard let choice = explained.proxyChoice else { return "none" }
    let origin = "\(choice.setting) of the \(choice.source)"
    if let exception = choice.exception { return "none, exception \(exception) to \(origin)" }
    guard let url = explained.proxy else { return "\(origin), which is not a proxy's URL" }
    guard let credential = explained.proxyCredential else { return "\(url), \(origin)" }
    let when = explained.proxyPreemptive ? "sent unasked" : "sent when asked"
    return "\(url), \(origin), as \(credential.user ?? "token"), \(when)"
  }

  private func words(_ list: [String]) -> String { list.joined(separator: ", ") }
}
