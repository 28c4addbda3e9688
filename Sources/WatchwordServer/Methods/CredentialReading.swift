internal import Glibc
internal import WatchwordCore
internal import WatchwordJSON
internal import WatchwordMessages
internal import WatchwordProtocol
internal import WatchwordReactor
internal import WatchwordSecret
internal import WatchwordVault
internal import WatchwordVocabulary

/// `credential/read`: writes a secret that was stored to be read into the caller's pipe or memory.
@ReactorActor
enum CredentialReading {
  private static let path = "params.descriptor"

  static func read(_ daemon: Daemon, _ call: Call, _ object: JSONNode?) throws(RPCError) {
    let parameters = try CredentialReadParameters(object)
    let spaces = try URLParameter.canonical(parameters.protectionSpace)
    let descriptor = try CallerDescriptor.take(parameters.descriptor, of: call, path: path, for: .writing)
    guard descriptor.isPipe || descriptor.isMemory else {
      throw RPCError(descriptor: path, "must be a pipe or a file in memory")
    }
    let session = try daemon.registry.find(parameters.session, for: call.peer, environment: daemon)
    if session.account?.isLocked == true { throw RPCError(VaultFault.locked) }
    let request = SessionState.ReadingRequest(
      spaces: spaces, user: parameters.user, path: parameters.path, process: call.peer.caller)
    let reading: SessionState.Reading
    switch session.take({ $0.read(request, at: $1) }) {
    case .success(let found): reading = found
    case .failure(.notFound):
      // It may be in a vault that is not open.
      if let fault = session.account?.fault { throw RPCError(fault) }
      throw RPCError(.credentialNotFound, "no readable credential for this protection space")
    case .failure(.confirmationNeeded):
      let fault = CredentialFault.confirmationNeeded
      throw RPCError(
        .credentialUnusable, "the credential cannot be read: it \(fault.text)",
        details: ["reason": .string(fault.rawValue)])
    }
    guard let secret = reading.credential.kind.secret else {
      throw RPCError(.credentialNotFound, "no readable credential for this protection space")
    }
    try write(secret, to: descriptor)
    session.counters.credentialsRead += 1
    call.succeed(
      Sent.ReadCredential(
        user: reading.credential.user, kind: reading.credential.kindName, size: secret.count,
        secondsLeft: reading.secondsLeft))
    daemon.noteChange()
  }

  /// Does not wait for a reader: a pipe must have room for all of it.
  private static func write(_ secret: Secret, to descriptor: CallerDescriptor) throws(RPCError) {
    let isWritten = secret.withBytes { bytes in
      bytes.isEmpty
        || (descriptor.isMemory
          ? descriptor.writeAll(bytes) == nil
          : descriptor.writeWithoutWaiting(bytes) == bytes.count)
    }
    guard isWritten else {
      throw RPCError(descriptor: path, "has no room for the \(secret.count) bytes of the secret")
    }
  }
}

extension Credential.Kind {
  /// Nil for what has none that can be given back.
  fileprivate var secret: Secret? {
    switch self {
    case .password(_, let password): password
    case .token(let token): token
    case .trust, .identity, .kerberos: nil
    }
  }
}
