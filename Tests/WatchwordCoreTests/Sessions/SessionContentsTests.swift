import Testing
import WatchwordTestSupport
import WatchwordVocabulary

@testable import WatchwordCore

/// What a session has, what the account lends to it, and what other settings leave of it.
struct SessionContentsTests {
  private static func account(_ credentials: Credential...) throws -> PermanentCredentials {
    var permanent = PermanentCredentials()
    for credential in credentials {
      let change = PermanentCredentials.Change.store(
        credential, for: [TaskScene.space()], isDefault: true, over: [])
      _ = permanent.apply(try permanent.plan(change, now: 0))
    }
    return permanent
  }

  @Test func theNextDaemonGetsTheSessionsOwnCredentialsAsTheyWere() throws {
    var scene = SessionScene()
    for (user, isDefault) in [("joe", true), ("ann", false), ("eve", false)] {
      scene.take {
        $0.store(
          TaskScene.password("x", user: user), for: [TaskScene.space()], isDefault: isDefault, owner: nil)
      }
    }
    var next = SessionScene()
    next.state.takeOver(scene.state.contents)
    #expect(next.state.memory.all.map(\.credential.user) == scene.state.memory.all.map(\.credential.user))
    #expect(next.state.memory.all.filter(\.isDefault).map(\.credential.user) == ["joe"])
    #expect(next.state.contents.credentials.allSatisfy { !$0.isFromURL })
  }

  @Test func aCopyOfARecordIsNotTheSessionsOwn() throws {
    var scene = SessionScene()
    scene.state.memory.permanent = try Self.account(TaskScene.password("x", .permanent))
    let task = scene.begin()
    scene.refuse(TaskScene.basic(), task)
    scene.respond(200, to: task)
    #expect(scene.state.memory.all.count == 1 && scene.state.contents.credentials.isEmpty)
  }

  @Test func anAccountWithoutAnythingHasNothingToLend() throws {
    for (hasCredential, hasIdentity) in [(false, false), (true, false), (false, true)] {
      var scene = SessionScene()
      var holdings = VaultHoldings()
      if hasCredential { holdings.credentials = try Self.account(TaskScene.password("x", .permanent)) }
      if hasIdentity {
        let kept = KeptIdentity(
          .of("mine", issuers: []), certificates: "c", privateKey: TaskScene.secret("k"))
        let draft = PermanentIdentities.Draft(
          kept, for: nil, record: UseRecord(limits: CredentialLimits(), created: 0))
        _ = holdings.identities.apply(.add(draft))
      }
      let isLent = scene.state.lend(&holdings)
      #expect(isLent == (hasCredential || hasIdentity))
      #expect((scene.state.memory.permanent.count == 1) == hasCredential)
      scene.state.giveBack(&holdings)
      #expect((holdings.credentials.count == 1) == hasCredential)
    }
  }

  @Test func onlyAnotherNetrcForgetsWhatWasRefused() throws {
    for isOther in [false, true] {
      var configuration = SessionConfiguration()
      configuration.netrc = try Netrc(text: TaskScene.secret("machine a.example login joe password x"))
      var scene = SessionScene(configuration)
      scene.state.memory.netrc.noteRefusal(of: "joe", in: TaskScene.space())
      if isOther {
        configuration.netrc = try Netrc(text: TaskScene.secret("machine a.example login joe password y"))
      }
      scene.take {
        $0.configure(SessionSettings(configuration), userRoots: UserRoots())
      }
      let credential = scene.state.memory.netrc.credential(for: TaskScene.space(), user: nil)
      #expect((credential != nil) == isOther)
    }
  }

  @Test func whatIsRetriedIsOfTheNamedOrigin() throws {
    for (host, count) in [("b.example", 0), ("a.example", 1)] {
      var configuration = SessionConfiguration()
      configuration.netrc = try Netrc(text: TaskScene.secret("machine a.example login joe password x"))
      var scene = SessionScene(configuration)
      scene.state.memory.netrc.noteRefusal(of: "joe", in: TaskScene.space())
      #expect(scene.state.retryRefused(at: TaskScene.url(host: host).origin, through: .none) == count)
    }
  }

  @Test func nothingIsClosedWhenNoDecisionIsRemoved() {
    var scene = SessionScene()
    for (hasDecision, names) in [(false, []), (true, ["close somethingIsGone"])] {
      if hasDecision {
        let trust = TrustScene.trust()
        scene.state.trust.record(TrustDecision(trust, for: TrustScene.origin), about: trust, now: 0)
      }
      var removed = 0
      scene.take { state in
        let (number, effects) = state.removeTrust(identifier: nil, origin: TrustScene.origin)
        removed = number
        return effects
      }
      #expect(removed == names.count && scene.names == names)
    }
  }

  /// A fleet is a setting of the daemon; without one nothing is distributed (storage.md 9.1.1).
  @Test func withoutAFleetNothingIsDistributed() {
    let scene = SessionScene()
    do throws(SessionState.PersistenceFault) {
      _ = try scene.state.place(for: .synchronizable, of: .password, isReply: false)
      Issue.record("it has no place")
    } catch {
      #expect(error == .notDistributed)
    }
  }
}
