import Testing
import WatchwordVocabulary

@testable import WatchwordCore

/// A source is read before a delegate is asked (storage.md 9.7.3).
struct SourcesBeforeDelegates {
  private static let source = CredentialSource(name: "pages", limits: CredentialLimits())

  private static func credential(_ password: String) -> Credential {
    Credential(BoardScene.password(password).kind, source: source)
  }

  /// A scene whose space is bound to a source.
  private static func scene() -> BoardScene {
    let scene = BoardScene()
    scene.board.sources.note(credential("old"), in: BoardScene.space("r"), owner: nil, wallClock: 0)
    return scene
  }

  @Test func oneReadingServesEveryWaitingTask() {
    var scene = Self.scene()
    scene.ask(10, of: 1)
    scene.ask(11, of: 2)
    #expect(scene.readings.map(\.name) == ["pages"])
    #expect(scene.resumed.isEmpty)
    scene.sourceGives(Self.credential("new"))
    // One tries, and the other waits.
    #expect(scene.resumed == [10: .tryCredential(Self.credential("new"))])
    scene.accepted(10)
    #expect(scene.resumed[11] == .useStored)
    #expect(scene.notices.isEmpty)
  }

  @Test func theDelegateIsAskedWhenTheSourceGivesNothing() {
    var scene = Self.scene()
    scene.delegate(1, tasks: [.basic])
    scene.ask(10, of: 1)
    #expect(scene.notices.isEmpty)
    scene.sourceGives(nil)
    #expect(scene.notices.map(\.peer) == [1])
    #expect(scene.readings.count == 1)
  }

  @Test func aSourceThatFailsWithoutADelegateIsWhatTheTasksFailWith() {
    var scene = Self.scene()
    scene.ask(10, of: 1)
    scene.sourceFails(SourceFailure("pages", .unreachable))
    #expect(scene.resumed[10] == .sourceFailed(SourceFailure("pages", .unreachable)))
    #expect(scene.board.waitingCount == 0)
  }

  @Test func theDelegateHearsWhyTheSourceFailed() {
    var scene = Self.scene()
    scene.delegate(1, tasks: [.basic])
    scene.ask(10, of: 1)
    scene.sourceFails(SourceFailure("pages", .unreachable))
    #expect(scene.notices.map(\.peer) == [1])
    #expect(scene.board.pending.first?.sourceFailure == SourceFailure("pages", .unreachable))
  }

  @Test func aRefusedCredentialIsNotTriedAgain() {
    var scene = Self.scene()
    scene.ask(10, of: 1)
    scene.sourceGives(Self.credential("new"))
    scene.ask(10, of: 1, refused: Self.credential("new"))
    #expect(scene.readings.count == 2)
    scene.sourceGives(Self.credential("new"))
    #expect(scene.resumed[10] == .nextOffer(confirms: false))
  }

  @Test func aReadingThatComesTooLateChangesNothing() {
    var scene = Self.scene()
    scene.ask(10, of: 1)
    scene.leave(10)
    scene.sourceGives(Self.credential("new"))
    #expect(scene.resumed.isEmpty)
    #expect(scene.board.waitingCount == 0)
  }

  // MARK: A source that needs a person (methods.md 9.10.7)

  private static func prompting() -> BoardScene {
    var scene = scene()
    scene.delegate(1, session: [.basic])
    scene.ask(10, of: 1)
    scene.ask(11, of: 2)
    scene.sourcePrompts("A")
    return scene
  }

  @Test func aCodeIsShownToOneDelegateAndSettlesItself() {
    var scene = Self.prompting()
    #expect(scene.notices.map(\.peer) == [1])
    #expect(scene.board.pending.first?.prompt?.code.userCode == "A")
    scene.sourceGives(Self.credential("new"))
    #expect(scene.settled.map(\.outcome) == [.withdrawn])
    #expect(scene.resumed[10] == .tryCredential(Self.credential("new")))
    #expect(scene.stopped.isEmpty)
  }

  @Test func anotherCodeIsAnotherChallengeWithTheSameDeadline() {
    var scene = Self.prompting()
    let (first, deadline) = (scene.current, scene.board.pending.first?.deadline)
    scene.now += 10
    scene.sourcePrompts("B")
    #expect(scene.settled.map(\.challenge) == [first])
    #expect(scene.notices.map(\.peer) == [1, 1])
    #expect(scene.current != first)
    #expect(scene.board.pending.first?.deadline == deadline)
    #expect(scene.stopped.isEmpty)
    scene.sourceGives(Self.credential("new"))
    #expect(scene.resumed[10] == .tryCredential(Self.credential("new")))
  }

  @Test func aFailureAfterACodeAsksWithoutReadingAgain() {
    var scene = Self.prompting()
    let first = scene.current
    scene.sourceFails(SourceFailure("pages", .accessDenied))
    #expect(scene.settled.map(\.challenge) == [first])
    #expect(scene.current != first)
    #expect(scene.board.pending.first?.prompt == nil)
    #expect(scene.board.pending.first?.sourceFailure == SourceFailure("pages", .accessDenied))
    #expect(scene.readings.count == 1)
  }

  @Test func theLastTaskThatLeavesStopsTheReading() {
    var scene = Self.prompting()
    scene.leave(10)
    #expect(scene.stopped.isEmpty)
    scene.leave(11)
    #expect(scene.stopped == [scene.readings[0].challenge])
    #expect(scene.settled.map(\.outcome) == [.withdrawn])
    scene.sourceGives(Self.credential("late"))
    #expect(scene.board.waitingCount == 0)
  }

  @Test func aReplyStopsTheReading() throws {
    var scene = Self.prompting()
    try scene.reply(1, .useCredential, BoardScene.password("own"))
    #expect(scene.stopped == [scene.readings[0].challenge])
    #expect(scene.resumed[10] == .tryCredential(BoardScene.password("own")))
  }

  @Test func theDeadlineStopsTheReading() {
    var scene = Self.prompting()
    scene.tick(after: scene.board.settings.deadlineSeconds)
    #expect(scene.stopped.count == 1)
    #expect(scene.resumed[10] == .cancel)
  }

  @Test func withoutADelegateThatShowsItACodeIsOfNoUse() {
    var scene = Self.prompting()
    scene.disconnect(1)
    #expect(scene.stopped.count == 1)
    #expect(scene.resumed[11] == .sourceFailed(SourceFailure("pages", .promptNeeded)))
  }

  @Test func aBindingThatEndsStopsTheReadingAndADelegateIsAsked() {
    var scene = Self.prompting()
    let first = scene.current
    scene.unbind()
    #expect(scene.stopped.count == 1)
    #expect(scene.settled.map(\.challenge) == [first])
    #expect(scene.current != first)
    #expect(scene.board.pending.first?.prompt == nil)
  }

  @Test func theLockStopsTheReading() {
    let scene = Self.prompting()
    let effects = scene.board.lock().effects
    #expect(effects.first == .stopReading(challenge: scene.readings[0].challenge))
  }

  @Test func aCredentialThatWasGivenItselfEndsTheBinding() {
    var bindings = SourceBindings()
    let space = BoardScene.space("r")
    bindings.note(Self.credential("a"), in: space, owner: nil, wallClock: 0)
    #expect(bindings.binding(of: space)?.name == "pages")
    bindings.note(BoardScene.password("b"), in: space, owner: nil, wallClock: 0)
    #expect(bindings.binding(of: space) == nil)
  }

  @Test func aCredentialIsRenewedOnceAheadOfItsEnd() {
    var limits = CredentialLimits()
    limits.notAfter = 1_000
    let space = BoardScene.space("r")
    var bindings = SourceBindings()
    bindings.note(
      Credential(.token(Secret([1])), limits: limits, source: Self.source), in: space, owner: nil,
      wallClock: 0)
    #expect(bindings.takeDue(at: space.origin, wallClock: 939).isEmpty)
    let elsewhere = Origin(scheme: .https, host: "b.example", port: 443)
    #expect(bindings.takeDue(at: elsewhere, wallClock: 940).isEmpty)
    #expect(bindings.takeDue(at: space.origin, wallClock: 940).map(\.binding.name) == ["pages"])
    #expect(bindings.takeDue(at: space.origin, wallClock: 999).isEmpty)
  }

  @Test func theNumberOfBindingsIsBounded() {
    var bindings = SourceBindings()
    for number in 0...SourceBindings.capacity {
      bindings.note(Self.credential("a"), in: BoardScene.space("\(number)"), owner: nil, wallClock: 0)
    }
    #expect(bindings.binding(of: BoardScene.space("0")) != nil)
    #expect(bindings.binding(of: BoardScene.space("\(SourceBindings.capacity)")) == nil)
  }
}
