internal import WatchwordMessages
internal import WatchwordVocabulary

/// The output of -v on standard error: heads with `>` and `<`, events with `*`; secret values are hidden.
final class TransferLog {
  private static let placeholder = "<secret>"

  let isOn: Bool
  /// What the command itself asks for, until a head shows what the daemon has sent.
  private var unsent: (line: String, fields: [(name: String, value: String)])?
  /// The last response was a proxy's agreement to a tunnel: what follows is on the same connection.
  private var isTunnelOpen = false
  /// What was printed of the TLS connection last.
  private var security: [String] = []

  init(isOn: Bool) { self.isOn = isOn }

  func request(_ request: FetchRequest, url: String, fields: [(name: String, value: String)]) {
    guard isOn else { return }
    let line = "\(request.method) \(URLText.settingUser(nil, of: url))"
    note("request \(line)")
    unsent = (line, request.headers.fields + fields)
  }

  /// - Parameters:
  ///   - url: of the request.
  ///   - details: nil on a restricted connection.
  func response(
    _ response: HeadText, from url: String, details: Sent.ExchangeDetails?, of hop: String? = nil
  ) {
    guard isOn else { return }
    if let details { show(details, to: url) } else { showUnsent() }
    unsent = nil
    write("<", "\(response.version) \(response.status)")
    for header in response.fields { field("<", header.name, header.value) }
    write("<", "")
    isTunnelOpen = hop == Hop.proxy.rawValue && 200..<300 ~= response.status
  }

  func redirect(_ redirect: Sent.TaskDidRedirect) {
    response(HeadText(redirect), from: redirect.from, details: redirect.details)
    note("redirect \(redirect.status) to \(redirect.to)")
  }

  func challenge(_ challenge: Sent.Challenge) {
    guard isOn else { return }
    let space = SpaceText.text(of: challenge.protectionSpace)
    note("challenge \(challenge.challenge) from \(space), refused \(challenge.previousFailureCount) times")
  }

  /// Prints each exchange, once the task has finished.
  func exchanges(_ result: Sent.FetchResult) {
    guard isOn else { return }
    for exchange in result.metrics?.exchanges ?? [] {
      let connection = exchange.reused ? "open connection" : "new connection"
      let mechanism = exchange.mechanism.map { " (\($0))" } ?? ""
      let method = exchange.authenticationMethod.map { ", with \($0)\(mechanism)" } ?? ""
      note("exchange \(exchange.url) \(exchange.status), \(connection)\(method)")
    }
  }

  func note(_ text: String) {
    if isOn { write("*", text) }
  }

  private func show(_ details: Sent.ExchangeDetails, to url: String) {
    if !isTunnelOpen {
      let host = URLText.origin(of: url)
      let place = details.isProxyConnection ? "a proxy for \(host)" : host
      let address = details.remoteAddress.map { " (\($0))" } ?? ""
      note("\(details.reused ? "open connection" : "connected") to \(place)\(address)")
    }
    let lines = securityLines(of: details)
    if lines != security { for line in lines { note(line) } }
    security = lines
    for request in details.requests {
      write(">", request.line)
      for header in request.headers { field(">", header.name, header.value) }
      write(">", "")
    }
  }

  private func securityLines(of details: Sent.ExchangeDetails) -> [String] {
    guard let version = details.tlsVersion else { return [] }
    var lines = ["TLS \(version)\(details.cipherSuite.map { ", \($0)" } ?? "")"]
    if let certificate = details.certificate {
      lines.append("certificate of \(certificate.subject), until \(certificate.notAfter)")
      lines.append("certificate issued by \(certificate.issuer)")
    }
    return lines
  }

  private func showUnsent() {
    guard let unsent else { return }
    write(">", unsent.line)
    for (name, value) in unsent.fields { field(">", name, value) }
    write(">", "")
  }

  private func field(_ mark: String, _ name: String, _ value: String) {
    // The daemon leaves secrets out of what it has sent, and of a credential the scheme in.
    let isHidden = value.hasSuffix(Self.placeholder)
    write(mark, "\(name): \(isHidden || !FetchHeaders.isSecret(name) ? value : Self.placeholder)")
  }

  private func write(_ mark: String, _ text: String) {
    Diagnostics.write("\(mark) \(DisplayText.escaped(text, longest: 2000))\n")
  }
}
