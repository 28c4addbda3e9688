import Glibc
import Testing
import WatchwordReactor
import WatchwordTestSupport

@testable import WatchwordServer

struct CollectingInputTests {
  init() { LoopThread.started }

  /// A pipe whose reader is collected from, and what has come of that.
  @ReactorActor private final class Scene {
    let budget = MemoryBudget(limit: 1000)
    let input: CollectingInput
    private let charge: MemoryCharge
    private var writer: Int32

    init(maximumBytes: Int = 100) throws {
      var ends: [Int32] = [0, 0]
      try #require(pipe(&ends) == 0)
      writer = ends[1]
      charge = MemoryCharge(budget, uid: 1)
      input = CollectingInput(
        try CallerDescriptor(ends[0], of: 1, for: .reading), maximumBytes: maximumBytes, charge: charge)
    }

    isolated deinit { closeWriter() }

    func write(_ text: String) { _ = Glibc.write(writer, text, text.utf8.count) }

    func closeWriter() {
      if writer >= 0 { close(writer) }
      writer = -1
    }

    /// The text, or the name of the fault.
    func collect(withinSeconds seconds: Double) async -> String {
      await withCheckedContinuation { continuation in
        input.collect(withinSeconds: seconds) { result in
          switch result {
          case .success(let bytes): continuation.resume(returning: String(decoding: bytes, as: UTF8.self))
          case .failure(let fault): continuation.resume(returning: "\(fault)")
          }
        }
      }
    }
  }

  @Test @ReactorActor func aPipeIsReadToItsEnd() async throws {
    let scene = try Scene()
    scene.write("all")
    scene.closeWriter()
    #expect(await scene.collect(withinSeconds: 60) == "all")
    #expect(scene.budget.total == 3)
  }

  /// However much has come before.
  @Test(arguments: ["", "some"])
  @ReactorActor func aPipeThatDoesNotEndHasADeadline(_ text: String) async throws {
    let scene = try Scene()
    scene.write(text)
    #expect(await scene.collect(withinSeconds: 0.02) == "timedOut")
  }

  @Test @ReactorActor func aPipeWithTooMuchIsNotReadOn() async throws {
    let scene = try Scene(maximumBytes: 10)
    scene.write("more than ten")
    #expect(await scene.collect(withinSeconds: 60) == "tooLarge")
  }
}
