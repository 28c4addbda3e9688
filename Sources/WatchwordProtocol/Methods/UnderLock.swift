/// What becomes of a method while the agent is locked.
package enum UnderLock: Sendable, Equatable {
  case works
  /// The error `agentLocked`.
  case fails
  /// A result whose only member is this empty list: as ssh-agent, the agent seems to have nothing.
  case listsNothing(StaticString)

  package static func == (left: UnderLock, right: UnderLock) -> Bool {
    switch (left, right) {
    case (.works, .works), (.fails, .fails): true
    case (.listsNothing(let name), .listsNothing(let other)): "\(name)" == "\(other)"
    case (.works, _), (.fails, _), (.listsNothing, _): false
    }
  }
}
