import Testing
import WatchwordJSON
import WatchwordProtocol
import WatchwordReactor
import WatchwordTestSupport
import WatchwordTransport

@testable import WatchwordServer

/// `session/*`: who has which session, and how it ends (messages.md 6).
struct SessionMethodTests {
  init() { LoopThread.started }

  @Test @ReactorActor func aNamedSessionIsOfItsUID() async throws {
    try await DaemonScene.call { caller, scene in
      await caller.check("session/open", #"{"name":"a"}"#, is: #"{"session":"a","created":true}"#)
      await caller.check("session/open", #"{"name":"a"}"#, is: #"{"session":"a","created":false}"#)
      let other = try scene.connect()
      await other.check("session/open", #"{"name":"a"}"#, is: #"{"session":"a","created":false}"#)
      await other.check(
        "session/open", #"{"name":"a","configuration":{}}"#, is: #"{"session":"a","created":false}"#)
      await other.check(
        "session/open", #"{"name":"a","configuration":{"timeouts":{"requestSeconds":7}}}"#,
        is: "sessionConfigurationDiffers: session a has another configuration: timeouts.requestSeconds")
      await other.check(
        "session/open", #"{"name":"settings-1"}"#,
        is: "sessionNotFound: no session settings-1: those that begin so are named after their settings")
      await other.check("session/describe", #"{"session":"b"}"#, is: "sessionNotFound: no session b")
      #expect(scene.engines.count == 1)
      #expect(caller.peer.sessions.count == 1 && scene.daemon.registry.count == 1)
    }
  }

  @Test @ReactorActor func aPrivateSessionIsOfItsConnection() async throws {
    try await DaemonScene.call { caller, scene in
      let name = try #require(await caller.ask("session/open")["session"]?.text)
      #expect(name.hasPrefix("private-"))
      let other = try scene.connect()
      await other.check(
        "session/describe", #"{"session":"\#(name)"}"#, is: "sessionNotFound: no session \(name)")
      await other.check("session/list", is: #"{"sessions":[]}"#)
      await caller.check("session/list", has: name)
      caller.close()
      await DaemonScene.until { scene.daemon.registry.count == 0 }
      #expect(scene.engines[0].isShutDown)
    }
  }

  @Test @ReactorActor func theDefaultSessionIsMadeOnFirstUse() async throws {
    try await DaemonScene.call { caller, scene in
      await caller.check("session/describe", has: #""session":"default""#, #""named":true"#)
      await caller.check("session/describe", has: #""session":"default""#)
      #expect(scene.engines.count == 1)
      await caller.check("session/close", is: #"{"session":"default"}"#)
      #expect(caller.peer.sessions.isEmpty)
    }
  }

  @Test @ReactorActor func aSessionEndsForAllOfItsHolders() async throws {
    try await DaemonScene.call { caller, scene in
      let other = try scene.connect()
      _ = await other.ask("session/open", #"{"name":"a"}"#)
      _ = await caller.ask("session/open", #"{"name":"a"}"#)
      let task = await other.send("fetch", #"{"url":"http://a.example/","session":"a"}"#)
      await DaemonScene.until { scene.exchange != nil }
      await caller.check("session/invalidate", #"{"session":"a"}"#, is: #"{"session":"a"}"#)
      let found = Caller.text(await other.reply(to: task))
      #expect(found == "taskCancelled: the task was cancelled")
      let note = await other.notification("session/didInvalidate")
      #expect(note?["reason"]?.text == "invalidated" && note?["session"]?.text == "a")
      await caller.check("session/describe", #"{"session":"a"}"#, is: "sessionNotFound: no session a")
      #expect(scene.daemon.registry.count(of: caller.peer.process.uid) == 0)
    }
  }

  @Test @ReactorActor func aFinishingSessionEndsWithItsLastTask() async throws {
    try await DaemonScene.call { caller, scene in
      _ = await caller.ask("session/open", #"{"name":"a"}"#)
      let task = await caller.send("fetch", #"{"url":"http://a.example/","session":"a"}"#)
      await DaemonScene.until { scene.exchange != nil }
      await caller.check("session/finish", #"{"session":"a"}"#, is: #"{"session":"a"}"#)
      await caller.check(
        "fetch", #"{"url":"http://a.example/","session":"a"}"#,
        is: "sessionInvalidated: session a is finishing")
      await caller.check("session/open", #"{"name":"a"}"#, is: "sessionInvalidated: session a is finishing")
      await caller.check(
        "session/configure", #"{"session":"a","configuration":{}}"#,
        is: "sessionInvalidated: session a is finishing")
      scene.exchange?.respond(200)
      _ = await caller.reply(to: task)
      #expect(await caller.notification("session/didInvalidate")?["reason"]?.text == "finished")
      await caller.check("session/open", #"{"name":"a"}"#, is: #"{"session":"a","created":true}"#)
      await caller.check("session/finish", #"{"session":"a"}"#, is: #"{"session":"a"}"#)
      #expect(await caller.notification("session/didInvalidate")?["reason"]?.text == "finished")
    }
  }

  @Test @ReactorActor func settingsChangeForLaterTasks() async throws {
    try await DaemonScene.call { caller, scene in
      _ = await caller.ask("session/open", #"{"name":"a"}"#)
      func configure(
        _ text: String, is expected: String, sourceLocation: SourceLocation = #_sourceLocation
      ) async {
        await caller.check(
          "session/configure", #"{"session":"a","configuration":\#(text)}"#, is: expected,
          sourceLocation: sourceLocation)
      }
      await configure(
        "{}",
        is: #"{"session":"a","changed":[],"dropped":{"credentials":0,"trust":0,"identities":0,"cookies":0}}"#)
      await configure(
        #"{"timeouts":{"requestSeconds":7}}"#,
        is:
          #"{"session":"a","changed":["timeouts.requestSeconds"],"dropped":{"credentials":0,"trust":0,"#
          + #""identities":0,"cookies":0}}"#
      )
      #expect(scene.engines.count == 1)
      await configure(
        #"{"connectionsPerHost":2}"#,
        is:
          #"{"session":"a","changed":["connectionsPerHost"],"dropped":{"credentials":0,"trust":0,"#
          + #""identities":0,"cookies":0}}"#
      )
      #expect(scene.engines.count == 2 && scene.settings[1].connectionsPerHost == 2)
      #expect(scene.engines[0].isShutDown && !scene.engines[1].isShutDown)
      await configure(
        #"{"credentialStorage":"private"}"#,
        is: "invalidParams: params.configuration.credentialStorage: is fixed when the session is made")
      let task = await caller.send("fetch", #"{"url":"http://a.example/","session":"a"}"#)
      await DaemonScene.until { scene.exchange != nil }
      await configure(
        #"{"addresses":{"refusePrivate":true}}"#,
        is: "sessionHasTasks: session a runs 1 tasks, which rest on its settings")
      await configure(
        #"{"connectionsPerHost":3}"#,
        is:
          #"{"session":"a","changed":["connectionsPerHost"],"dropped":{"credentials":0,"trust":0,"#
          + #""identities":0,"cookies":0}}"#
      )
      #expect(!scene.engines[1].isShutDown && scene.engines.count == 3)
      scene.engines[1].exchanges[0].respond(200)
      _ = await caller.reply(to: task)
      #expect(scene.engines[1].isShutDown)
      await configure(
        #"{"addresses":{"refusePrivate":true}}"#,
        is:
          #"{"session":"a","changed":["addresses.refusePrivate"],"dropped":{"credentials":0,"trust":0,"#
          + #""identities":0,"cookies":0}}"#
      )
      #expect(scene.settings[3].refusesPrivateAddresses)
    }
  }

  @Test(arguments: [
    (
      #""addresses":{"allowOrigins":["https://a.example/x"]}"#,
      "invalidParams: params.configuration.addresses.allowOrigins[0]: must be a scheme, a host and "
        + "perhaps a port, and nothing more"
    ),
    (
      #""addresses":{"allowOrigins":["https://a.example","x"]}"#,
      "invalidParams: params.configuration.addresses.allowOrigins[1]: is not an absolute URL"
    ),
    (
      #""addresses":{"resolve":{"a.example":"x"}}"#,
      #"invalidParams: params.configuration.addresses.resolve.a.example: must be "host:port": "address""#
    ),
    (
      #""proxies":{"all":"ftp://p"}"#,
      "invalidParams: params.configuration.proxies.all: must be http://, https://, socks4://, "
        + "socks4a://, socks5:// or socks5h:// with a host and perhaps user, password and port"
    ),
    (
      #""forms":[{"page":"https://a.example/*","fields":{"user":"u","password":"p"}}]"#,
      #"{"session":"a","created":true}"#
    ),
    (
      #""forms":[{"page":"https://a.example/login","fields":{"user":"u","password":"p"}}]"#,
      #"{"session":"a","created":true}"#
    ),
    (
      #""forms":[{"page":"https://a.example/login?x*","fields":{"user":"u","password":"p"}}]"#,
      "invalidParams: params.configuration.forms[0].page: must be a URL without userinfo and fragment, "
        + "whose path may end in *"
    ),
    (
      #""forms":[{"page":"https://a.example/login?x","fields":{"user":"u","password":"p"}}]"#,
      #"{"session":"a","created":true}"#
    ),
    (
      #""forms":[{"page":"https://joe@a.example/login","fields":{"user":"u","password":"p"}}]"#,
      "invalidParams: params.configuration.forms[0].page: must be a URL without userinfo and fragment, "
        + "whose path may end in *"
    ),
    (
      #""forms":[{"page":"https://a.example/login#x","fields":{"user":"u","password":"p"}}]"#,
      "invalidParams: params.configuration.forms[0].page: must be a URL without userinfo and fragment, "
        + "whose path may end in *"
    ),
    (
      #""forms":[{"page":"https://a.example/login","fields":{"user":"u","password":"p"}}],"cookies":"never""#,
      "invalidParams: params.configuration.forms: a login needs cookies"
    ),
    (
      #""methods":{"negotiate":{"ambientOrigins":["a.example"]}}"#,
      "invalidParams: params.configuration.methods.negotiate.ambientOrigins[0]: is not an absolute URL"
    ),
  ])
  @ReactorActor func settingsAreCheckedInWhole(_ text: String, _ expected: String) async throws {
    try await DaemonScene.call { caller, scene in
      let found = await caller.say("session/open", #"{"name":"a","configuration":{\#(text)}}"#)
      #expect(found == expected)
      #expect(scene.daemon.registry.count == (found.hasPrefix("invalidParams") ? 0 : 1))
    }
  }

  /// The engine's faults are those of the settings.
  @Test(arguments: [
    (
      EngineFault.rootsUnreadable,
      "invalidParams: params.configuration.tls.roots.certificates: are no PEM certificates"
    ),
    (.tooManyRoots(3), "invalidParams: params.configuration.tls.roots.certificates: more than 3"),
    (
      .revocationListsUnreadable,
      "invalidParams: params.configuration.tls.revocationLists: are no PEM revocation lists, or too many"
    ),
    (
      .resolveEntry("a:1"),
      #"invalidParams: params.configuration.addresses.resolve.a:1: must be "host:port": "address", each "#
        + #"host and port once"#
    ),
    (.outOfMemory, "internalError: out of memory"),
  ])
  @ReactorActor func anEngineThatCannotBeMadeSaysWhy(_ fault: EngineFault, _ expected: String) async throws {
    try await DaemonScene.call { caller, scene in
      scene.daemon.registry.engineMaker = { (_, _, _) throws(EngineFault) in throw fault }
      let found = await caller.say("session/open", #"{"name":"a"}"#)
      #expect(found == expected)
      await DaemonScene.turn()
      #expect(scene.daemon.registry.count == 0)
    }
  }

  @Test @ReactorActor func sessionsBySettingsAreShared() async throws {
    try await DaemonScene.call { caller, scene in
      let text = #"{"bySettings":true,"configuration":{"timeouts":{"requestSeconds":7}}}"#
      let first = await caller.ask("session/open", text)
      let second = await (try scene.connect()).ask("session/open", text)
      let third = await caller.ask("session/open", #"{"bySettings":true}"#)
      #expect(first["session"] == second["session"] && second["created"] == .bool(false))
      #expect(third["session"] != first["session"] && first["session"]?.text.hasPrefix("settings-") == true)
      await caller.check(
        "session/configure", #"{"session":"\#(first["session"]?.text ?? "")","configuration":{}}"#,
        has: "is named after its settings")
      await caller.check(
        "session/open", #"{"name":"\#(first["session"]?.text ?? "")"}"#, has: #""created":false"#)
    }
  }

  @Test @ReactorActor func unusedSessionsArePruned() async throws {
    try await DaemonScene.call { caller, scene in
      for name in ["a", "b", "c"] { _ = await caller.ask("session/open", #"{"name":"\#(name)"}"#) }
      _ = await caller.ask("session/open")
      await caller.check("session/prune", #"{"olderThanSeconds":0}"#, is: #"{"sessions":[]}"#)
      for name in ["b", "c"] { _ = await caller.ask("session/close", #"{"session":"\#(name)"}"#) }
      await caller.check("session/prune", #"{"olderThanSeconds":1000}"#, is: #"{"sessions":[]}"#)
      await caller.check("session/prune", #"{"olderThanSeconds":0}"#, is: #"{"sessions":["b","c"]}"#)
      #expect(scene.daemon.registry.count == 2)
    }
  }

  @Test @ReactorActor func soManySessionsAreForSettings() async throws {
    try await DaemonScene.call { caller, scene in
      func open(_ number: Int) async -> String {
        await caller.ask(
          "session/open", #"{"bySettings":true,"configuration":{"timeouts":{"requestSeconds":\#(number)}}}"#)[
            "session"]?.text ?? ""
      }
      let first = await open(1)
      for number in 2...Limits.settingsSessionsPerUID { _ = await open(number) }
      #expect(scene.daemon.registry.count == Limits.settingsSessionsPerUID)
      // All are in use: none makes room.
      _ = await open(100)
      #expect(scene.daemon.registry.count == Limits.settingsSessionsPerUID + 1)
      _ = await caller.ask("session/close", #"{"session":"\#(first)"}"#)
      _ = await open(101)
      #expect(scene.daemon.registry.count == Limits.settingsSessionsPerUID + 1)
      await caller.check("session/describe", #"{"session":"\#(first)"}"#, has: "sessionNotFound")
    }
  }
}
