internal import WatchwordClient
internal import WatchwordJSON

/// A challenge that a person answers at a page of an authorization server, and not here: it settles itself.
struct DeviceCode {
  private let origin: String
  private let source: String
  private let page: String
  private let code: String
  private let completePage: String?

  /// nil for every other challenge.
  init?(_ challenge: JSONValue) {
    let space = challenge["protectionSpace"] ?? .null
    let parameters = space["parameters"]
    // Only the daemon writes these: a server's parameters have names in lower case, and no source.
    guard let source = challenge["source"]?.text, let page = parameters?["verificationUri"]?.text,
      let code = parameters?["userCode"]?.text
    else { return nil }
    origin = DisplayText.escaped(SpaceText.origin(of: space))
    self.source = DisplayText.escaped(source)
    self.page = DisplayText.escaped(page)
    self.code = DisplayText.escaped(code)
    completePage = parameters?["verificationUriComplete"]?.text.map { DisplayText.escaped($0) }
  }

  /// What the person does.
  var request: String { "open \(page) and enter \(code)" }

  var text: String {
    var text = "\(origin) needs a token of the source \(source)\n\(request)\n"
    if let completePage { text += "or open \(completePage)\n" }
    return text
  }
}
