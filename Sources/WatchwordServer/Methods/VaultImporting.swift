internal import Glibc
internal import WatchwordCore
internal import WatchwordJSON
internal import WatchwordMessages
internal import WatchwordProtocol
internal import WatchwordReactor
internal import WatchwordSecret
internal import WatchwordVault
internal import WatchwordVocabulary

/// Reads an export from a caller's descriptor and merges it into the account's vault: all of it, or nothing.
@ReactorActor
final class VaultImporting {
  private static let path = "params.descriptor"
  /// A person at the other end of a pipe may have to type a passphrase first.
  private static let seconds: Double = 300

  private let call: Call
  private let account: VaultAccount
  private let passphrase: Secret
  private let charge: MemoryCharge
  private let narrowed: () -> Void
  private var isStopped = false

  private init(
    _ call: Call, _ account: VaultAccount, _ passphrase: Secret, _ charge: MemoryCharge,
    narrowed: @escaping () -> Void
  ) {
    self.narrowed = narrowed
    self.call = call
    self.account = account
    self.passphrase = passphrase
    self.charge = charge
  }

  /// What a file holds.
  private struct Contents: Sendable {
    let credentials: [ImportedCredential]
    let decisions: [PermanentTrust.Entry]
    let identities: IdentityRecords
  }

  /// - Parameter narrowed: called when a decision excuses less than before.
  static func begin(
    _ parameters: VaultTransferParameters, into account: VaultAccount, within budget: MemoryBudget,
    _ call: Call, narrowed: @escaping () -> Void
  ) throws(RPCError) {
    let descriptor = try CallerDescriptor.take(
      parameters.descriptor, of: call, path: path, for: .reading)
    let charge = MemoryCharge(budget, uid: call.peer.process.uid)
    let importing = VaultImporting(call, account, parameters.passphrase, charge, narrowed: narrowed)
    let input = CollectingInput(descriptor, maximumBytes: VaultExport.maximumBytes, charge: charge)
    call.whenStopped {
      importing.isStopped = true
      input.abandon()
    }
    input.collect(withinSeconds: seconds) { importing.open($0) }
  }

  private func open(_ collected: Result<[UInt8], CollectingInput.Fault>) {
    guard !isStopped else { return }
    let file: [UInt8]
    switch collected {
    case .success(let bytes): file = bytes
    case .failure(let fault): return call.fail(RPCError(fault, at: VaultImporting.path))
    }
    // The records beside the file that they are in.
    guard charge.grow(by: file.count * 3) else { return call.fail(.overBudget) }
    do throws(RPCError) {
      try account.transfer { [passphrase, clocks = account.clocks] in
        Result { () throws(VaultExport.Fault) in
          let records = try VaultExport.open(file, with: passphrase)
          let credentials = try VaultExport.credentials(in: records, clocks)
          guard credentials.allSatisfy(VaultImporting.hasSoundHost) else { throw .unusable }
          return Contents(
            credentials: credentials, decisions: try VaultImporting.decisions(in: records),
            identities: try IdentityRecords(all: records, clocks))
        }
      } then: { [self] result in
        switch result {
        case .success(let contents): merge(contents)
        case .failure(let fault): call.fail(RPCError(fault, at: VaultImporting.path))
        }
      }
    } catch {
      call.fail(error)
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
  ) throws(VaultExport.Fault) -> [PermanentTrust.Entry] {
    var decisions: [PermanentTrust.Entry] = []
    for record in records where record.kind == .trust {
      guard let entry = TrustRecord.entry(of: record) else { throw .newerVersion }
      decisions.append(entry)
    }
    return decisions
  }

  private func merge(_ contents: Contents) {
    guard !isStopped else { return }
    let usable = ImportedCredential.usable(
      contents.credentials, now: EventLoop.shared.now, wallClock: Clock.wallSeconds())
    let merged = VaultQueue.Merged(
      decisions: contents.decisions,
      identities: contents.identities.usable(now: EventLoop.shared.now, wallClock: Clock.wallSeconds()))
    account.prepare { [self] result in
      guard !isStopped else { return }
      if case .failure(let fault) = result { return call.fail(RPCError(fault)) }
      // From here on it happens, or fails, as a whole.
      (call.onCancel, call.onAbandon) = (nil, nil)
      account.submit(.merge(usable), merging: merged) { [self] result in
        charge.giveBack()
        switch result {
        case .failure(let fault): call.fail(RPCError(fault))
        case .success(let settled):
          if settled.merging.endsConnections { narrowed() }
          account.takeOver(settled.identities, with: contents.identities.keys)
          let changes = settled.alteration.changes
          let added =
            changes.count { $0.change == .added } + settled.merging.added + settled.identities.added
          let replaced =
            changes.count { $0.change == .replaced } + settled.merging.replaced + settled.identities.replaced
          let count =
            contents.credentials.count + contents.decisions.count + contents.identities.entries.count
          // Those that are over, and those in whose place the vault has a newer one or the same, are skipped.
          call.succeed(
            Sent.ImportReport(added: added, replaced: replaced, skipped: count - added - replaced))
        }
      }
    }
  }
}

extension RPCError {
  /// - Parameter path: of the parameter that names the descriptor.
  init(_ fault: VaultExport.Fault, at path: String) {
    switch fault {
    case .wrongPassphrase:
      self = .credentialUnusable("the file \(fault.text)", reason: fault)
    case .noResources: self = .storageUnavailable("the file \(fault.text)")
    case .notAnExport, .newerVersion, .truncated, .altered, .tooLarge, .tooCostly, .unusable:
      self = .descriptorUnusable("\(path): \(fault.text)", path: path, reason: fault.rawValue)
    }
  }

  fileprivate init(_ fault: CollectingInput.Fault, at path: String) {
    switch fault {
    case .unreadable(let error): self.init(descriptor: path, String(cString: strerror(error)).lowercased())
    case .tooLarge: self.init(VaultExport.Fault.tooLarge, at: path)
    case .overBudget: self = .overBudget
    case .timedOut: self.init(descriptor: path, "has not ended within 300 seconds")
    }
  }
}
