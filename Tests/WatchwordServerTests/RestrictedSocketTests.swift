import Glibc
import Testing
import WatchwordCore
import WatchwordProtocol
import WatchwordReactor
import WatchwordTestSupport
import WatchwordVocabulary

@testable import WatchwordServer

/// The administrator's sockets for restricted connections (restricted.md 2.6.17).
@Suite(.serialized) struct RestrictedSocketTests {
  init() { LoopThread.started }

  private static func socket(_ path: String, session: String = "job") throws -> RestrictedSocket {
    let folder = try TemporaryFolder()
    let text =
      #"{"restrictedSockets":[{"path":"\#(path)","session":"\#(session)","#
      + #""rules":[{"origin":"http://a.example","path":"/v1/*","methods":["GET"]}]}]}"#
    let file = try ConfigurationFile(.given(try folder.write(text, to: "config.json")))
    return file.settings.restrictedSockets[0]
  }

  @Test @ReactorActor func itsConnectionsShareASession() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path(of: "s")
    let socket = try Self.socket(path)
    try await DaemonScene.run({ $0.settings.restrictedSockets = [socket] }) { scene in
      try scene.daemon.openRestrictedSockets(nil)
      try scene.daemon.serveRestrictedSockets()
      #expect(folder.names == ["s", "s.lock", "s.restricted"])
      let first = try await scene.connect(to: path, as: 1)
      let second = try await scene.connect(to: path, as: 2)
      await first.check("session/describe", has: "restricted: ")
      await first.check("fetch", #"{"url":"http://a.example/v2"}"#, has: "restricted: ")
      let task = await first.send("fetch", #"{"url":"http://a.example/v1/x"}"#)
      await DaemonScene.until { scene.exchange != nil }
      scene.exchange?.respond(200)
      _ = await first.reply(to: task)
      let restriction = first.peer.restriction
      #expect(restriction != nil && restriction === second.peer.restriction)
      let session = try #require(scene.daemon.registry.all.first)
      #expect(session.name == "job" && scene.daemon.registry.count == 1)
      let identifier = try #require(restriction?.identifier)
      #expect(scene.daemon.socketPath(of: identifier) == path)
      #expect(scene.daemon.socketPath(of: RestrictionIdentifier(99)) == nil)
      // With the session its restriction ends; the next connection makes both again.
      session.invalidate(.invalidated)
      await DaemonScene.until { scene.daemon.registry.count == 0 }
      let third = try await scene.connect(to: path, as: 3)
      #expect(third.peer.restriction !== restriction && scene.daemon.registry.count == 1)
      scene.daemon.closeRestrictedSockets()
      #expect(folder.names == ["s.restricted"])
    }
  }

  /// The daemon that follows gets it with its lock.
  @Test @ReactorActor func aSocketIsGivenAwayWithItsLock() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path(of: "s")
    let socket = try Self.socket(path)
    var given: Listener.Given?
    try await DaemonScene.run({ $0.settings.restrictedSockets = [socket] }) { scene in
      try scene.daemon.openRestrictedSockets(nil)
      given = scene.daemon.restrictedSockets[0].listener.giveAway()
      scene.daemon.restrictedSockets = []
    }
    let taken = try #require(given)
    #expect(taken.path == path && taken.descriptors.count == 2)
    Listener(taken).remove()
    #expect(folder.names == ["s.restricted"])
  }
}
