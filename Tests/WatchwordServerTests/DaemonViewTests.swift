import Glibc
import Testing
import WatchwordCore
import WatchwordJSON
import WatchwordReactor
import WatchwordTestSupport
import WatchwordTransport
import WatchwordVocabulary

@testable import WatchwordServer

/// What the daemon says of its configuration, its tokens and its tasks (messages.md 11).
@Suite(.serialized) struct DaemonViewTests {
  init() { LoopThread.started }

  @ReactorActor private static func settings(_ caller: Caller) async -> [String: Bool] {
    let members = await caller.ask("server/configuration")["members"]?.elements ?? []
    return Dictionary(
      members.map { ($0["name"]?.text ?? "", $0["isDefault"] == .bool(true)) }, uniquingKeysWith: { $1 })
  }

  @Test @ReactorActor func whatIsGivenIsNoDefault() async throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(#"{"agent":{"idleLockSeconds":5}}"#, to: "config.json")
    try await DaemonScene.call({ $0.configuration = .given(path) }) { caller, _ in
      let before = await Self.settings(caller)
      #expect(before["agent"] == true && before["logLevel"] == true && before["kerberos"] == true)
      await caller.check("server/reload", is: #"{"reloaded":true}"#)
      let after = await Self.settings(caller)
      #expect(after["agent"] == false && after["logLevel"] == true && after["kerberos"] == true)
      await caller.check("server/configuration", has: #""isGiven":true"#, #""isRead":true"#)
    }
    try await DaemonScene.call({ $0.configuration = .own(path) }) { caller, _ in
      await caller.check("server/configuration", has: #""isGiven":false"#, #""isRead":false"#)
    }
    try await DaemonScene.call { caller, _ in
      await caller.check("server/configuration", has: #""isGiven":false"#, #""path":null"#)
    }
  }

  @Test @ReactorActor func tokensAreThoseOfModules() async throws {
    try await DaemonScene.call { caller, _ in
      await caller.check("identity/tokens", is: #"{"identities":[]}"#)
    }
    try await DaemonScene.call({ $0.settings.pkcs11Modules = ["/nowhere/module.so"] }) { caller, _ in
      await caller.check("identity/tokens", has: "credentialUnusable: no token can be asked")
    }
  }

  /// messages.md 11.9: one line for a task whose caller has not got what it wanted.
  @Test(arguments: [("info", 1), ("notice", 0), ("debug", 2)])
  @ReactorActor func aTaskThatFailsIsInTheLog(_ level: String, _ count: Int) async throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(#"{"logLevel":"\#(level)"}"#, to: "config.json")
    try await DaemonScene.call({ $0.configuration = .given(path) }) { caller, scene in
      await caller.check("server/reload", is: #"{"reloaded":true}"#)
      let before = scene.log.count
      for status in [200, 0] {
        let last = scene.exchange
        let task = await caller.send("fetch", #"{"url":"http://a.example/"}"#)
        await DaemonScene.until { scene.exchange !== last }
        if status == 0 { scene.exchange?.finish(.nameNotResolved) } else { scene.exchange?.respond(status) }
        _ = await caller.reply(to: task)
      }
      #expect(scene.log.count - before == count)
    }
  }

  /// What a body is not is told and counted.
  @Test @ReactorActor func aBodyWithAnotherDigestIsCounted() async throws {
    try await DaemonScene.call { caller, scene in
      let task = await caller.send(
        "fetch",
        #"{"url":"http://a.example/","output":{"digest":"sha-256=:\#(String(repeating: "A", count: 43))=:"}}"#
      )
      await DaemonScene.until { scene.exchange != nil }
      scene.exchange?.respond(200, body: "x")
      #expect(await caller.reply(to: task)["data"]?["kind"]?.text == "digestMismatch")
      let counters = await caller.ask("status")["counters"]
      #expect(counters?["bodies.mismatched"] == .integer(1) && counters?["bodies.verified"] == .integer(0))
    }
  }
}
