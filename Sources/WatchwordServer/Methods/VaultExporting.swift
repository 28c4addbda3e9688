internal import Glibc
internal import WatchwordCore
internal import WatchwordJSON
internal import WatchwordMessages
internal import WatchwordProtocol
internal import WatchwordReactor
internal import WatchwordSecret
internal import WatchwordVault
internal import WatchwordVocabulary

/// Seals the permanent credentials, decisions and identities of an account and writes them to a caller's descriptor, all of it off the loop.
@ReactorActor
final class VaultExporting {
  private static let chunk = 1024 * 1024
  /// A reader of a pipe that takes longer than this gets no more.
  private static let seconds: Double = 300

  private let call: Call
  private let output: DescriptorOutput
  private let charge: MemoryCharge
  private var file: [UInt8] = []
  private var sent = 0
  private var timer: LoopTimer?
  private var counts = (credentials: 0, trust: 0, identities: 0)
  private var isStopped = false

  private init(_ call: Call, _ output: DescriptorOutput, _ charge: MemoryCharge) {
    self.call = call
    self.output = output
    self.charge = charge
  }

  static func begin(
    _ parameters: VaultTransferParameters, of account: VaultAccount, within budget: MemoryBudget,
    _ call: Call
  ) throws(RPCError) {
    let descriptor = try CallerDescriptor.take(
      parameters.descriptor, of: call, path: "params.descriptor", for: .writing)
    let contents = try account.exportable()
    let recordCount = contents.credentials.count + contents.trust.count + contents.identities.count
    let charge = MemoryCharge(budget, uid: call.peer.process.uid)
    // The records and their sealed copy.
    guard charge.grow(by: account.byteCount * 4 + recordCount * 1024) else { throw .overBudget }
    let exporting = VaultExporting(call, DescriptorOutput(descriptor, charge: charge.another()), charge)
    exporting.counts = (contents.credentials.count, contents.trust.count, contents.identities.count)
    call.whenStopped { exporting.stop() }
    try account.transfer { [clocks = account.clocks, passphrase = parameters.passphrase] in
      Result { () throws(VaultExport.Fault) in
        try VaultExport.seal(contents.exported(clocks), under: passphrase)
      }
    } then: { result in
      switch result {
      case .success(let file): exporting.write(file)
      case .failure(let fault): exporting.fail(RPCError(fault, at: "params.descriptor"))
      }
    }
  }

  private func write(_ sealed: [UInt8]) {
    guard !isStopped else { return }
    file = sealed
    timer = EventLoop.shared.schedule(after: VaultExporting.seconds) { [self] in
      fail(.outputFailed(ETIMEDOUT))
    }
    output.onDrained = { [self] in writeOn() }
    writeOn()
  }

  private func writeOn() {
    while sent < file.count {
      let end = min(sent + VaultExporting.chunk, file.count)
      let answer = file.withUnsafeBytes {
        output.write(UnsafeRawBufferPointer(rebasing: $0[sent..<end]), mayWait: true)
      }
      switch answer {
      case .taken: sent = end
      case .full: return
      case .failed(let fault): return fail(RPCError(fault))
      }
    }
    output.onDrained = nil
    output.finish { [self] result in
      switch result {
      case .success:
        end()
        call.succeed(
          Sent.ExportReport(
            credentials: counts.credentials, trust: counts.trust, identities: counts.identities))
      case .failure(let fault): fail(RPCError(fault))
      }
    }
  }

  private func fail(_ error: RPCError) {
    stop()
    call.fail(error)
  }

  private func stop() {
    isStopped = true
    output.abandon()
    end()
  }

  private func end() {
    output.onDrained = nil
    timer?.cancel()
    timer = nil
    file = []
    sent = 0
    charge.giveBack()
  }
}

extension RPCError {
  fileprivate init(_ fault: OutputFault) {
    switch fault {
    case .broken(let error): self = .outputFailed(error)
    case .tooLarge, .overBudget, .partMismatch: self = .overBudget
    }
  }
}
