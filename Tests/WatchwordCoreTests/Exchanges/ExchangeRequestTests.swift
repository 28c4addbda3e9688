import Testing
import WatchwordVocabulary

@testable import WatchwordCore

/// What a driver is told of a request.
struct ExchangeRequestTests {
  private static let proxy = Proxy(.http, url: TaskScene.url("/", host: "p.example"))

  @Test func requestsAreTheSameByWhatIsSent() {
    let url = TaskScene.url()
    func request(_ change: String = "") -> ExchangeRequest {
      var repetition = Repetition()
      if change == "repetition" { repetition.lostConnections = 1 }
      return ExchangeRequest(
        url: change == "url" ? TaskScene.url("/other") : url, method: change == "method" ? "PUT" : "GET",
        headers: change == "headers" ? [HeaderField("A", "b")] : [],
        authorization: change == "authorization" ? TaskScene.secret("x") : nil,
        isAuthorizedLate: change == "late", sendsBody: change == "body",
        proxy: change == "proxy" ? ProxyHop(Self.proxy, to: url.origin) : nil,
        form: change == "form" ? TaskScene.secret("f") : nil, repetition: repetition,
        binding: change == "binding" ? ConnectionBinding() : nil)
    }
    #expect(request() == request())
    let changes = [
      "url", "method", "headers", "authorization", "late", "body", "proxy", "form", "repetition", "binding",
    ]
    for change in changes { #expect(request() != request(change) && request(change) == request(change)) }
    let plain = ExchangeRequest(url: url, method: "GET", headers: [], proxy: nil)
    #expect(plain == request())
  }

  @Test func onlyABodyThatWaitsIsDecidedLater() {
    let question = PageQuestion(userField: "u", passwordField: "p", selector: nil)
    for fate in [TaskStateMachine.BodyFate.wait, .read(question)] { #expect(fate.isDecidedLater) }
    for fate in [TaskStateMachine.BodyFate.deliver, .hold, .discard] { #expect(!fate.isDecidedLater) }
  }
}
