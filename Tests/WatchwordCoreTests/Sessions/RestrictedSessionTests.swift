import Testing
import WatchwordVocabulary

@testable import WatchwordCore

/// A session with a restricted connection: peer 2 may fetch `/d/*` of one host.
struct RestrictedSessionTests {
  private static let identifier = RestrictionIdentifier(1)

  private static func scene(
    perMinute: Double? = nil, responseBytes: Int64? = nil, expires: Double? = nil,
    _ configuration: SessionConfiguration = SessionConfiguration()
  ) throws -> SessionScene {
    var scene = SessionScene(configuration)
    let path = try #require(PathPattern(TaskScene.url("/d/"), isPrefix: true))
    let rule = RestrictionRule(
      methods: ["GET"], origin: TaskScene.url("/").origin, path: path, responseBytes: responseBytes,
      perMinute: perMinute)
    scene.state.add(Restriction([rule], expires: expires, now: 0), as: identifier)
    scene.take { $0.register(PeerIdentifier(2), interest: nil) }
    scene.take { $0.restrict(PeerIdentifier(2), by: identifier) }
    return scene
  }

  @Test func whatNoRuleAllowsIsNeverSent() throws {
    var scene = try Self.scene()
    _ = scene.begin(of: 2, TaskScene.url("/e"))
    #expect(scene.records.map(\.reason) == [.path])
    #expect(scene.names == ["finish 1 restricted"])
    _ = scene.begin(of: 2, TaskScene.url("/d/x"))
    #expect(scene.names == ["send 2"])
    _ = scene.begin(of: 1, TaskScene.url("/e"))
    #expect(scene.names == ["send 3"])
    #expect(scene.state.restrictions[Self.identifier]?.violations == 1)
  }

  @Test func aRedirectOutOfTheRulesIsNeitherFollowedNorShown() throws {
    for mode in RedirectPolicy.Mode.allCases {
      var configuration = SessionConfiguration()
      configuration.redirects.mode = mode
      var scene = try Self.scene(configuration)
      let task = scene.begin(of: 2, TaskScene.url("/d/x"))
      let head = ResponseHead(status: 302, headers: [HeaderField("Location", "b.example")])
      scene.take { $0.handle(.received(head), of: task) }
      #expect(scene.records.map(\.reason) == [.origin])
      #expect(scene.names == ["body 1 discard", "finish 1 restricted"])
    }
  }

  @Test func itsChallengesGoToOthersAndItCannotReply() throws {
    var scene = try Self.scene()
    scene.delegate(1)
    // What it says it takes does not count.
    scene.delegate(2)
    let task = scene.begin(of: 2, TaskScene.url("/d/x"))
    scene.refuse(TaskScene.basic(), task)
    #expect(scene.notices == ["c1 to 1"])
    let challenge = try #require(scene.state.board.challenge("c1"))
    #expect(!scene.state.board.isEntitled(PeerIdentifier(2), to: challenge))
    do throws(ChallengeBoard.ReplyFault) {
      try scene.reply("c1", by: 2, .cancelAuthenticationChallenge)
      Issue.record("it may answer its own question")
    } catch {
      #expect(error == .notPending)
    }
  }

  @Test func aRepetitionForACredentialIsTheSameRequest() throws {
    var scene = try Self.scene(perMinute: 1)
    scene.delegate(1)
    let task = scene.begin(of: 2, TaskScene.url("/d/x"))
    scene.refuse(TaskScene.basic(), task)
    try scene.reply("c1", by: 1, .useCredential, TaskScene.password("p"))
    #expect(scene.names.contains("send 1"))
    #expect(scene.state.restrictions[Self.identifier]?.uses == 1)
    _ = scene.begin(of: 2, TaskScene.url("/d/x"))
    #expect(scene.records.map(\.reason) == [.rate])
    #expect(scene.names == ["finish 2 restricted"])
  }

  @Test func changesOfCredentialsAreNotAnnouncedToIt() throws {
    var scene = try Self.scene()
    scene.take { $0.register(PeerIdentifier(1), interest: nil) }
    scene.take {
      $0.store(TaskScene.password("p"), for: [TaskScene.space()], isDefault: true, owner: nil)
    }
    var told: [PeerIdentifier] = []
    for case .announce(_, _, let peers) in scene.effects { told += peers }
    #expect(told == [PeerIdentifier(1)])
  }

  @Test func itsTasksEndWhenItIsRestrictedAndWhenItExpires() throws {
    var scene = try Self.scene(expires: 10)
    let old = scene.begin(of: 3, TaskScene.url("/e"))
    scene.take { $0.restrict(PeerIdentifier(3), by: Self.identifier) }
    #expect(scene.names == ["stop 1 cancelled"])
    #expect(old.restriction == nil)
    _ = scene.begin(of: 3, TaskScene.url("/d/x"))
    scene.now = 10
    scene.take { $0.expire(Self.identifier) }
    #expect(scene.records.map(\.reason) == [.expired])
    #expect(scene.names == ["stop 2 restricted"])
    _ = scene.begin(of: 3, TaskScene.url("/d/x"))
    #expect(scene.records.map(\.reason) == [.expired])
    #expect(scene.names == ["finish 3 restricted"])
  }

  @Test func theResultIsBounded() throws {
    var scene = try Self.scene(responseBytes: 5)
    let task = scene.begin(of: 2, TaskScene.url("/d/x"))
    #expect(task.failure(delivering: 5) == nil)
    #expect(
      task.failure(delivering: 6) == .restricted(RestrictionFault(.responseBytes, to: TaskScene.origin)))
  }
}
