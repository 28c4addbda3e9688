internal import WatchwordMessages
internal import WatchwordVocabulary

/// The head of a response as on the wire, as far as the daemon reports it.
struct HeadText {
  let status: Int
  let fields: [HeaderField]
  /// `HTTP/2` or `HTTP/1.1`.
  let version: String
  /// Whether the response is a login page that a rule of the session names, or the refusal of a login.
  let isLoginPage: Bool

  private init(
    _ status: Int, _ fields: [HeaderField], _ name: String?, isLoginPage: Bool? = nil
  ) {
    self.status = status
    self.fields = fields
    self.isLoginPage = isLoginPage == true
    version = name == "h2" ? "HTTP/2" : "HTTP/1.1"
  }

  /// Of a redirect that was followed.
  init(_ redirect: Sent.TaskDidRedirect) { self.init(redirect.status, redirect.headers, redirect.protocol) }

  /// Of a refusal that was answered, or of a proxy.
  init(_ head: Sent.TaskDidReceiveHead) { self.init(head.status, head.headers, head.protocol) }

  init(_ response: Sent.TaskDidReceiveResponse) {
    self.init(response.status, response.headers, response.protocol, isLoginPage: response.loginPage)
  }

  /// Its version is a guess unless the metrics say it.
  init(_ result: Sent.FetchResult) {
    self.init(
      result.status, result.headers, result.metrics?.protocol, isLoginPage: result.loginPage)
  }

  /// Whether a challenge stayed unanswered, or its answer was refused (messages.md 13.6).
  var isRefusal: Bool { status == 401 || status == 407 || isLoginPage }

  /// Status line and fields with an empty line after them. The meaningless reason phrase is left out (RFC
  /// 9112 §4).
  var text: String {
    var text = "\(version) \(status)\r\n"
    for field in fields { text += "\(field.name): \(field.value)\r\n" }
    return text + "\r\n"
  }

  var contentLength: Int? { last("content-length").flatMap { Int($0) } }

  /// When the server's copy was changed, in seconds since 1970.
  var modified: Int? { last("last-modified").flatMap(TimeText.seconds) }

  /// The value of the first field called `name`, given in lower case.
  func first(_ name: String) -> String? { fields.first { $0.name.asciiLowercased == name }?.value }

  /// The same of the last one.
  func last(_ name: String) -> String? { fields.last { $0.name.asciiLowercased == name }?.value }
}
