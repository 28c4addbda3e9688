internal import WatchwordClient
internal import WatchwordJSON

/// `watchword explain`: shows how a URL would be fetched.
struct ExplainCommand: Command {
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
      Option(nil, "session", "NAME", "the session [default]") { $0.session = $1 },
    ] + FetchProxy.options(\.proxy) + [
      Option(nil, "json", "as JSON") { $0.isJSON = true }
    ]
  }

  var daemon = DaemonOptions()
  private var url: String?
  private var method: String?
  private var session: String?
  private var proxy = FetchProxy()
  private var isJSON = false

  mutating func take(operand: String) throws(Failure) {
    guard url == nil else { throw .usage("only one URL is allowed") }
    url = try URLText.argument(operand)
  }

  mutating func run() throws(Failure) -> ExitCode {
    guard let url else { throw .usage("the URL is missing") }
    try proxy.check()
    let (session, method, proxy) = (session, method, proxy)
    let client = try daemon.connect()
    let explained = try client.ask("explain") { writer in
      SessionScope.write(session, to: &writer)
      writer.key("url")
      writer.string(url)
      proxy.write(to: &writer)
      guard let method else { return }
      writer.key("method")
      writer.string(method)
    }
    if isJSON {
      StandardOutput.write(JSONText.of(explained) + "\n")
    } else {
      let certificates = ExplainedCertificate(explained["clientCertificate"] ?? .null)
      let identities =
        certificates.namesIdentities
        ? try client.ask("identity/list") { SessionScope.write(session, to: &$0) }["identities"] : nil
      StandardOutput.write(text(explained, certificates.lines(identities?.elements ?? [])))
    }
    return .success
  }

  private func text(_ explained: JSONValue, _ certificates: [String]) -> String {
    var lines = [
      "url         \(explained["url"]?.text ?? "")", "origin      \(explained["origin"]?.text ?? "")",
    ]
    lines.append("credential  \(credential(explained))")
    lines.append("methods     \(words(explained["methods"]))")
    let redirects = explained["redirects"]
    lines.append(
      "redirects   \(redirects?["policy"]?.text ?? ""), at most \(redirects?["limit"]?.integer ?? 0)")
    lines.append("trust       \(explained["trust"]?["evaluation"]?.text ?? "") evaluation")
    for decision in explained["trust"]?["decisions"]?.elements ?? [] {
      lines.append("decision    \(TrustLine.text(of: decision))")
    }
    lines += certificates
    lines.append("proxy       \(proxy(explained))")
    for (name, value) in explained["headers"]?.fields ?? [] { lines.append("field       \(name): \(value)") }
    let pending = words(explained["pendingChallenges"])
    if !pending.isEmpty { lines.append("pending     \(pending)") }
    return lines.map { DisplayText.escaped($0, longest: 1000) + "\n" }.joined()
  }

  private func credential(_ explained: JSONValue) -> String {
    guard let credential = explained["credential"], !credential.members.isEmpty else {
      return explained["authorizationHeader"]?.text == "session"
        ? "the session's own Authorization field" : "none"
    }
    let user = credential["user"]?.text ?? (credential["source"]?.text == "ambient" ? "tickets" : "token")
    let realm = credential["realm"]?.text.map { " \"\($0)\"" } ?? ""
    let when = explained["preemptive"]?.flag == true ? "sent unasked" : "sent when asked"
    return
      "\(user), \(credential["authenticationMethod"]?.text ?? "")\(realm), from \(credential["source"]?.text ?? ""), \(when)"
  }

  /// The proxy, and which setting names it or takes it away.
  private func proxy(_ explained: JSONValue) -> String {
    guard let choice = explained["proxyChoice"], let setting = choice["setting"]?.text else { return "none" }
    let origin = "\(setting) of the \(choice["source"]?.text ?? "")"
    if let exception = choice["exception"]?.text { return "none, exception \(exception) to \(origin)" }
    guard let url = explained["proxy"]?.text else { return "\(origin), which is not a proxy's URL" }
    guard let credential = explained["proxyCredential"], !credential.members.isEmpty else {
      return "\(url), \(origin)"
    }
    let when = explained["proxyPreemptive"]?.flag == true ? "sent unasked" : "sent when asked"
    return "\(url), \(origin), as \(credential["user"]?.text ?? "token"), \(when)"
  }

  private func words(_ list: JSONValue?) -> String {
    (list?.elements ?? []).compactMap(\.text).joined(separator: ", ")
  }
}
