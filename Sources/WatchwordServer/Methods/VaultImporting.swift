internal import Glibc
internal import WatchwordCore
internal import WatchwordJSON
internal import WatchwordMessages
internal import WatchwordProtocol
internal import WatchwordReactor
internal import WatchwordVault
internal import WatchwordVocabulary

/// Reads an export from a caller's descriptor and merges it into the account's vault: all of it, or nothing.
@ReactorActor
enum VaultImporting {
  private static let path = "params.descriptor"
  /// A person at the other end of a pipe may have to type a passphrase first.
  private static let seconds: Double = 300

  /// What a file holds.
  private struct Contents: Sendable {
    let credentials: [ImportedCredential]
    let decisions: [PermanentTrust.StoredDecision]
    let identities: IdentityRecords

    /// Those that are over, and those in whose place the vault has a newer one or the same, are skipped.
    func report(of settled: VaultAnswer.Settled) -> Sent.ImportReport {
      let changes = settled.alteration.changes
      let added =
        changes.count { $0.change == .added } + settled.trust.added + settled.identities.added
      let replaced =
        changes.count { $0.change == .replaced } + settled.trust.replaced + settled.identities.replaced
      let count = credentials.count + decisions.count + identities.entries.count
      return Sent.ImportReport(added: added, replaced: replaced, skipped: count - added - replaced)
    }
  }

  /// - Parameter narrowed: called when a decision excuses less than before.
  static func merge(
    _ parameters: VaultTransferParameters, into account: VaultAccount, within budget: MemoryBudget,
    for call: Call, narrowed: @escaping @ReactorActor () -> Void
  ) async throws(RPCError) {
    let charge = MemoryCharge(budget, uid: call.peer.process.uid)
    let file = try await file(parameters.descriptor, charge, for: call)
    // The records beside the file that they are in.
    guard charge.grow(by: file.count * 3) else { throw .overBudget }
    let contents = try await contents(of: file, parameters.passphrase, for: account, charge, call)
    let usable = ImportedCredential.usable(
      contents.credentials, now: EventLoop.shared.now, wallClock: Clock.wallSeconds())
    let merged = VaultChange.Merged(
      decisions: contents.decisions,
      identities: contents.identities.usable(now: EventLoop.shared.now, wallClock: Clock.wallSeconds()))
    try await account.keep(.merge(usable), merging: merged, for: call) { settled in
      if settled.trust.endsConnections { narrowed() }
      charge.giveBack()
      account.takeOver(settled.identities, with: contents.identities.keys)
      call.succeed(contents.report(of: settled))
    }
  }

  private static func file(
    _ descriptor: Int, _ charge: MemoryCharge, for call: Call
  ) async throws(RPCError) -> [UInt8] {
    let descriptor = try CallerDescriptor.claim(descriptor, of: call, path: path, for: .reading)
    let input = CollectingInput(descriptor, maximumBytes: VaultExport.maximumBytes, charge: charge)
    let collected = try await call.wait { end in
      input.collect(withinSeconds: seconds, end)
      return input.abandon
    }
    switch collected {
    case .success(let file): return file
    case .failure(let fault): throw RPCError(fault, at: path)
    }
  }

  private static func contents(
    of file: [UInt8], _ passphrase: Secret, for account: VaultAccount, _ charge: MemoryCharge, _ call: Call
  ) async throws(RPCError) -> Contents {
    let opened = try await call.wait { end throws(RPCError) in
      try account.transfer { [clocks = account.clocks] in
        Result { () throws(VaultExport.ExportFault) in
          let records = try VaultExport.open(file, with: passphrase)
          let credentials = try VaultExport.credentials(in: records, clocks)
          guard credentials.allSatisfy(VaultImporting.hasSoundHost) else { throw .unusable }
          return Contents(
            credentials: credentials, decisions: try VaultImporting.decisions(in: records),
            identities: try IdentityRecords(all: records, clocks))
        }
      } then: {
        end($0)
        // Charged until here, also when the call was cancelled meanwhile.
        withExtendedLifetime(charge) {}
      }
    }
    switch opened {
    case .success(let contents): return contents
    case .failure(let fault): throw RPCError(fault, at: path)
    }
  }

  /// Spaces are in the form that `credential/set` gives them.
  private nonisolated static func hasSoundHost(_ credential: ImportedCredential) -> Bool {
    do throws(RPCError) {
      return try URLParameter.canonical([credential.space]) == [credential.space]
    } catch {
      return false
    }
  }

  private nonisolated static func decisions(
    in records: [VaultRecord]
  ) throws(VaultExport.ExportFault) -> [PermanentTrust.StoredDecision] {
    var decisions: [PermanentTrust.StoredDecision] = []
    for record in records where record.kind == .trust {
      guard let entry = TrustRecord.entry(of: record) else { throw .newerVersion }
      decisions.append(entry)
    }
    return decisions
  }
}

extension RPCError {
  /// - Parameter path: of the parameter that names the descriptor.
  init(_ fault: VaultExport.ExportFault, at path: String) {
    switch fault {
    case .wrongPassphrase:
      self = .credentialUnusable("the file \(fault.text)", reason: fault)
    case .noResources: self = .storageUnavailable("the file \(fault.text)")
    case .notAnExport, .newerVersion, .truncated, .altered, .tooLarge, .tooCostly, .unusable:
      self = .descriptorUnusable("\(path): \(fault.text)", path: path, reason: fault.rawValue)
    }
  }

  fileprivate init(_ fault: CollectingInput.InputFault, at path: String) {
    switch fault {
    case .unreadable(let error): self.init(descriptor: path, String(cString: strerror(error)).lowercased())
    case .tooLarge: self.init(VaultExport.ExportFault.tooLarge, at: path)
    case .overBudget: self = .overBudget
    case .timedOut: self.init(descriptor: path, "has not ended within 300 seconds")
    }
  }
}
