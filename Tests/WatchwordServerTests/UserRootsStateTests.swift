import Glibc
import Testing
import WatchwordCore
import WatchwordJSON
import WatchwordReactor
import WatchwordTestSupport

@testable import WatchwordServer

/// The user's certificate authorities, where there is no state yet, and where it has a fault (storage.md 6.6).
@Suite(.serialized) struct UserRootsStateTests {
  init() { LoopThread.started }

  @Test func whoOnlyReadsOrRemovesMakesNoState() throws {
    let folder = try TemporaryFolder()
    let place = try #require(folder.statePlace)
    let file = UserRootsFile(place: place, uid: 5)
    let (read, removed) = (try file.read(), try file.apply(.remove(nil)).count)
    #expect(read.all.isEmpty && removed == 0 && folder.names == [])
  }

  /// Sessions hear of a change, and the log of a fault, once each.
  @Test @ReactorActor func whatIsAsBeforeIsNoNews() async throws {
    let folder = try TemporaryFolder()
    try await DaemonScene.call(in: folder) { caller, scene in
      scene.open()
      _ = await caller.ask("session/open", #"{"name":"a"}"#)
      let add = #"{"certificates":\#(TestCertificates.quoted(TestCertificates.authority))}"#
      await caller.check("trust/addRoots", add, has: #""added":1"#)
      await DaemonScene.until { scene.engines[0].closings.contains("roots") }
      let count = { scene.engines[0].closings.count { $0 == "roots" } }
      for _ in 0..<2 { await caller.check("trust/listRoots", has: "Root") }
      #expect(count() == 1 && scene.complaints == [])
      try folder.write("no certificate", to: "state/roots-\(caller.peer.process.uid).pem")
      for _ in 0..<2 {
        await caller.check("trust/listRoots", has: "mend or remove the file")
        #expect(scene.complaints.count == 1)
      }
      await DaemonScene.until { count() == 2 }
    }
  }

  /// A file of the largest size is read, and no larger one.
  @Test(arguments: [(0, 1), (1, nil)] as [(Int, Int?)])
  func aFileOfRootsHasABound(_ more: Int, _ count: Int?) throws {
    let folder = try TemporaryFolder()
    let place = try #require(StatePlace.resolve(folder.path) { _ in nil })
    var text = TestCertificates.authority + "\n"
    text += String(repeating: "\n", count: UserRoots.maximumBytes - text.utf8.count + more)
    try folder.write(text, to: "roots-5.pem", mode: 0o600)
    #expect((try? UserRootsFile(place: place, uid: 5).read())?.all.count == count)
  }
}
