import CLinux
import Glibc
import Testing
import WatchwordReactor
import WatchwordTestSupport

@testable import WatchwordServer

struct ListenerTests {
  init() { LoopThread.started }

  private static func directory() throws -> String {
    var template = Array("/tmp/watchword-listener-XXXXXX".utf8CString)
    return try #require(mkdtemp(&template).map { String(cString: $0) })
  }

  /// A daemon that ends because it is idle asks for this right before: epoll may not have told it yet.
  @Test @ReactorActor func whoWaitsIsAcceptedAtOnce() throws {
    let directory = try Self.directory()
    defer { rmdir(directory) }
    let path = directory + "/s"
    let listener = try Listener(path: path)
    defer { listener.remove() }
    var accepted: [Int32] = []
    defer { for descriptor in accepted { close(descriptor) } }
    try listener.begin({ accepted.append($0) }, deferred: {})
    let waiting = clinux_unix_connect(path)
    defer { close(waiting) }
    try #require(waiting >= 0)
    listener.acceptWaiting()
    #expect(accepted.count == 1)
  }

  /// Who is told that nobody accepts it any more may start the next daemon there.
  @Test @ReactorActor func thePlaceIsFreeOnceTheOthersAreTold() throws {
    let directory = try Self.directory()
    defer { rmdir(directory) }
    let path = directory + "/s"
    let listener = try Listener(path: path)
    listener.remove()
    try Listener(path: path).remove()
  }
}
