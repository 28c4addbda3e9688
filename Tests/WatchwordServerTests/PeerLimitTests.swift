import CLinux
import Glibc
import Testing
import WatchwordCore
import WatchwordJSON
import WatchwordMessages
import WatchwordProtocol
import WatchwordReactor
import WatchwordTestSupport
import WatchwordTransport
import WatchwordVocabulary

@testable import WatchwordServer

/// What a connection may take of memory and descriptors (messages.md 5.6).
@Suite(.serialized) struct PeerLimitTests {
  init() { LoopThread.started }

  /// Takes all memory of the caller's uid; it is given back with what is returned.
  @ReactorActor private static func fill(_ scene: DaemonScene, _ caller: Caller) -> MemoryCharge {
    let charge = MemoryCharge(scene.daemon.budget, uid: caller.peer.process.uid)
    charge.growAnyway(by: Limits.bytesPerUID)
    return charge
  }

  /// The replies to a batch, by their ids.
  @ReactorActor private static func replies(_ caller: Caller, to batch: String) async -> [String: JSONValue] {
    await caller.write(batch + "\n")
    var replies: [String: JSONValue] = [:]
    for reply in await caller.message()?.elements ?? [] {
      replies[Caller.text(reply["id"] ?? .null)] = reply
    }
    return replies
  }

  /// A large reply is replaced by an error, whatever the size of its id; small ones are kept.
  @Test(arguments: ["x", String(repeating: "y", count: 3000)])
  @ReactorActor func aLargeReplyOfABatchNeedsRoom(_ identifier: String) async throws {
    try await DaemonScene.call { caller, scene in
      let charge = Self.fill(scene, caller)
      let batch =
        #"[{"jsonrpc":"2.0","id":1,"method":"ping"},"#
        + #"{"jsonrpc":"2.0","id":"\#(identifier)","method":"status"},"#
        + #"{"jsonrpc":"2.0","id":2,"method":"ping"}]"#
      let refused = await Self.replies(caller, to: batch)
      #expect(refused.count == 3 && refused["1"]?["result"] != nil && refused["2"]?["result"] != nil)
      #expect(refused["\"\(identifier)\""]?["error"]?["data"]?["kind"]?.text == "limitExceeded")
      charge.giveBack()
      let taken = await Self.replies(caller, to: batch)
      #expect(taken.count == 3 && taken["\"\(identifier)\""]?["result"] != nil)
    }
  }

  /// A reply of 2 KiB is kept in any case: an error in place of it would hardly be smaller.
  @Test(arguments: [(0, true), (1, false)])
  @ReactorActor func aSmallReplyOfABatchNeedsNoRoom(_ more: Int, _ isKept: Bool) async throws {
    try await DaemonScene.call { caller, scene in
      let charge = Self.fill(scene, caller)
      let rest = #"[{"jsonrpc":"2.0","id":"","result":{}}"#.utf8.count
      let identifier = String(repeating: "y", count: 2048 - rest + more)
      let found = await Self.replies(
        caller, to: #"[{"jsonrpc":"2.0","id":"\#(identifier)","method":"ping"}]"#)
      #expect(found.count == 1 && (found["\"\(identifier)\""]?["result"] != nil) == isKept)
      charge.giveBack()
    }
  }

  /// A second batch begins as the first one did.
  @Test @ReactorActor func aBatchAfterAnotherIsOneOfItsOwn() async throws {
    try await DaemonScene.call { caller, _ in
      let ping = #"{"jsonrpc":"2.0","id":1,"method":"ping"}"#
      let pong = #"{"jsonrpc":"2.0","id":1,"result":{}}"#
      await caller.write("[\(ping)]\n[\(ping),\(ping)]\n")
      #expect(await caller.line() == "[\(pong)]")
      #expect(await caller.line() == "[\(pong),\(pong)]")
    }
  }

  @Test @ReactorActor func aSessionIsHeldOnlyWithRoomForIt() async throws {
    try await DaemonScene.call { caller, scene in
      let other = try scene.connect()
      _ = await other.ask("session/open", #"{"name":"a"}"#)
      let reserve = MemoryCharge(scene.daemon.reserve, uid: caller.peer.process.uid)
      reserve.growAnyway(by: Limits.reservedBytesPerUID)
      let charge = Self.fill(scene, caller)
      let refused = await caller.ask("session/open", #"{"name":"a"}"#)
      #expect(refused["data"]?["kind"]?.text == "limitExceeded")
      #expect(caller.peer.sessions.isEmpty)
      reserve.giveBack()
      let made = await caller.ask("session/open", #"{"name":"b"}"#)
      #expect(made["data"]?["kind"]?.text == "limitExceeded" && scene.daemon.registry.count == 1)
      charge.giveBack()
      await caller.check("session/open", #"{"name":"a"}"#, has: #""session":"a""#)
      #expect(Array(caller.peer.sessions.keys) == ["a"])
    }
  }

  /// Its place in a session costs a connection the same, however often it opens that.
  @Test @ReactorActor func aPlaceInASessionCountsOnce() async throws {
    try await DaemonScene.call { caller, scene in
      let uid = caller.peer.process.uid
      var held: [Int] = []
      for name in ["a", "a", "b"] {
        let before = scene.daemon.reserve.used(by: uid)
        _ = await caller.ask("session/open", #"{"name":"\#(name)"}"#)
        held.append(scene.daemon.reserve.used(by: uid) - before)
      }
      #expect(held == [HeldBytes.membership, 0, HeldBytes.membership])
    }
  }

  /// security.md: descriptors that no message claims are bounded.
  @Test @ReactorActor func soManyDescriptorsWaitForTheirMessage() async throws {
    try await DaemonScene.call { caller, scene in
      let file = open("/dev/null", O_RDONLY)
      defer { close(file) }
      // A message whose end does not come.
      let begin = #"{"jsonrpc":"2.0","id":1,"method":"ping","params":{}"#
      for byte in begin.utf8.prefix(Limits.unclaimedDescriptors / 16) {
        Self.send(byte, Array(repeating: file, count: 16), to: caller)
      }
      await caller.write(String(begin.dropFirst(Limits.unclaimedDescriptors / 16)) + "}\n")
      #expect(await caller.line() == #"{"jsonrpc":"2.0","id":1,"result":{}}"#)
      for byte in begin.utf8.prefix(Limits.unclaimedDescriptors / 16 + 1) {
        Self.send(byte, Array(repeating: file, count: 16), to: caller)
      }
      let refusal = await caller.message()
      #expect(refusal?["error"]?["message"]?.text == "more descriptors than a message may carry")
      #expect(refusal?["error"]?["data"]?["limit"]?.text == "unclaimedDescriptors")
      #expect(await caller.line() == nil)
      await DaemonScene.until { scene.daemon.peers.isEmpty }
    }
  }

  @ReactorActor private static func send(_ byte: UInt8, _ descriptors: [Int32], to caller: Caller) {
    var byte = byte
    #expect(clinux_send(caller.descriptor, &byte, 1, descriptors, Int32(descriptors.count), false) == 1)
  }

  /// A reader that is sent a little at a time is slow as well when it reads nothing.
  @Test @ReactorActor func theTimeOfASlowReaderRuns() async throws {
    try await DaemonScene.call { caller, _ in
      while caller.peer.outgoing.count == 0 {
        caller.peer.send { $0.integer(1) }
        await DaemonScene.turn()
      }
      #expect(caller.peer.slowTimer != nil)
      while caller.peer.outgoing.count > 0 { #expect(await caller.line() == "1") }
      await DaemonScene.until { caller.peer.slowTimer == nil }
    }
  }

  /// The limit `outgoingBytes`: one that does not read is not waited for without end.
  @Test @ReactorActor func aConnectionThatReadsNothingEnds() async throws {
    try await DaemonScene.call { caller, scene in
      let text = String(repeating: "x", count: 1 << 20)
      var isGone = false
      caller.peer.whenDrained { isGone = true }
      let error = RPCError.internalError(text).sent
      var count = 0
      while !caller.peer.isClosed, count < 200 {
        count += 1
        caller.peer.notify(
          .taskDidFinish(.failure(Sent.TaskFailure(task: "t", session: "s", error: error))))
      }
      // Sixty-four mebibytes and one message.
      #expect(caller.peer.isClosed && (64...67).contains(count))
      await DaemonScene.until { scene.daemon.peers.isEmpty }
      #expect(isGone)
      let line = scene.log.first { $0.hasPrefix("connection closed: it does not read") }
      #expect(line?.contains("reason=more than \(Limits.outgoingBytes) bytes wait to be read") == true)
      // Nothing is added to it.
      caller.peer.notify(
        .taskDidFinish(.failure(Sent.TaskFailure(task: "t", session: "s", error: error))))
      #expect(scene.log.count { $0.hasPrefix("connection closed") } == 1)
      #expect(caller.peer.outgoing.count == 0)
    }
  }

  /// What a uid has no room for ends its connection: a notification cannot be left out.
  @Test @ReactorActor func aNotificationThatHasNoRoomEndsTheConnection() async throws {
    try await DaemonScene.call { caller, scene in
      let charge = Self.fill(scene, caller)
      let error = RPCError.internalError(String(repeating: "x", count: 1 << 20)).sent
      caller.peer.notify(
        .taskDidFinish(.failure(Sent.TaskFailure(task: "t", session: "s", error: error))))
      #expect(caller.peer.isClosed)
      #expect(scene.log.count == 1 && scene.log[0].contains("the uid has no room for what waits to be read"))
      charge.giveBack()
    }
  }
}
