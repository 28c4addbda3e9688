internal import Glibc
internal import WatchwordJSON
internal import WatchwordProtocol
internal import WatchwordReactor
internal import WatchwordVocabulary

extension CallerDescriptor {
  /// The descriptor that a parameter names.
  ///
  /// - Parameter path: of the parameter.
  @ReactorActor
  static func claim(
    _ index: Int, of call: Call, path: String, for use: Use
  ) throws(RPCError) -> CallerDescriptor {
    let number = try call.takeDescriptor(index, path: path)
    do throws(DescriptorFault) {
      return try CallerDescriptor(number, of: call.peer.process.uid, for: use)
    } catch {
      let reason =
        switch error {
        case .closed: "is not open"
        case .unsupportedKind: "must be a regular file, a pipe or a socket"
        case .wrongAccessMode: use == .reading ? "is not open for reading" : "is not open for writing"
        case .system(let number): "cannot be used: \(String(cString: strerror(number)))"
        }
      throw RPCError(descriptor: path, reason)
    }
  }
}

extension RPCError {
  /// `descriptorUnusable`.
  ///
  /// - Parameter path: of the parameter that names the descriptor.
  init(descriptor path: String, _ reason: String) {
    self = .descriptorUnusable("\(path): \(reason)", path: path)
  }
}
