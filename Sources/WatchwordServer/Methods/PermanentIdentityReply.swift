internal import WatchwordCore
internal import WatchwordJSON
internal import WatchwordProtocol
internal import WatchwordReactor
internal import WatchwordTransport
internal import WatchwordVocabulary

/// A reply to a challenge with a permanent identity: written to the disk first, then accepted.
@ReactorActor
enum PermanentIdentityReply {
  /// The challenge stays pending until the identity is on the disk. If the write fails, or the challenge has ended
  /// before, the reply is refused and nothing has changed.
  ///
  /// - Parameter record: its limits and uses.
  static func begin(
    _ key: ClientIdentity, _ record: UseRecord, for origin: Origin, in session: Session, _ call: Call,
    then: @escaping @ReactorActor (Identity) throws(RPCError) -> Void
  ) throws(RPCError) {
    let draft = PermanentIdentities.Draft(try kept(key, in: session), for: origin, record: record)
    let charge = try charge(for: draft, in: session)
    var isCancelled = false
    call.whenStopped { isCancelled = true }
    session.account?.add(draft, with: key) { result in
      charge.giveBack()
      switch result {
      case .failure(let fault):
        call.fail(RPCError(fault))
        return false
      case .success where isCancelled: return false
      case .success:
        do throws(RPCError) {
          try then(key.identity)
          return true
        } catch {
          call.fail(error)
          return false
        }
      }
    }
  }

  /// What it takes until it is on the disk, if there may be so much.
  static func charge(
    for draft: PermanentIdentities.Draft, in session: Session
  ) throws(RPCError) -> MemoryCharge {
    let charge = session.charge.another()
    guard charge.grow(by: draft.heldBytes) else { throw .overBudget }
    return charge
  }

  /// What is kept of an identity.
  static func kept(_ read: ClientIdentity, in session: Session) throws(RPCError) -> KeptIdentity {
    guard read.identity.token == nil else {
      throw RPCError(.memoryOnly(.tokenIdentity), at: "params", in: session.name)
    }
    guard let kept = read.kept() else { throw IdentityReading.unusable(.outOfMemory) }
    guard !kept.isTooLarge else { throw IdentityReading.unusable(.tooLarge) }
    return kept
  }
}
