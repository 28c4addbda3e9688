internal import WatchwordClient
internal import WatchwordMessages
internal import WatchwordPrimitives

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
