import Testing
import WatchwordVocabulary

@testable import WatchwordCore

/// Three hosts around a model of etcd, with random changes, outages, lost replies and restarts: at the end all have the
/// same, and every change that was the last one for its credential is there.
@Suite struct ReplicaWalkTests {
  private typealias Key = CredentialKey

  private static func space(_ number: Int) -> ProtectionSpace {
    ProtectionSpace(
      origin: Origin(scheme: .https, host: "h\(number).example", port: 443), realm: "staff",
      authenticationMethod: .basic)
  }

  /// - Parameter isStoreLost: whether the store is lost now and then, or goes back to a backup.
  @Test(arguments: 0..<40 as Range<UInt64>, [false, true])
  func allHostsEndWithTheSame(seed: UInt64, isStoreLost: Bool) throws {
    var generator = SeededGenerator(seed: seed)
    var store = FleetModelStore()
    var hosts = [FleetModelHost(), FleetModelHost(), FleetModelHost()]
    var now = 1000.0
    var backup = store
    /// The last secret that was given for each, and nothing after a removal by a host that knew of it.
    var lastGiven: [Key: String] = [:]
    for step in 0..<300 {
      now += 1
      let host = Int.random(in: 0..<3, using: &generator)
      let space = Self.space(Int.random(in: 0..<3, using: &generator))
      let user = "u\(Int.random(in: 0..<2, using: &generator))"
      switch Int.random(in: 0..<14, using: &generator) {
      case 0...2:
        let credential = Credential(
          .password(user: user, password: Secret("p\(step)".utf8)), persistence: .synchronizable)
        try hosts[host].change(
          .store(credential, for: [space], isDefault: Bool.random(using: &generator), over: []), now: now)
        lastGiven[Key(space: space, user: user)] = "p\(step)"
      case 3:
        try hosts[host].change(.remove([space], user: user), now: now)
        lastGiven[Key(space: space, user: user)] = nil
      case 4: try hosts[host].change(.setDefault(user: user, in: [space]), now: now)
      case 5...8: try hosts[host].writeNext(&store, losesReply: false, now: now)
      case 9: try hosts[host].writeNext(&store, losesReply: true, now: now)
      case 10: hosts[host].restart()
      case 11...12: try hosts[host].readWhole(store, now: now)
      default:
        guard isStoreLost else { break }
        if Int.random(in: 0..<10, using: &generator) == 0 {
          store = Bool.random(using: &generator) ? FleetModelStore(revision: store.revision) : backup
        } else {
          backup = store
        }
      }
    }
    // Everything is told, until nothing is left to tell.
    for _ in 0..<60 {
      for host in hosts.indices {
        try hosts[host].readWhole(store, now: now)
        while hosts[host].credentials.outgoing != nil {
          try hosts[host].writeNext(&store, losesReply: false, now: now)
        }
      }
    }
    #expect(hosts[0].summary == hosts[1].summary && hosts[1].summary == hosts[2].summary)
    for host in hosts { #expect(host.credentials.fleet.pendingCount == 0) }
    // What was given last is not lost to anything that was given before.
    for (key, secret) in lastGiven where !isStoreLost {
      for host in hosts {
        guard let entry = host.credentials.entry(key) else { continue }
        #expect(entry.credential.kind == .password(user: key.user ?? "", password: Secret(secret.utf8)))
      }
    }
    for host in hosts {
      let disk = PermanentCredentials(Array(host.disk.values))
      #expect(disk.count == host.credentials.count && disk.fleet.pendingCount == 0)
    }
  }

  /// Without removals and without a store that goes back, what was given last is everywhere.
  @Test(arguments: 0..<20 as Range<UInt64>)
  func whatWasGivenLastIsEverywhere(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed &+ 1000)
    var store = FleetModelStore()
    var hosts = [FleetModelHost(), FleetModelHost(), FleetModelHost()]
    var lastGiven: [Key: String] = [:]
    for step in 0..<200 {
      let host = Int.random(in: 0..<3, using: &generator)
      let now = 1000 + Double(step)
      switch Int.random(in: 0..<6, using: &generator) {
      case 0:
        let space = Self.space(Int.random(in: 0..<4, using: &generator))
        let credential = Credential(
          .password(user: "u", password: Secret("p\(step)".utf8)), persistence: .synchronizable)
        try hosts[host].change(.store(credential, for: [space], isDefault: true, over: []), now: now)
        lastGiven[Key(space: space, user: "u")] = "p\(step)"
      case 1...2: try hosts[host].writeNext(&store, losesReply: step % 3 == 0, now: now)
      case 3: hosts[host].restart()
      default: try hosts[host].readWhole(store, now: now)
      }
    }
    for _ in 0..<20 {
      for host in hosts.indices {
        try hosts[host].readWhole(store, now: 2000)
        while hosts[host].credentials.outgoing != nil {
          try hosts[host].writeNext(&store, losesReply: false, now: 2000)
        }
      }
    }
    for host in hosts {
      #expect(host.credentials.count == lastGiven.count)
      for (key, secret) in lastGiven {
        #expect(
          host.credentials.entry(key)?.credential.kind
            == .password(user: "u", password: Secret(secret.utf8)))
      }
    }
  }

  /// The watch may show a host its own write before the reply, or the reply is lost: what was done since counts.
  @Test(arguments: ["remove", "default", "store"])
  func whatFollowsAnUnansweredWriteCounts(change: String) throws {
    var store = FleetModelStore()
    var host = FleetModelHost()
    let space = Self.space(0)
    func credential(_ user: String, _ password: String) -> Credential {
      Credential(.password(user: user, password: Secret(password.utf8)), persistence: .synchronizable)
    }
    try host.change(.store(credential("a", "1"), for: [space], isDefault: true, over: []), now: 1)
    try host.writeNext(&store, losesReply: false, now: 1)
    try host.change(.store(credential("b", "1"), for: [space], isDefault: true, over: []), now: 2)
    while let outgoing = host.credentials.outgoing {
      host.credentials.noteSent(outgoing)
      _ = store.write(outgoing)
      if outgoing.entry.credential.user == "a" { break }
      try host.change(.acknowledge(outgoing, revision: store.revision), now: 2)
    }
    switch change {
    case "remove": try host.change(.remove([space], user: "a"), now: 3)
    case "default": try host.change(.setDefault(user: "a", in: [space]), now: 3)
    default: try host.change(.store(credential("a", "2"), for: [space], isDefault: false, over: []), now: 3)
    }
    let expected = host.summary
    try host.change(.adopt(store.states), now: 4)
    #expect(host.summary == expected)
    while host.credentials.outgoing != nil { try host.writeNext(&store, losesReply: false, now: 5) }
    var other = FleetModelHost()
    try other.readWhole(store, now: 6)
    #expect(other.summary == expected && host.summary == expected)
  }
}
