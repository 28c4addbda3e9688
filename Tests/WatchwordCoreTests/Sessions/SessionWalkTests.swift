import Foundation
import Testing
import WatchwordVocabulary

@testable import WatchwordCore

/// A session is led at random through thousands of events.
struct SessionWalkTests {
  /// `WATCHWORD_WALK_EVENTS` sets another number of events, for a long walk.
  private static let events =
    ProcessInfo.processInfo.environment["WATCHWORD_WALK_EVENTS"].flatMap(Int.init) ?? 10_000

  private static let servers = [
    server("basic", .https, TaskScene.basic(), chain: 1),
    server("basic", .http, TaskScene.basic(), chain: 1),
    server("digest", .https, TaskScene.digest("n"), chain: 2),
    server("self", .https, TaskScene.basic(), chain: 3, [TrustScene.unknown]),
    server("old", .https, nil, chain: 4, [TrustScene.unknown, TrustScene.expired]),
    server("open", .https, nil, chain: 5),
    server("cert", .https, TaskScene.basic(), chain: 6, asking: .of("CA")),
    server("client", .https, nil, chain: 8, asking: .of("CA")),
    server("both", .https, nil, chain: 7, [TrustScene.unknown], asking: .of("CA", "CB")),
  ]

  private static func server(
    _ host: String, _ scheme: WebScheme, _ challenge: String?, chain: UInt8, _ faults: [TrustFault] = [],
    asking request: CertificateRequest? = nil
  ) -> CheckedSession.Server {
    CheckedSession.Server(
      origin: Origin(scheme: scheme, host: host, port: scheme.defaultPort), challenge: challenge,
      chain: TrustScene.presented(chain, key: chain), faults: faults, certificateRequest: request)
  }

  /// - Parameter servedTogether: how many tasks or challenges an event serves; the others wait for `goOn`.
  @Test(arguments: [UInt64.random(in: 0...UInt64.max), 1, 2, 3], [64, 1])
  func noEventBreaksWhatHasToHold(_ seed: UInt64, servedTogether: Int) {
    print("session walk: seed \(seed)")
    var random = SeededGenerator(seed: seed)
    var world = CheckedSession(Self.servers, servedTogether: servedTogether)
    for _ in 0..<Self.events {
      world.advance(Double(random.below(1000)) / 1000)
      if world.isBehind, !random.oneIn(4) { world.take { $0.goOn() } }
      step(&world, &random)
      if world.hasFault { break }
    }
    world.drain()
    #expect(world.faults.isEmpty, "seed \(seed): \(world.faults.prefix(5))")
    // The walk has been somewhere.
    #expect(world.finished.count > Self.events / 20)
    #expect(world.closed.count > Self.events / 100)
    #expect(world.sentWithCredentials > Self.events / 100)
    #expect(world.connectionsUsedAgain > Self.events / 100)
    #expect(world.identitiesPresented > Self.events / 500)
  }

  private func step(_ world: inout CheckedSession, _ random: inout SeededGenerator) {
    let peer = UInt64(random.below(4))
    let tasks = world.tasks.keys.sorted { $0.number < $1.number }
    let running = world.running.keys.sorted { $0.number < $1.number }
    switch random.below(20) {
    case 0...3: if tasks.count < 24 { begin(&world, &random, peer) }
    case 4...7:
      guard !running.isEmpty else { return }
      let task = random.pick(running)
      world.connect(task)
      // Most servers answer at once.
      if !random.oneIn(4) {
        world.answer(task, redirectingTo: nil, isOutOfOrder: false)
        world.end(task)
      }
    case 8...10:
      guard !running.isEmpty else { return }
      // Which has a connection by then; its field is made for that.
      let task = random.pick(running)
      world.connect(task)
      world.answer(
        task, redirectingTo: random.oneIn(6) ? random.pick(Self.servers).origin.host : nil,
        isOutOfOrder: random.oneIn(12))
    case 11...13:
      guard !running.isEmpty else { return }
      let loss = TransportError.connectionLost(ConnectionLoss(isBeforeFirstByte: true))
      world.end(random.pick(running), random.oneIn(10) ? loss : nil)
    case 14, 15: reply(&world, &random, peer)
    case 16:
      let methods: Set<AuthenticationMethod> = [
        .basic, .digest, .serverTrust, .clientCertificate, .agentUnlock,
      ]
      let interest = DelegateInterest(
        tasks: .only(random.oneIn(3) ? [] : methods), session: .only(random.oneIn(3) ? methods : []))
      world.take { $0.register(PeerIdentifier(peer), interest: interest) }
    case 17: world.take { $0.tick() }
    case 18:
      guard !tasks.isEmpty, let task = world.tasks[random.pick(tasks)] else { return }
      if task.isSuspended { return world.take { $0.resume(task) } }
      if random.oneIn(3) { world.take { $0.suspend(task) } }
    default: disturb(&world, &random, peer)
    }
  }

  private func begin(_ world: inout CheckedSession, _ random: inout SeededGenerator, _ peer: UInt64) {
    let origin = random.pick(Self.servers).origin
    let named = random.oneIn(8) ? "\(origin.host);0" : nil
    let userinfo = named.map { RequestURL.Userinfo(user: $0, password: TaskScene.secret($0)) }
    let url = RequestURL(
      origin: origin, path: random.oneIn(3) ? "/d/e/x" : "/d/x", query: nil, userinfo: userinfo)
    world.begin(of: peer, url, isDetached: random.oneIn(4))
  }

  private func reply(_ world: inout CheckedSession, _ random: inout SeededGenerator, _ peer: UInt64) {
    let known = world.open.sorted() + (random.oneIn(9) ? world.lastClosed : [])
    guard !known.isEmpty else { return }
    let challenge = random.pick(known)
    let space = world.challenge(challenge)?.question.space
    let persistence = random.oneIn(3) ? Persistence.none : .forSession
    var credential: Credential?
    if let space, space.serverTrust != nil {
      credential = Credential(.trust(random.oneIn(2) ? .certificate : .publicKey), persistence: persistence)
    } else if let space, space.certificateRequest != nil {
      credential = Credential(
        .identity(.of("id-\(space.origin.host)", issuers: ["CA"])), persistence: persistence)
    } else if let server = world.servers.first(where: { $0.origin == space?.origin }) {
      let user = random.oneIn(4) ? "wrong;\(server.origin.host)" : server.user
      credential = Credential(
        .password(user: user, password: TaskScene.secret(user)), persistence: persistence)
    }
    let disposition = random.oneIn(3) ? random.pick(Disposition.allCases) : .useCredential
    world.reply(challenge, by: peer, disposition, disposition == .useCredential ? credential : nil)
  }

  /// What happens seldom.
  private func disturb(_ world: inout CheckedSession, _ random: inout SeededGenerator, _ peer: UInt64) {
    switch random.below(12) {
    case 0: world.take { $0.remove(PeerIdentifier(peer)) }
    case 1:
      let tasks = world.tasks.values.sorted { $0.identifier.number < $1.identifier.number }
      guard !tasks.isEmpty else { return }
      world.stop(random.pick(tasks))
    case 2: if random.oneIn(4) { world.servers[random.below(world.servers.count)].season += 1 }
    case 3: world.take { state in state.removeTrust(identifier: nil, origin: nil).1 }
    case 4: if random.oneIn(4) { world.take { $0.reset() } }
    case 5:
      let space = ProtectionSpace(
        origin: random.pick(Self.servers).origin, realm: OctetString("r"), authenticationMethod: .basic)
      world.take { $0.removeCredentials(for: [space], user: nil).1 }
    case 6: if random.oneIn(4) { world.give(.of("any", issuers: ["CB"]), for: nil) }
    case 7: if random.oneIn(4) { world.take { state in state.removeIdentities(nil).1 } }
    case 8: world.changePolicy(allowsLoosening: random.oneIn(2))
    case 9: if random.oneIn(16) { world.take { $0.lock() } }
    case 10: world.take { $0.unlock(isByReply: random.oneIn(2)) }
    default: break
    }
  }
}
