import Glibc
import Testing
import WatchwordCore
import WatchwordReactor
import WatchwordTestSupport
import WatchwordTransport
import WatchwordVocabulary

@Suite struct TrustTests {
  init() { LoopThread.started }

  private static func configuration() -> EngineConfiguration {
    var configuration = EngineConfiguration()
    configuration.extraRoots = TLSOrigins.shared.authority
    configuration.exclusiveRoots = true
    return configuration
  }

  @Test(arguments: ["localhost", "127.0.0.1"])
  @ReactorActor func trustedOriginIsFetchedAndItsSessionResumed(_ host: String) async throws {
    let engine = try CurlEngine(Self.configuration())
    defer { engine.shutDown() }
    let first = await engine.fetch(try TestExchange(TLSOrigins.shared.url("good", host: host)))
    #expect(first.error == nil)
    #expect(first.text == "TLSv1.3 False")
    #expect((first.metrics?.tlsSeconds ?? 0) > 0)
    let second = await engine.fetch(try TestExchange(TLSOrigins.shared.url("good", host: host)))
    #expect(second.metrics?.isReused == true)
    #expect(second.metrics?.tlsSeconds == 0)
    // A connection of its own, because the first says that it ends.
    var request = try TestExchange(TLSOrigins.shared.url("good", host: host))
    request.headers = [HeaderField("Connection", "close")]
    _ = await engine.fetch(request)
    let resumed = await engine.fetch(try TestExchange(TLSOrigins.shared.url("good", host: host)))
    #expect(resumed.text == "TLSv1.3 True")
    // Another engine shares nothing.
    let other = try CurlEngine(Self.configuration())
    defer { other.shutDown() }
    let fresh = await other.fetch(try TestExchange(TLSOrigins.shared.url("good", host: host)))
    #expect(fresh.text == "TLSv1.3 False")
  }

  @Test(
    arguments: [
      ("otherName", "localhost", [TrustReason.hostMismatch]), ("otherName", "127.0.0.1", [.hostMismatch]),
      ("expired", "localhost", [.expired]), ("notYetValid", "localhost", [.notYetValid]),
      ("expiredOtherName", "localhost", [.hostMismatch, .expired]),
      ("commonName", "localhost", [.hostMismatch]), ("addressAsName", "127.0.0.1", [.hostMismatch]),
      ("clientOnly", "localhost", [.invalidPurpose]), ("weakKey", "localhost", [.weakKey]),
      ("weakSignature", "localhost", [.weakSignature]),
      ("stranger", "localhost", [.unknownIssuer]), ("selfSigned", "localhost", [.selfSigned]),
      ("good", "named.test", [.hostMismatch]), ("wildcard", "a.b.sub.test", [.hostMismatch]),
      ("wildcard", "sub.test", [.hostMismatch]),
    ]
  )
  @ReactorActor func refusedChainNamesItsReasons(
    _ name: String, _ host: String, _ reasons: [TrustReason]
  ) async throws {
    var configuration = Self.configuration()
    configuration.resolve = [(hostAndPort: "\(host):\(TLSOrigins.shared.port(name))", address: "127.0.0.1")]
    let engine = try CurlEngine(configuration)
    defer { engine.shutDown() }
    let recorder = await engine.fetch(try TestExchange(TLSOrigins.shared.url(name, host: host)))
    guard case .serverTrustRejected(let faults) = recorder.error else {
      Issue.record("\(String(describing: recorder.error))")
      return
    }
    #expect(Set(faults.map(\.reason)) == Set(reasons))
    #expect(faults.allSatisfy { $0.depth == 0 })
    #expect(recorder.heads.isEmpty)
    #expect(engine.openConnections == 0)
  }

  @Test @ReactorActor func wildcardMatchesOneLabel() async throws {
    var configuration = Self.configuration()
    let port = TLSOrigins.shared.port("wildcard")
    configuration.resolve = [(hostAndPort: "a.sub.test:\(port)", address: "127.0.0.1")]
    let engine = try CurlEngine(configuration)
    defer { engine.shutDown() }
    let url = TLSOrigins.shared.url("wildcard", host: "a.sub.test")
    #expect(await engine.fetch(try TestExchange(url)).error == nil)
  }

  /// With exclusive roots nothing else counts, not even what OpenSSL would take from the environment.
  @Test @ReactorActor func rootsAreTheConfiguredOnes() async throws {
    let path = "/tmp/watchword-roots-\(getpid()).pem"
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    let pem = Array(TLSOrigins.shared.authority.utf8)
    _ = pem.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    close(descriptor)
    defer { unlink(path) }
    let system = EngineConfiguration()
    let before = try CurlEngine(system)
    let untrusted = await before.fetch(try TestExchange(TLSOrigins.shared.url("good")))
    #expect(untrusted.error == .serverTrustRejected([TrustFault(reason: .unknownIssuer, depth: 0)]))
    before.shutDown()
    setenv("SSL_CERT_FILE", path, 1)
    defer { unsetenv("SSL_CERT_FILE") }
    var exclusive = EngineConfiguration()
    exclusive.exclusiveRoots = true
    exclusive.extraRoots = Self.strangerRoot
    let engine = try CurlEngine(exclusive)
    defer { engine.shutDown() }
    for _ in 0..<2 {
      let recorder = await engine.fetch(try TestExchange(TLSOrigins.shared.url("good")))
      #expect(recorder.error == .serverTrustRejected([TrustFault(reason: .unknownIssuer, depth: 0)]))
    }
  }

  @Test @ReactorActor func protocolVersionsAreBounded() async throws {
    for (name, minimum, maximum, version) in [
      ("tls12", SessionConfiguration.TLSBound.tls12, SessionConfiguration.TLSBound.tls13, "TLSv1.2"),
      ("tls13", .tls12, .tls13, "TLSv1.3"),
      ("good", .tls12, .tls12, "TLSv1.2"), ("tls12", .tls13, .tls13, ""), ("tls13", .tls12, .tls12, ""),
    ] {
      var configuration = Self.configuration()
      configuration.minimumTLSVersion = minimum
      configuration.maximumTLSVersion = maximum
      let engine = try CurlEngine(configuration)
      defer { engine.shutDown() }
      let recorder = await engine.fetch(try TestExchange(TLSOrigins.shared.url(name)))
      #expect(recorder.error == (version.isEmpty ? .tlsFailed(.protocolVersion) : nil))
      #expect(recorder.text.hasPrefix(version))
    }
  }

  @Test(arguments: [
    ("HTTP/1.1 400 Bad Request\r\n\r\n", HandshakeFault.plainHTTP), ("SSH-2.0-OpenSSH\r\n", .notTLS),
  ])
  @ReactorActor func originWithoutTLSFailsTyped(_ sent: String, _ fault: HandshakeFault) async throws {
    let server = ScriptedServer { peer, _ in
      _ = peer.receive(10)
      peer.send(sent)
    }
    defer { server.stop() }
    let engine = try CurlEngine(EngineConfiguration())
    defer { engine.shutDown() }
    let recorder = await engine.fetch(try TestExchange("https://127.0.0.1:\(server.port)/"))
    #expect(recorder.error == .tlsFailed(fault))
  }

  @Test(arguments: ["", "no certificate", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"])
  @ReactorActor func unreadableRootsAreRefused(_ text: String) {
    var configuration = EngineConfiguration()
    configuration.extraRoots = text
    #expect(throws: EngineFault.rootsUnreadable) { try CurlEngine(configuration) }
    configuration.extraRoots = TLSOrigins.shared.authority + text
    if !text.isEmpty, text.hasPrefix("-") {
      #expect(throws: EngineFault.rootsUnreadable) { try CurlEngine(configuration) }
    }
  }

  /// An authority that issued nothing.
  private static let strangerRoot = """
    -----BEGIN CERTIFICATE-----
    MIIBjjCCATOgAwIBAgIUHmx7Fbf51maAE/jA1sbVOLkQMaQwCgYIKoZIzj0EAwIw
    EzERMA8GA1UEAwwIc3RyYW5nZXIwIBcNMjYxMTIxMDU1MjMzWhgPMjEyNjEwMjgw
    NTUyMzNaMBMxETAPBgNVBAMMCHN0cmFuZ2VyMFkwEwYHKoZIzj0CAQYIKoZIzj0D
    AQcDQgAE2PAz7syRUp8ANXZHcMpClfBXBVH+Z0S3gp/BLhfqFlI0MOKanKGE15So
    /eXBdcp9dMDzNHiuEXKK3Q7juV9dqqNjMGEwHQYDVR0OBBYEFLFnz7GkbZtHHFCu
    LRQTmMSq86wnMB8GA1UdIwQYMBaAFLFnz7GkbZtHHFCuLRQTmMSq86wnMA8GA1Ud
    EwEB/wQFMAMBAf8wDgYDVR0PAQH/BAQDAgIEMAoGCCqGSM49BAMCA0kAMEYCIQDB
    oG0l7ICpwUX6L6WF/u6sIuZ7iqYYhBOI9pYATLr1IQIhAIDhTJ5zpm1TR8XSAbRr
    S3p5OYBZEoMvqbGP2ymKsyQw
    -----END CERTIFICATE-----
    """
}
