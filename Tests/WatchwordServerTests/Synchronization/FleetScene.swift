import Testing
import WatchwordJSON
import WatchwordReactor
import WatchwordTestSupport
import WatchwordTransport
import WatchwordVocabulary

@testable import WatchwordCore
@testable import WatchwordServer

/// A host of a fleet: a daemon over a store in memory.
enum FleetScene {
  private static let endpoint = RequestURL(
    origin: Origin(scheme: .http, host: "127.0.0.1", port: 2379), path: "/", query: nil)

  /// A daemon with a state directory and a key file in this folder, and the store.
  @ReactorActor static func host(
    _ folder: TemporaryFolder, _ store: FakeStore?, user: SynchronizationSettings.User? = nil,
    roots: String? = nil, endpoints: Int = 1, key: String = String(repeating: "k", count: 32),
    _ change: (inout DaemonOptions) -> Void = { _ in },
    _ body: (Caller, DaemonScene) async throws -> Void
  ) async throws {
    let keyFile = try folder.write(key, to: "key", mode: 0o600)
    try await DaemonScene.call({
      change(&$0)
      $0.statePlace = folder.statePlace
      $0.settings.synchronization = SynchronizationSettings(
        endpoints: Array(repeating: endpoint, count: endpoints), prefix: "/w", keyFile: keyFile, user: user,
        roots: roots, identity: nil)
    }) { caller, scene in
      if let store { scene.onEndpointRequest = { store.take($0) } }
      scene.open()
      scene.daemon.beginSynchronization()
      try await body(caller, scene)
      scene.daemon.synchronizer?.stop()
    }
  }

  static func space(_ host: String) -> String {
    #""protectionSpace":{"protocol":"http","host":"\#(host)","authenticationMethod":"bearer"}"#
  }

  /// What stores a token for all hosts.
  static func token(_ token: String, _ host: String = "a.example", _ more: String = "") -> String {
    #"{\#(space(host)),"credential":{"token":"\#(token)","persistence":"synchronizable"\#(more)}}"#
  }

  @ReactorActor static func credentials(_ caller: Caller) async -> [String] {
    let found = await caller.ask("credential/list")["credentials"]?.elements ?? []
    return found.map { entry in
      "\(entry["protectionSpace"]?["host"]?.text ?? "") \(entry["persistence"]?.text ?? "")"
    }
  }

  @ReactorActor static func isWatching(_ scene: DaemonScene) -> Bool {
    scene.daemon.synchronizer?.machine.state == .watching
  }

  /// Has an empty store get a token; the name of its record.
  @ReactorActor static func nameOfFirst(
    _ caller: Caller, _ scene: DaemonScene, _ store: FakeStore
  ) async -> String {
    await DaemonScene.until { isWatching(scene) }
    await caller.check("credential/set", token("x"), is: "{}")
    await DaemonScene.until { isDone(scene) && store.count == 1 }
    return store.names[0]
  }

  /// A host may see its own change in the stream before it hears that it was written.
  @ReactorActor static func isDone(_ scene: DaemonScene) -> Bool {
    guard isWatching(scene), let machine = scene.daemon.synchronizer?.machine else { return false }
    return !machine.hasPending && machine.writing == nil
  }
}
