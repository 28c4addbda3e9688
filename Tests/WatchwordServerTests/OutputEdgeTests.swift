import CLinux
import Glibc
import Testing
import WatchwordCore
import WatchwordReactor
import WatchwordTestSupport
import WatchwordTransport
import WatchwordVocabulary

@testable import WatchwordServer

/// Buffers, files and settings where they just fit, and where they do not.
@Suite(.serialized) struct OutputEdgeTests {
  init() { LoopThread.started }

  private static func bytes(_ count: Int, _ byte: UInt8) -> [UInt8] { [UInt8](repeating: byte, count: count) }

  @Test func whatFillsABufferIsWhole() {
    let buffer = WriteBuffer()
    let (first, second) = (Self.bytes(1000, 1), Self.bytes((1 << 20) - 1000, 2))
    #expect(first.withUnsafeBytes { buffer.append($0) })
    #expect(buffer.growth(for: second.count) == second.count && buffer.growth(for: second.count + 1) == nil)
    #expect(second.withUnsafeBytes { buffer.append($0) })
    #expect(buffer.withBytes { Array($0) } == first + second)
    #expect(buffer.growth(for: 1) == nil)
    buffer.removeAll()
    // An empty one takes any number, and what it has already costs nothing more.
    #expect(buffer.growth(for: 1 << 20) == 0 && buffer.growth(for: (1 << 20) + 1) == 1)
    let large = Self.bytes((1 << 20) + 1, 3)
    #expect(large.withUnsafeBytes { buffer.append($0) })
    #expect(buffer.withBytes { Array($0) } == large)
  }

  /// A page that is only read to keep the connection, up to a mebibyte.
  @Test @ReactorActor func aPageIsReadUpToALimit() {
    var page = HeldBody(MemoryCharge(MemoryBudget(limit: 1 << 20), uid: 1))
    func take(_ count: Int) -> BodyAnswer {
      Self.bytes(count, 1).withUnsafeBytes { page.receive($0, isKept: false) }
    }
    #expect(take(HeldBody.readLimit) == .taken)
    #expect(take(1) == .enough)
    #expect(page.bytes.isEmpty && !page.isCut)
  }

  /// challenges.md 4.6: what the uid has no room for is missing from the page, which says so.
  @Test @ReactorActor func aPageWithoutRoomIsCut() {
    let budget = MemoryBudget(limit: 10)
    var page = HeldBody(MemoryCharge(budget, uid: 1))
    func take(_ count: Int) { _ = Self.bytes(count, 1).withUnsafeBytes { page.receive($0, isKept: true) } }
    take(10)
    #expect(page.bytes.count == 10 && !page.isCut)
    take(1)
    #expect(page.bytes.count == 10 && page.isCut)
    #expect(page.takeBytes().count == 10 && budget.total == 0)
  }

  @Test func aFullDiskTakesNothing() throws {
    let full = open("/dev/full", O_WRONLY)
    try #require(full >= 0)
    defer { close(full) }
    #expect(![UInt8](1...9).withUnsafeBytes { SystemCall.write($0, to: full) } && errno == ENOSPC)
    #expect([UInt8]().withUnsafeBytes { SystemCall.write($0, to: full) })
  }

  /// What counts without a configuration file.
  @Test func aDaemonWithoutSettingsIsItsUsersOwn() {
    let options = DaemonOptions(socketPath: "/nowhere/s")
    for settings in [options.settings, ConfigurationFile().settings] {
      #expect(settings.access == .user && !settings.agent.lockOnSuspend && settings.vault.secretService)
    }
    #expect(!options.isHostWide)
  }

  /// messages.md 14.8.
  @Test func aProxyOfTheEnvironmentNeedsNoScheme() {
    let values = [
      "http_proxy": "proxy.example:8080", "https_proxy": "://", "no_proxy": "a.example, x/1,y/2,b.example",
    ]
    let environment = ProxyEnvironment { name in values[name].map { Secret(Array($0.utf8)) } }
    #expect(environment.rules?.http?.proxy != nil)
    #expect(environment.rules?.https?.proxy == nil && environment.rules?.all == nil)
    // Each is named once.
    #expect(environment.malformed == ["https_proxy", "no_proxy"])
    #expect(environment.rules?.exceptions.count == 2)
  }
}
