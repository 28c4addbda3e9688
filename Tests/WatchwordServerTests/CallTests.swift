import Testing
import WatchwordJSON
import WatchwordProtocol
import WatchwordReactor
import WatchwordTestSupport

@testable import WatchwordServer

/// Calls that wait for something: their replies, and what becomes of them when nobody waits for these any more.
@Suite(.serialized) struct CallTests {
  init() { LoopThread.started }

  /// What a test and its work say to each other.
  @ReactorActor
  private final class Notes {
    /// Passes what was waited for.
    var end: (@ReactorActor (Int) -> Void)?
    var said: [String] = []
  }

  /// The reply has this id.
  private static let number = 900

  @ReactorActor
  private static func call(of caller: Caller) throws -> Call {
    Call(
      caller.peer, identifier: .integer(Int64(number)), descriptors: [], batch: nil, size: 0)
  }

  /// Waits for a number and says what has become of it.
  @ReactorActor
  private static func wait(_ call: Call, _ notes: Notes) -> @ReactorActor () async throws(RPCError) -> Void {
    { () async throws(RPCError) in
      do throws(RPCError) {
        let number = try await call.wait { end in
          notes.end = end
          return { notes.said.append("stopped") }
        }
        notes.said.append("\(number)")
      } catch {
        notes.said.append("thrown")
        throw error
      }
    }
  }

  @Test @ReactorActor func theValueComesLater() async throws {
    try await DaemonScene.call { caller, _ in
      let (call, notes) = (try Self.call(of: caller), Notes())
      call.answer(after: Self.wait(call, notes))
      // It has begun, and can be cancelled.
      #expect(notes.end != nil && call.onCancel != nil && call.onAbandon != nil && !call.isOver)
      notes.end?(7)
      #expect(call.onAbandon == nil && notes.said == [])
      notes.end?(8)
      #expect(Caller.text(await caller.reply(to: Self.number)) == "{}")
      #expect(notes.said == ["7"] && call.isOver)
    }
  }

  /// Nothing is left that could cancel it.
  @Test @ReactorActor func theValueIsThereAtOnce() async throws {
    try await DaemonScene.call { caller, _ in
      let (call, notes) = (try Self.call(of: caller), Notes())
      call.begin { () async throws(RPCError) in
        let number: Int = try await call.wait { $0(7) }
        notes.said.append("\(number) \(call.onCancel == nil && call.onAbandon == nil)")
        throw .agentLocked
      }
      #expect(Caller.text(await caller.reply(to: Self.number)).hasPrefix("agentLocked: "))
      #expect(notes.said == ["7 true"])
    }
  }

  @Test @ReactorActor func whatCannotBeginFailsTheCall() async throws {
    try await DaemonScene.call { caller, _ in
      let call = try Self.call(of: caller)
      call.answer { () async throws(RPCError) in
        let _: Int = try await call.wait { _ throws(RPCError) -> Void in throw .overBudget }
      }
      #expect(Caller.text(await caller.reply(to: Self.number)).hasPrefix("limitExceeded: "))
    }
  }

  /// What comes later is not used.
  @Test @ReactorActor func whatIsCancelledIsStopped() async throws {
    try await DaemonScene.call { caller, _ in
      let (call, notes) = (try Self.call(of: caller), Notes())
      call.answer(after: Self.wait(call, notes))
      let cancel = try #require(call.onCancel)
      cancel()
      #expect(notes.said == ["stopped"] && call.isOver)
      await DaemonScene.turn()
      #expect(notes.said == ["stopped", "thrown"])
      notes.end?(7)
      let reply = Caller.text(await caller.reply(to: Self.number))
      #expect(reply == "requestCancelled: the caller cancelled it")
    }
  }

  /// Also when the value has come, and the work would go on at the end of the turn.
  @Test @ReactorActor func whatIsCancelledDoesNotGoOn() async throws {
    try await DaemonScene.call { caller, _ in
      let (call, notes) = (try Self.call(of: caller), Notes())
      call.answer(after: Self.wait(call, notes))
      notes.end?(7)
      let cancel = try #require(call.onCancel)
      cancel()
      #expect(call.isOver)
      #expect(Caller.text(await caller.reply(to: Self.number)).hasPrefix("requestCancelled: "))
      #expect(notes.said == ["thrown"])
    }
  }

  /// Work that changes something whatever becomes of its caller.
  @Test @ReactorActor func whatMustGoOnIsNotCancelled() async throws {
    try await DaemonScene.call { caller, _ in
      let (call, notes) = (try Self.call(of: caller), Notes())
      call.answer(after: Self.wait(call, notes))
      call.mustGoOn()
      #expect(call.onCancel == nil && call.onAbandon == nil)
      notes.end?(7)
      #expect(Caller.text(await caller.reply(to: Self.number)) == "{}")
    }
  }

  @Test @ReactorActor func nobodyHearsOfWhatIsLeft() async throws {
    try await DaemonScene.call { caller, _ in
      let (call, notes) = (try Self.call(of: caller), Notes())
      call.answer(after: Self.wait(call, notes))
      call.abandon()
      #expect(notes.said == ["stopped"] && call.isOver)
      await DaemonScene.turn()
      #expect(notes.said == ["stopped", "thrown"])
      notes.end?(7)
      #expect(await caller.methods() == [] && caller.hasReply(to: Self.number) == false)
    }
  }

  /// The connection ends between the value and the work that waits for it.
  @Test @ReactorActor func theValueComesTooLate() async throws {
    try await DaemonScene.call { caller, _ in
      let (call, notes) = (try Self.call(of: caller), Notes())
      call.answer(after: Self.wait(call, notes))
      notes.end?(7)
      call.abandon()
      await DaemonScene.turn()
      #expect(notes.said == ["thrown"])
    }
  }

  /// Work ends without a reply: a fault of the daemon, which a debug build does not survive.
  @Test func aCallWithoutAReplyIsAFault() async {
    await #expect(processExitsWith: .failure) {
      LoopThread.started
      try await CallTests.dropACall()
    }
  }

  @ReactorActor
  private static func dropACall() async throws {
    try await DaemonScene.call { caller, _ in
      try call(of: caller).begin { () async throws(RPCError) in }
    }
  }
}
