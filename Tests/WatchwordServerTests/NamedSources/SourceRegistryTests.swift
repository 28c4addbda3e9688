import Testing
import WatchwordCore
import WatchwordReactor
import WatchwordTestSupport
import WatchwordVocabulary

@testable import WatchwordServer

/// The administrator's sources when the configuration is read again.
struct SourceRegistries {
  init() { LoopThread.started }

  private static let space = ProtectionSpace(
    origin: Origin(scheme: .http, host: "127.0.0.1", port: 1), realm: nil, authenticationMethod: .bearer)

  private static func source(_ identifier: String) -> NamedSource {
    let endpoint = RequestURL(origin: space.origin, path: "/token", query: nil)
    return NamedSource(
      .oauth(
        OAuthSource(
          client: OAuthClient(grant: .clientCredentials, tokenEndpoint: endpoint, identifier: identifier),
          secretFile: "/nowhere", refreshTokenFile: nil, roots: nil)))
  }

  @Test @ReactorActor func aReadingThatEndsWithAReloadMayReadTheOtherSources() {
    let scene = SessionScene()
    // More names make every order of a dictionary likely.
    let kept = Dictionary(uniqueKeysWithValues: (0..<8).map { ("kept\($0)", Self.source("kept")) })
    let registry = SourceRegistry(kept.merging(["gone": Self.source("gone")]) { $1 }, scene)
    for name in kept.keys { registry.read(SourceRequest(name, for: Self.space, purpose: .renewal)) { _ in } }
    var isWithdrawn = false
    registry.read(SourceRequest("gone", for: Self.space, purpose: .renewal)) { [unowned registry] result in
      isWithdrawn = result == .failure(.withdrawn)
      for name in kept.keys {
        registry.read(SourceRequest(name, for: Self.space, purpose: .renewal)) { _ in }
      }
    }
    // A number of its own: a failure does not describe the whole scene.
    let before = scene.counters.tokenRequests
    #expect(before == 9)
    registry.replace(with: kept)
    #expect(isWithdrawn)
    // They wait for the requests that are under way.
    let after = scene.counters.tokenRequests
    #expect(after == 9)
  }
}
