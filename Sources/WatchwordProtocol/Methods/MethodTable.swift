package import WatchwordJSON

/// The parameters of a method: read from a peer's object, or from none.
package protocol MethodParameters: Sendable, SendableMetatype {
  init(_ reader: inout ParameterReader) throws(RPCError)
}

extension MethodParameters {
  package init(_ object: JSONNode?) throws(RPCError) {
    self = try ParameterReader.decode(object) { reader throws(RPCError) in try Self(&reader) }
  }
}

/// The parameters of a method that takes none.
package struct NoParameters: MethodParameters {
  package init(_ reader: inout ParameterReader) throws(RPCError) {}
}

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
