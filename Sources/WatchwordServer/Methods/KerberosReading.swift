internal import Glibc
internal import WatchwordProtocol
internal import WatchwordReactor
internal import WatchwordVocabulary

/// Reads a credential cache or a keytab that a caller passes by descriptor, outside the loop: the file may
/// lie on a slow file system.
@ReactorActor
enum KerberosReading {
  private enum KerberosFileFault: Error {
    case unreadable
    case tooLarge
    case empty

    var text: String {
      switch self {
      case .unreadable: "cannot be read"
      case .tooLarge: "is larger than \(KerberosSource.maximumBytes) bytes"
      case .empty: "is empty"
      }
    }
  }

  static func read(
    _ file: KerberosFile, for call: Call, within budget: MemoryBudget
  ) async throws(RPCError) -> KerberosSource {
    let descriptor = try CallerDescriptor.claim(
      file.descriptor, of: call, path: file.path, for: .reading)
    guard descriptor.isRegular else { throw RPCError(descriptor: file.path, "must be a regular file") }
    let charge = MemoryCharge(budget, uid: call.peer.process.uid)
    guard charge.grow(by: KerberosSource.maximumBytes) else { throw .overBudget }
    let result = try await call.wait { end in
      FileLane.submit(for: descriptor.number, of: descriptor.account) {
        Result { () throws(KerberosFileFault) in try contents(of: descriptor) }
      } then: { result in
        charge.giveBack()
        end(result)
      }
    }
    switch result {
    case .success(let contents): return file.content.source(contents)
    case .failure(let fault): throw RPCError(descriptor: file.path, fault.text)
    }
  }

  /// The whole file, whatever the offset of the descriptor, which is shared with the caller and stays as it
  /// is.
  private nonisolated static func contents(of descriptor: CallerDescriptor) throws(KerberosFileFault)
    -> Secret
  {
    let contents = SystemCall.secret(atMost: KerberosSource.maximumBytes) { rest, offset in
      pread(descriptor.number, rest.baseAddress, rest.count, off_t(offset))
    }
    guard let contents else { throw .unreadable }
    guard !contents.isEmpty else { throw .empty }
    guard contents.count <= KerberosSource.maximumBytes else { throw .tooLarge }
    return contents
  }
}
