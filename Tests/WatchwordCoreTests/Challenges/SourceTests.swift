import Testing
import WatchwordSecret
import WatchwordVocabulary

@testable import WatchwordCore

/// A source is read before a delegate is asked (challenges.md 9.7.3).
struct SourcesBeforeDelegates {
  private static let source = CredentialSource(name: "pages", limits: CredentialLimits())

  private static func credential(_ password: String) -> Credential {
    Credential(BoardScene.password(password).kind, source: source)
  }

  /// A scene whose space is bound to a source.
  private static func scene() -> BoardScene {
    var scene = BoardScene()
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
