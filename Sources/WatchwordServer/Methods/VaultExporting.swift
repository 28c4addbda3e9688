internal import Glibc
internal import WatchwordCore
internal import WatchwordJSON
internal import WatchwordMessages
internal import WatchwordProtocol
internal import WatchwordReactor
internal import WatchwordVault
internal import WatchwordVocabulary

/// Seals the permanent credentials, decisions and identities of an account and writes them to a caller's
/// descriptor, all of it off the loop.
@ReactorActor
enum VaultExporting {
  private static let path = "params.descriptor"

  static func export(
    _ parameters: VaultTransferParameters, of account: VaultAccount, within budget: MemoryBudget,
    for call: Call
  ) async throws(RPCError) -> Sent.ExportReport {
    let descriptor = try CallerDescriptor.claim(
      parameters.descriptor, of: call, path: path, for: .writing)
    let contents = try account.exportable()
    let report = Sent.ExportReport(
      credentials: contents.credentials.count, trust: contents.trust.count,
      identities: contents.identities.count)
    let charge = MemoryCharge(budget, uid: call.peer.process.uid)
    // The records and their sealed copy.
    let recordCount = report.credentials + report.trust + report.identities
    guard charge.grow(by: account.holdings.byteCount * 4 + recordCount * 1024) else { throw .overBudget }
    let output = DescriptorOutput(descriptor, charge: charge.another())
    let sealed = try await call.wait { end throws(RPCError) in
      try account.transfer { [clocks = account.clocks, passphrase = parameters.passphrase] in
        Result { () throws(VaultExport.ExportFault) in
          try VaultExport.seal(contents.exported(clocks), under: passphrase)
        }
      } then: {
        end($0)
        // Charged until here, also when the call was cancelled meanwhile.
        withExtendedLifetime(charge) {}
      }
    }
    switch sealed {
    case .success(let file): try await write(file, to: output, for: call)
    case .failure(let fault): throw RPCError(fault, at: path)
    }
    charge.giveBack()
    return report
  }

  private static func write(
    _ file: [UInt8], to output: DescriptorOutput, for call: Call
  ) async throws(RPCError) {
    let written = try await call.wait { end in
      let writing = FileWriting(file, to: output, then: end)
      writing.begin()
      return writing.stop
    }
    if case .failure(let fault) = written { throw RPCError(fault) }
  }
}

/// Writes a file to a caller's descriptor as it takes it.
@ReactorActor
private final class FileWriting {
  private static let chunk = 1024 * 1024
  /// A reader of a pipe that takes longer than this gets no more.
  private static let seconds: Double = 300

  private let file: [UInt8]
  private let output: DescriptorOutput
  private var sent = 0
  private var timer: LoopTimer?
  private var then: (@ReactorActor (Result<Void, OutputFault>) -> Void)?

  /// - Parameter then: called once, unless it is stopped before.
  init(
    _ file: [UInt8], to output: DescriptorOutput,
    then: @escaping @ReactorActor (Result<Void, OutputFault>) -> Void
  ) {
    self.file = file
    self.output = output
    self.then = then
  }

  func begin() {
    timer = EventLoop.shared.schedule(after: FileWriting.seconds) { [self] in
      end(.failure(.broken(ETIMEDOUT)))
    }
    output.onDrained = { [self] in writeOn() }
    writeOn()
  }

  func stop() {
    then = nil
    timer?.cancel()
    timer = nil
    output.abandon()
  }

  private func writeOn() {
    while sent < file.count {
      let next = min(sent + FileWriting.chunk, file.count)
      let answer = file.withUnsafeBytes {
        output.write(UnsafeRawBufferPointer(rebasing: $0[sent..<next]), mayWait: true)
      }
      switch answer {
      case .taken: sent = next
      case .full: return
      case .failed(let fault): return end(.failure(fault))
      }
    }
    output.onDrained = nil
    output.finish { [self] result in end(result.map { _ in }) }
  }

  private func end(_ result: Result<Void, OutputFault>) {
    let then = then
    stop()
    then?(result)
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
