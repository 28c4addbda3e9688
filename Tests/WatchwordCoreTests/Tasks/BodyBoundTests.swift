import Testing
import WatchwordVocabulary

@testable import WatchwordCore

/// How much of a result's body is delivered (messages.md 5.5.2).
struct BodyBoundTests {
  private func task(
    at most: Int64?, method: String = "GET", decodes: Bool = true, scene: inout SessionScene
  ) -> SessionTask {
    var request = TaskRequest(
      identifier: TaskIdentifier(1),
      firstStep: RequestStep(
        url: TaskScene.url(), method: method, headers: [], sensitiveNames: [], body: .none))
    request.maximumBodyBytes = most
    request.exchanges.decodesContent = decodes
    return scene.state.add(request)
  }

  @Test func aBodyThatAnnouncesMoreIsNotDelivered() {
    let length = HeaderField("Content-Length", "6")
    let coding = HeaderField("Content-Encoding", "gzip")
    let cases:
      [(most: Int64?, method: String, decodes: Bool, status: Int, fields: [HeaderField], isRefused: Bool)] = [
        (5, "GET", true, 200, [length], true),
        (6, "GET", true, 200, [length], false),
        (nil, "GET", true, 200, [length], false),
        (5, "GET", true, 200, [], false),
        // Neither has a body.
        (5, "HEAD", true, 200, [length], false),
        (5, "GET", true, 304, [length], false),
        // What is decoded may be shorter or longer.
        (5, "GET", true, 200, [length, coding], false),
        (5, "GET", false, 200, [length, coding], true),
      ]
    for one in cases {
      var scene = SessionScene()
      let task = task(at: one.most, method: one.method, decodes: one.decodes, scene: &scene)
      let failure = task.failure(delivering: ResponseHead(status: one.status, headers: one.fields))
      #expect(failure == (one.isRefused ? .bodyTooLarge(.maximumBodyBytes) : nil), "\(one)")
    }
  }

  @Test func noByteBeyondTheBoundIsDelivered() {
    var scene = SessionScene()
    let bounded = task(at: 5, scene: &scene)
    #expect(bounded.failure(delivering: 5) == nil)
    #expect(bounded.failure(delivering: 6) == .bodyTooLarge(.maximumBodyBytes))
    let free = task(at: nil, scene: &scene)
    #expect(free.failure(delivering: .max) == nil)
  }
}
