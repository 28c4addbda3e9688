import Testing
import WatchwordJSON
import WatchwordProtocol
import WatchwordReactor
import WatchwordTestSupport
import WatchwordVocabulary

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

  // MARK: Faults of the daemon, which a debug build does not survive

  /// What a process says that ends so.
  private static let dropped = "a call was dropped without a reply"

  private static func said(_ result: ExitTest.Result?) -> String {
    result.map { String(decoding: $0.standardErrorContent, as: UTF8.self) } ?? ""
  }

  /// A call that the connection has in hand, like every request.
  @ReactorActor
  private static func callInHand(of caller: Caller) throws -> Call {
    let call = try call(of: caller)
    caller.peer.calls.insert(call)
    return call
  }

  /// Ends with a process in which a call was not dropped.
  @ReactorActor
  private static func drop(_ drop: @ReactorActor (Caller) async throws -> Void) async throws {
    try await DaemonScene.call { caller, _ in try await drop(caller) }
  }

  @Test func workWithoutAReplyIsAFault() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      LoopThread.started
      try await CallTests.drop { caller in
        try CallTests.callInHand(of: caller).begin { () async throws(RPCError) in }
        await DaemonScene.turn()
      }
    }
    #expect(Self.said(result).contains(Self.dropped))
  }

  /// Only a closure has the call, and goes without having been called.
  @Test func aClosureThatIsDroppedIsAFault() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      LoopThread.started
      try await CallTests.drop { caller in
        let call = try CallTests.callInHand(of: caller)
        let notes = Notes()
        notes.end = { _ in call.fail(.overBudget) }
        // The connection could cancel it.
        call.onCancel = {}
        notes.end = nil
        await DaemonScene.turn()
      }
    }
    #expect(Self.said(result).contains(Self.dropped))
  }

  /// The last one that has it is another thread.
  @Test func aCallThatAnotherThreadDropsIsAFault() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      LoopThread.started
      try await CallTests.drop { caller in
        let pool = BlockingPool(threads: 1)
        let isDone = Locked(false)
        var call: Call? = try CallTests.callInHand(of: caller)
        pool.submit { [call] in
          _ = consume call
          isDone.withLock { $0 = true }
        } then: {
        }
        call = nil
        await DaemonScene.until { isDone.withLock { $0 } }
        await DaemonScene.until { caller.peer.callsInHand == 0 }
      }
    }
    #expect(Self.said(result).contains(Self.dropped))
  }

  /// Nothing will ever be passed to work that waits.
  @Test func aValueThatWillNotComeIsAFault() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      LoopThread.started
      try await CallTests.drop { caller in
        let (call, notes) = (try CallTests.callInHand(of: caller), Notes())
        call.answer(after: CallTests.wait(call, notes))
        notes.end = nil
        await DaemonScene.turn()
      }
    }
    #expect(Self.said(result).contains("what a call waits for will not come"))
  }

  // MARK: No faults

  /// What is stopped may drop what would pass the value.
  @Test(arguments: [true, false])
  @ReactorActor func whatIsStoppedMayDropTheValue(isCancelled: Bool) async throws {
    try await DaemonScene.call { caller, _ in
      let (call, notes) = (try Self.callInHand(of: caller), Notes())
      call.answer { () async throws(RPCError) in
        let _: Int = try await call.wait { end in
          notes.end = end
          let stop: @ReactorActor () -> Void = { notes.end = nil }
          return stop
        }
      }
      if isCancelled { call.onCancel?() } else { caller.peer.close() }
      #expect(notes.end == nil && call.isOver && caller.peer.callsInHand == 0)
      await DaemonScene.turn()
    }
  }

  /// Nobody is owed a reply: the connection has ended, and its end takes others with it.
  @Test @ReactorActor func callsMayGoWithTheirConnection() async throws {
    try await DaemonScene.call { caller, _ in
      let notes = (0..<3).map { _ in Notes() }
      var left: [Call] = []
      for one in notes {
        let call = try Self.callInHand(of: caller)
        call.answer(after: Self.wait(call, one))
        left.append(try Self.callInHand(of: caller))
      }
      #expect(caller.peer.callsInHand == 6)
      let (call, last) = (try Self.callInHand(of: caller), Notes())
      call.begin { () async throws(RPCError) in
        let _: Int = try await call.wait { end in
          last.end = end
          let stop: @ReactorActor () -> Void = {
            let before = caller.peer.callsInHand
            left = []
            last.said.append("\(before) \(caller.peer.callsInHand)")
          }
          return stop
        }
      }
      caller.peer.close()
      #expect(caller.peer.callsInHand == 0 && left.isEmpty && last.said == ["6 3"])
      await DaemonScene.turn()
      #expect(notes.allSatisfy { $0.said == ["stopped", "thrown"] })
    }
  }

  /// The connection keeps no call that is answered, and no place of it.
  @Test @ReactorActor func theConnectionRetainsNoCall() async throws {
    try await DaemonScene.call { caller, _ in
      weak var gone: Call?
      do {
        let calls = try (0..<4).map { _ in try Self.callInHand(of: caller) }
        #expect(caller.peer.calls(with: .integer(Int64(Self.number))).count == 4)
        gone = calls[1]
        for (number, left) in [(1, 3), (3, 2), (0, 1), (2, 0)] {
          calls[number].fail(.agentLocked)
          #expect(caller.peer.callsInHand == left)
        }
      }
      #expect(gone == nil)
    }
  }
}
