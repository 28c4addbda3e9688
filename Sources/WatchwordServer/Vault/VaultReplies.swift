internal import WatchwordCore

/// Who waits for changes of a vault, by their tickets.
struct VaultReplies {
  typealias Reply<Outcome> = (Result<Outcome, VaultFault>) -> Void

  var credentials: [VaultChange.Ticket: Reply<VaultAnswer.Settled>] = [:]
  var trust: [VaultChange.Ticket: Reply<PermanentTrust.Outcome>] = [:]
  var identities: [VaultChange.Ticket: Reply<PermanentIdentities.Outcome>] = [:]

  /// Takes whoever waits out. What is returned tells them; they may submit further changes.
  mutating func take(_ answer: VaultAnswer) -> () -> Void {
    switch answer {
    case .credentials(let ticket, let result): Self.take(ticket, of: &credentials, result)
    case .trust(let ticket, let result): Self.take(ticket, of: &trust, result)
    case .identities(let ticket, let result): Self.take(ticket, of: &identities, result)
    }
  }

  private static func take<Outcome>(
    _ ticket: VaultChange.Ticket, of waiting: inout [VaultChange.Ticket: Reply<Outcome>],
    _ result: Result<Outcome, VaultFault>
  ) -> () -> Void {
    let reply = waiting.removeValue(forKey: ticket)
    return { reply?(result) }
  }
}
