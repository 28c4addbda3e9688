import WatchwordVocabulary

@testable import WatchwordCore

/// A vault with its queue. Changes have short names:
/// - `a`, `a=2`: a credential for the host a is stored, another one; `-a`: those of the host are removed;
/// - `t1`: a decision about the host 1 is recorded, `-t`: all are removed;
/// - `i1`: the identity 1 is added, `-i`: all are removed;
/// - `ma+t1+i1`: an import has a credential, a decision and an identity.
struct VaultScene {
  var queue = VaultQueue()
  var holdings = VaultHoldings()
  /// Those that are not answered yet.
  private(set) var names: [VaultChange.Ticket: String] = [:]

  mutating func submit(_ names: String, isPutOff: Bool = false) {
    for name in names.split(separator: " ").map(String.init) {
      self.names[queue.append(Self.change(name), isPutOff: isPutOff)] = name
    }
  }

  mutating func plan() -> VaultTransaction { VaultTransaction(of: &queue, in: &holdings, now: 0) }

  /// Plans one transaction and writes it at once.
  mutating func write() -> String {
    let transaction = plan()
    return finish(transaction)
  }

  /// One line: what found no room, what is written, and who is told. `*` stands for the sessions.
  mutating func finish(_ transaction: VaultTransaction) -> String {
    let refused = transaction.refusals.map { "!" + text($0) }
    let told = transaction.count(in: &holdings).map { effect in
      switch effect {
      case .answer(let answer): text(answer)
      case .change: "*"
      }
    }
    return (refused + [Self.text(transaction.written)] + told).joined(separator: " ")
  }

  /// Plans one transaction that is not written.
  mutating func fail() -> String {
    let transaction = plan()
    return text(transaction.refusals + transaction.fail(.unavailable("failed")))
  }

  mutating func writeAll() -> [String] {
    var lines: [String] = []
    while !queue.isEmpty { lines.append(write()) }
    return lines
  }

  // MARK: Texts

  mutating func text(_ answers: [VaultAnswer]) -> String {
    answers.map { text($0) }.joined(separator: " ")
  }

  private mutating func text(_ answer: VaultAnswer) -> String {
    switch answer {
    case .credentials(let ticket, let result): text(ticket, result, isFull: false)
    case .trust(let ticket, let result): text(ticket, result, isFull: (try? result.get()) == .full)
    case .identities(let ticket, let result): text(ticket, result, isFull: (try? result.get()) == .full)
    }
  }

  private mutating func text<Outcome>(
    _ ticket: VaultChange.Ticket, _ result: Result<Outcome, VaultFault>, isFull: Bool
  ) -> String {
    let name = names.removeValue(forKey: ticket) ?? "nobody"
    return switch result {
    case .success: isFull ? "\(name):full" : name
    case .failure(let fault): "\(name):\(Self.noRoom[fault.text] ?? fault.text)"
    }
  }

  private static let noRoom = [
    VaultFault.noRoomForTrust.text: "trust", VaultFault.noRoomForIdentities.text: "identities",
    VaultFault.noRoomForCredentials.text: "credentials",
  ]

  /// How many records of credentials, decisions and identities are written and removed.
  private static func text(_ written: VaultTransaction.Written) -> String {
    var parts = ["c\(written.credentials.count)-\(written.removedCredentials.count)"]
    if let trust = written.trust?.difference {
      parts.append("t\(trust.written.count)-\(trust.removed.count)")
    }
    if let identities = written.identities?.difference {
      parts.append("i\(identities.written.count)-\(identities.removed.count)")
    }
    return written.isEmpty ? "[]" : "[\(parts.joined(separator: " "))]"
  }

  // MARK: Changes

  private static func change(_ name: String) -> VaultChange {
    let host = String(name.dropFirst())
    switch name.first {
    case "m": return imported(host.split(separator: "+").map(String.init))
    case "t": return .trust(.record(decision(host), about: subject, created: 1))
    case "i": return .identities(.add(draft(host)))
    case "-" where host == "t": return .trust(.remove(number: nil, origin: nil))
    case "-" where host == "i": return .identities(.remove(identifier: nil))
    case "-": return .credentials(.remove([space(host)], user: nil), merging: VaultChange.Merged())
    case _: return stored(name.split(separator: "=").map(String.init))
    }
  }

  private static func stored(_ words: [String]) -> VaultChange {
    let credential = credential(words.count > 1 ? words[1] : "1")
    let change = PermanentCredentials.Change.store(
      credential, for: [space(words[0])], isDefault: true, over: [])
    return .credentials(change, merging: VaultChange.Merged())
  }

  private static func imported(_ names: [String]) -> VaultChange {
    var merged = VaultChange.Merged()
    var credentials: [ImportedCredential] = []
    for name in names {
      switch name.first {
      case "t": merged.decisions.append(entry(1, String(name.dropFirst())))
      case "i": merged.identities.append(draft(String(name.dropFirst())))
      case _: credentials.append(imported(name))
      }
    }
    return .credentials(.merge(credentials), merging: merged)
  }

  private static func imported(_ host: String) -> ImportedCredential {
    ImportedCredential(
      space: space(host), credential: credential(), isDefault: true, record: UseRecord(created: 0))
  }

  private static func credential(_ password: String = "1") -> Credential {
    Credential(.password(user: "joe", password: Secret(password.utf8)), persistence: .permanent)
  }

  private static let subject = PermanentTrust.Subject(TrustScene.trust())

  private static func origin(_ host: String) -> Origin { Origin(scheme: .https, host: host, port: 443) }

  private static func space(_ host: String) -> ProtectionSpace {
    ProtectionSpace(origin: origin(host), realm: "r", authenticationMethod: .basic)
  }

  private static func decision(_ host: String) -> TrustDecision {
    TrustDecision(TrustScene.trust(), for: origin(host), scope: .certificate)
  }

  private static func draft(_ name: String) -> PermanentIdentities.Draft {
    PermanentIdentities.Draft(kept(name), for: nil, record: UseRecord(created: 0))
  }

  private static func kept(_ name: String) -> KeptIdentity {
    KeptIdentity(Identity.of(name, issuers: ["I"]), certificates: "c", privateKey: Secret("k".utf8))
  }

  private static func entry(_ number: UInt64, _ host: String) -> PermanentTrust.StoredDecision {
    PermanentTrust.StoredDecision(number: number, decision(host), about: subject, created: 1)
  }

  // MARK: What is there

  /// A vault with so many records of each kind, for hosts and with names `h0`, `h1` and so on.
  init(credentials: Int = 0, decisions: Int = 0, identities: Int = 0) {
    let trust = PermanentTrust(
      (0..<decisions).map { Self.entry(UInt64($0 + 1), "h\($0)") }, lastNumber: UInt64(decisions))
    holdings = VaultHoldings(
      credentials: (0..<credentials).map { Self.entry(of: "h\($0)", UInt64($0 + 1)) },
      trust: trust ?? PermanentTrust(),
      identities: (0..<identities).map {
        PermanentIdentities.StoredIdentity(
          number: UInt64($0 + 1), Self.kept("h\($0)"), for: nil, record: UseRecord(created: 0))
      })
  }

  private static func entry(of host: String, _ number: UInt64) -> CachedCredential {
    CachedCredential(
      generation: number, space: space(host), credential: credential(), isDefault: true,
      record: UseRecord(created: 0), owner: nil, wasGivenForSpace: false)
  }
}
