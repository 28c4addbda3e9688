internal import WatchwordMessages
internal import WatchwordVocabulary

/// Formats a pending challenge for a person: the id to answer it with, then the origin.
enum ChallengeText {
  /// The id and who asks.
  static func line(_ challenge: Sent.Challenge) -> String {
    "\(DisplayText.escaped(challenge.challenge))  \(SpaceText.text(of: challenge.protectionSpace))"
  }

  static func brief(_ challenge: Sent.Challenge) -> String {
    let session = DisplayText.escaped(challenge.session)
    var text = line(challenge) + "\n"
    text += "  session \(session), for \(DisplayText.escaped(challenge.url, longest: 500))"
    let failures = challenge.previousFailureCount
    if failures > 0 { text += ", refused \(failures) time\(failures == 1 ? "" : "s")" }
    text += ", until \(DisplayText.escaped(challenge.deadline))\n"
    if let proxy = challenge.proxy {
      text += "  through the proxy \(DisplayText.escaped(proxy)), which the task has chosen\n"
    }
    if let host = challenge.hostField {
      text += "  to \(DisplayText.escaped(host)), which a Host field names\n"
    }
    for way in challenge.callersWays { text += "  \(CallersWayText.line(way))\n" }
    if let code = DeviceCode(challenge) { text += "  \(code.request)\n" }
    for line in IdentityQuestionText.request(challenge.protectionSpace) { text += "  \(line)\n" }
    if let trust = challenge.protectionSpace.serverTrust {
      text += ServerTrustText.reasons(trust)
      if let leaf = trust.certificates.first { text += ServerTrustText.brief(leaf) }
    }
    for offer in UnusableOfferTexts(challenge.unusableOffers, of: challenge.unusableOfferCount).texts {
      text += "  cannot be answered: \(offer)\n"
    }
    for waiter in challenge.waiters.prefix(shownWaiters) {
      let process = SessionText.process(waiter.pid ?? 0, waiter.executable)
      text += "  wanted by \(process), task \(DisplayText.escaped(waiter.task))\n"
    }
    let more = challenge.waiterCount - shownWaiters
    return more > 0 ? text + "  and \(more) more\n" : text
  }

  /// Waiters shown per challenge; there may be a thousand.
  private static let shownWaiters = 5
}

/// A protection space, whole or only by its name.
protocol ShownSpace {
  var `protocol`: String { get }
  var host: String { get }
  var port: Int { get }
  /// Nil: it has none, or the realm is not text.
  var realmText: String? { get }
  /// Of a key.
  var field: String? { get }
  var authenticationMethod: String { get }
  var isProxy: Bool { get }
}

extension Sent.ProtectionSpace: ShownSpace {
  var realmText: String? { realm }
  var field: String? { nil }
}

extension Sent.ProtectionSpaceName: ShownSpace {
  var realmText: String? { realm ?? nil }
}

/// Formats a protection space for a person: the origin first, then the server's own text.
enum SpaceText {
  /// `https://host:port`; a default port is omitted for people, but not in the daemon's form of an origin.
  static func origin(of space: some ShownSpace, showsPort: Bool = false) -> String {
    origin(space.protocol, space.host, space.port, showsPort: showsPort)
  }

  static func origin(_ scheme: String, _ host: String, _ port: Int, showsPort: Bool = false) -> String {
    let isDefault = (scheme, port) == ("https", 443) || (scheme, port) == ("http", 80)
    let bracketed = host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host
    return "\(scheme)://\(bracketed)\(isDefault && !showsPort ? "" : ":\(port)")"
  }

  /// `https://host digest "realm"` or `https://host key x-api-key`, escaped.
  /// - Parameter methods: in place of the space's own.
  static func text(of space: some ShownSpace, methods: [String]? = nil) -> String {
    let proxy = space.isProxy ? "proxy " : ""
    let method = DisplayText.escaped((methods ?? [space.authenticationMethod]).joined(separator: " and "))
    let realm = space.realmText.map { " \"\(DisplayText.escaped($0))\"" } ?? ""
    let field = space.field.map { " \(DisplayText.escaped($0))" } ?? ""
    return "\(proxy)\(DisplayText.escaped(origin(of: space))) \(method)\(realm)\(field)"
  }
}

/// What callers of the session have chosen of the way to the server that asks, for a person.
enum CallersWayText {
  /// A remark of a prompt, as in messages.md 16.3.
  static func remark(_ way: String) -> String {
    switch way {
    case "acceptedCertificate": "accepted certificate"
    default: "\(DisplayText.escaped(way)) of the session"
    }
  }

  /// Of a secret that a script gives, without a prompt.
  static func warn(_ ways: [String], hostField: String?) {
    if let hostField {
      Diagnostics.write(
        "watchword: careful: to \(DisplayText.escaped(hostField)), which a Host field names\n")
    }
    for way in ways { Diagnostics.write("watchword: careful: \(line(way))\n") }
  }

  /// A line of its own.
  static func line(_ way: String) -> String {
    switch way {
    case "roots": "its certificate is verified by roots that were set in the session"
    case "addresses": "its address was set in the session"
    case "proxy": "through a proxy that was set in the session"
    case "acceptedCertificate": "its certificate failed verification and was accepted"
    case "forms": "the page and the fields that get what you enter were set in the session"
    default: "the session leads there by a setting of its own: \(DisplayText.escaped(way))"
    }
  }
}

/// A challenge that a person answers at a page of an authorization server, and not here: it settles itself.
struct DeviceCode {
  private let origin: String
  private let source: String
  private let page: String
  private let code: String
  private let completePage: String?

  /// nil for every other challenge.
  init?(_ challenge: Sent.Challenge) {
    let space = challenge.protectionSpace
    func parameter(_ name: String) -> String? { space.parameters.first { $0.name == name }?.value }
    // Only the daemon writes these: a server's parameters have names in lower case, and no source.
    guard let source = challenge.source, let page = parameter("verificationUri"),
      let code = parameter("userCode")
    else { return nil }
    origin = DisplayText.escaped(SpaceText.origin(of: space))
    self.source = DisplayText.escaped(source)
    self.page = DisplayText.escaped(page)
    self.code = DisplayText.escaped(code)
    completePage = parameter("verificationUriComplete").map { DisplayText.escaped($0) }
  }

  /// What the person does.
  var request: String { "open \(page) and enter \(code)" }

  var text: String {
    var text = "\(origin) needs a token of the source \(source)\n\(request)\n"
    if let completePage { text += "or open \(completePage)\n" }
    return text
  }
}
