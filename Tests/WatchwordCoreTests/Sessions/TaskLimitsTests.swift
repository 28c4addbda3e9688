import Testing
import WatchwordVocabulary

@testable import WatchwordCore

/// What one task excludes: redirects, versions of TLS and HTTP.
struct TaskLimitsTests {
  private static let secure = RequestURL(
    origin: Origin(scheme: .https, host: "a.example", port: 443), path: "/x", query: nil)

  private static func partition(
    to url: RequestURL = secure, in configuration: SessionConfiguration = SessionConfiguration(),
    _ change: (AllowedVersions) -> AllowedVersions?
  ) throws -> ConnectionPartition {
    var scene = SessionScene(configuration)
    var request = TaskRequest(
      identifier: TaskIdentifier(1), firstStep: RequestStep(url: url, method: "GET", headers: []))
    request.versions = change(AllowedVersions(configuration))
    let task = scene.state.add(request)
    scene.take { $0.handle(.begin, of: task) }
    let partitions = scene.effects.compactMap { effect -> ConnectionPartition? in
      guard case .send(_, _, let partition, _) = effect else { return nil }
      return partition
    }
    return try #require(partitions.first)
  }

  private static func narrowed(
    _ minimum: SessionConfiguration.TLSBound? = nil, _ maximum: SessionConfiguration.TLSBound? = nil,
    _ versions: [SessionConfiguration.HTTPVersion]? = nil
  ) -> (AllowedVersions) -> AllowedVersions? {
    { $0.narrowed(minimumTLS: minimum, maximumTLS: maximum, httpVersions: versions) }
  }

  @Test func whatExcludesNothingSharesTheConnections() throws {
    let common = try Self.partition { _ in nil }
    #expect(common.versions == nil)
    #expect(try Self.partition(Self.narrowed(.tls12, .tls13, [.http11, .http2])) == common)
    var old = SessionConfiguration()
    old.tls.maximumVersion = .tls12
    old.httpVersions = [.http11]
    #expect(try Self.partition(in: old, Self.narrowed(nil, .tls12, [.http11])) == common)
    let cleartext = TaskScene.url("/x", scheme: .http)
    #expect(try Self.partition(to: cleartext, Self.narrowed(.tls13, nil, [.http11])).versions == nil)
  }

  @Test func whatExcludesAnythingHasItsOwn() throws {
    let partitions: Set<ConnectionPartition> = [
      try Self.partition { _ in nil }, try Self.partition(Self.narrowed(.tls13)),
      try Self.partition(Self.narrowed(nil, .tls12)), try Self.partition(Self.narrowed(nil, nil, [.http11])),
      try Self.partition(Self.narrowed(.tls13, nil, [.http11])),
    ]
    #expect(partitions.count == 5)
  }

  @Test func nothingIsAdded() {
    var strict = SessionConfiguration()
    strict.tls.minimumVersion = .tls13
    strict.httpVersions = [.http11]
    let own = AllowedVersions(strict)
    let wider = own.narrowed(minimumTLS: .tls12, maximumTLS: .tls13, httpVersions: [.http2, .http11])
    #expect(wider == own && !wider.isEmpty)
    #expect(own.narrowed(minimumTLS: nil, maximumTLS: .tls12, httpVersions: nil).isEmpty)
  }
}
