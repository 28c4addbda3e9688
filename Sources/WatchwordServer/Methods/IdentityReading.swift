internal import WatchwordJSON
internal import WatchwordCore
internal import WatchwordProtocol
internal import WatchwordReactor
internal import WatchwordTransport
internal import WatchwordVocabulary

/// Reads identities outside the loop: a key may take a second to decrypt, and a token has no time limit.
@ReactorActor
enum IdentityReading {
  /// Passes the identity on, or fails the call with its fault.
  ///
  /// - Parameter then: may throw the error that fails the call.
  static func begin(
    _ new: NewIdentity, on tokens: TokenHost, for call: Call,
    then: @escaping @ReactorActor (ClientIdentity) throws(RPCError) -> Void
  ) throws(RPCError) {
    let peer = call.peer
    guard peer.identitiesInReading < Limits.identitiesInReading else {
      throw RPCError(
        .limitExceeded, "more than \(Limits.identitiesInReading) identities at once",
        details: ["limit": .string("identitiesInReading")])
    }
    let wallClock = Clock.wallSeconds()
    // Nil: the call has ended.
    let finish: @ReactorActor (Result<ClientIdentity, IdentityFault>?) -> Void = { result in
      peer.identitiesInReading -= 1
      guard let result else { return }
      do throws(RPCError) {
        try then(identity(result))
      } catch {
        call.fail(error)
      }
    }
    switch new {
    case .material(let material): read(material, for: call, wallClock: wallClock, then: finish)
    case .token(let key):
      try TokenMethods.open(key, on: tokens, for: call, wallClock: wallClock, then: finish)
    }
    peer.identitiesInReading += 1
  }

  private static func read(
    _ material: IdentityMaterial, for call: Call, wallClock: Double,
    then: @escaping @ReactorActor (Result<ClientIdentity, IdentityFault>?) -> Void
  ) {
    var isCancelled = false
    call.whenStopped { isCancelled = true }
    ComputingLane.submit(for: call.peer.process.uid) {
      Result { () throws(IdentityFault) in try ClientIdentity(material, wallClock: wallClock) }
    } then: { result in
      then(isCancelled ? nil : result)
    }
  }

  private static func identity(
    _ result: Result<ClientIdentity, IdentityFault>
  ) throws(RPCError) -> ClientIdentity {
    do throws(IdentityFault) {
      return try result.get()
    } catch {
      throw unusable(error)
    }
  }

  static func unusable(_ fault: IdentityFault) -> RPCError {
    if fault == .outOfMemory { return RPCError(.internalError, "out of memory") }
    return RPCError(
      .credentialUnusable, "the identity cannot be used: \(fault.text)",
      details: ["reason": .string(fault.rawValue)])
  }
}
