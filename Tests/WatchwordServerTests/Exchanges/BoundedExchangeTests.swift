import Testing
import WatchwordCore
import WatchwordReactor
import WatchwordTestSupport
import WatchwordTransport
import WatchwordVocabulary

@testable import WatchwordServer

/// One request of the daemon's own, within its bounds.
struct BoundedExchangeTests {
  init() { LoopThread.started }

  /// A request, or a stream, and what it has said.
  @ReactorActor private final class Scene {
    let engine = FakeEngine()
    private(set) var said: [String] = []
    private(set) var bounded: BoundedExchange!
    /// Called with each line, after it was noted.
    var onLine: () -> Void = {}

    init(bytes: Int, seconds: Double = 60, isStream: Bool = false) {
      let take: @ReactorActor (Secret) -> Void = { [unowned self] line in
        said.append("line \(Self.text(line))")
        onLine()
      }
      bounded = BoundedExchange(
        seconds: seconds, maximumBytes: bytes, line: isStream ? take : nil
      ) { [unowned self] in
        switch $0 {
        case .success(let answer): said.append("\(answer.head.status) \(Self.text(answer.body))")
        case .failure(.transport(let error)): said.append("\(error)")
        case .failure(let failure): said.append("\(failure)")
        }
      }
      let url = RequestURL(
        origin: Origin(scheme: .https, host: "a.example", port: 443), path: "/", query: nil)
      bounded.start(
        ExchangeRequest(url: url, method: "POST", headers: [], proxy: nil), .none, over: engine)
    }

    var exchange: FakeExchange { engine.exchanges[0] }

    private static func text(_ secret: Secret) -> String {
      secret.withBytes { String(decoding: $0, as: UTF8.self) }
    }
  }

  @Test(arguments: [
    (["abc"], "200 abc"), (["ab", "cde"], "200 abcde"), (["ab", "cdef"], "tooLarge"),
    (["abcdef"], "tooLarge"),
    ([], "200 "), (["a\nb"], "200 a\nb"),
  ])
  @ReactorActor func aBodyHasABound(_ pieces: [String], _ expected: String) {
    let scene = Scene(bytes: 5)
    scene.exchange.receive(200)
    // What decoding would make of it has no bound.
    #expect(!scene.exchange.setup.settings.decodesContent)
    let answers = pieces.map { scene.exchange.receive(body: $0) }
    #expect(answers.last != .enough || expected == "tooLarge")
    scene.exchange.finish()
    #expect(scene.said == [expected])
  }

  @Test @ReactorActor func anEndWithoutAResponseIsNone() {
    let lost = Scene(bytes: 5)
    lost.exchange.finish()
    #expect(lost.said == ["noResponse"])
    let failed = Scene(bytes: 5)
    failed.exchange.receive(200)
    failed.exchange.finish(.cancelled)
    #expect(failed.said == ["cancelled"])
  }

  @Test @ReactorActor func aCancelledRequestSaysNothing() {
    let scene = Scene(bytes: 5, seconds: 7)
    #expect(
      scene.exchange.setup.settings.timeouts == ExchangeTimeouts(connectSeconds: 7, requestSeconds: 7))
    scene.bounded.cancel()
    #expect(scene.exchange.isCancelled && scene.said == [])
  }

  @Test @ReactorActor func aRequestHasItsTime() async {
    let scene = Scene(bytes: 5, seconds: 0.001)
    await DaemonScene.until { !scene.said.isEmpty }
    #expect(scene.said == ["timedOut"] && scene.exchange.isCancelled)
  }

  /// Its time ends when its connection is made: it has no end of its own.
  @Test @ReactorActor func aStreamHasNoTimeOfItsOwn() async {
    let scene = Scene(bytes: 5, seconds: 0.001, isStream: true)
    #expect(
      scene.exchange.setup.settings.timeouts == ExchangeTimeouts(connectSeconds: 0.001, requestSeconds: nil)
    )
    scene.exchange.receive(200)
    await DaemonScene.turn(after: 0.002)
    #expect(scene.said == [] && !scene.exchange.isCancelled)
    scene.bounded.cancel()
  }

  @Test(arguments: [
    (["a\nbc\n"], ["line a", "line bc", "200 "]), (["a", "b\n", "\n\nc"], ["line ab", "200 c"]),
    (["abcde\n"], ["line abcde", "200 "]), (["abcdef\n"], ["tooLarge"]), (["abc", "def"], ["tooLarge"]),
    (["abcde\n", "fghij\nk"], ["line abcde", "line fghij", "200 k"]),
  ])
  @ReactorActor func aStreamIsReadLineByLine(_ pieces: [String], _ expected: [String]) {
    let scene = Scene(bytes: 5, isStream: true)
    scene.exchange.receive(200)
    for piece in pieces { scene.exchange.receive(body: piece) }
    scene.exchange.finish()
    #expect(scene.said == expected)
  }

  /// What a server refuses with is no stream.
  @Test @ReactorActor func anErrorHasNoLines() {
    let scene = Scene(bytes: 5, isStream: true)
    scene.exchange.receive(503)
    scene.exchange.receive(body: "a\nb")
    scene.exchange.finish()
    #expect(scene.said == ["503 a\nb"])
  }

  @Test @ReactorActor func aStreamThatIsCancelledByALineEnds() {
    let scene = Scene(bytes: 5, isStream: true)
    scene.onLine = { [unowned scene] in scene.bounded.cancel() }
    scene.exchange.receive(200)
    #expect(scene.exchange.receive(body: "a\nb\n") == .enough)
    #expect(scene.said == ["line a"])
  }

  @Test @ReactorActor func aStreamWaits() {
    let scene = Scene(bytes: 5, isStream: true)
    scene.bounded.pause()
    scene.bounded.resume()
    #expect(scene.exchange.calls == ["pause", "resume"])
    scene.bounded.cancel()
  }
}
