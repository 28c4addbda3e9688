internal import WatchwordCore
internal import WatchwordJSON
internal import WatchwordMessages
internal import WatchwordProtocol
internal import WatchwordReactor
internal import WatchwordTransport
internal import WatchwordVocabulary

/// Keys of tokens: listing them, and opening one.
@ReactorActor
enum TokenMethods {
  /// `identity/tokens`.
  static func list(_ daemon: Daemon, _ call: Call, _ object: JSONNode?) throws(RPCError) {
    try ParameterReader.decode(object) { _ throws(RPCError) in () }
    call.answer { () async throws(RPCError) in
      let found = try await certificates(on: daemon.tokens, for: call)
      return Sent.TokenList(
        identities: found.map { Sent.TokenCertificate(uri: $0.uri, certificate: $0.certificate) })
    }
  }

  private static func certificates(
    on tokens: TokenHost, for call: Call
  ) async throws(RPCError) -> [TokenCertificate] {
    guard !tokens.modules.isEmpty else { return [] }
    let uid = call.peer.process.uid
    try checkRoom(tokens, for: uid)
    let found = try await call.wait { end throws(RPCError) in
      do throws(IdentityFault) {
        return try TokenListing(on: tokens, for: uid, then: end).cancel
      } catch {
        throw failed
      }
    }
    guard let found else { throw failed }
    return found
  }

  /// Opens a key for an identity.
  ///
  /// - Parameter then: called once, in a later turn of the loop, unless it is cancelled before.
  static func open(
    _ key: TokenKey, on tokens: TokenHost, for uid: UInt32, wallClock: Double,
    then: @escaping @ReactorActor (Result<ClientIdentity, IdentityFault>) -> Void
  ) throws(RPCError) -> TokenOpening {
    try checkRoom(tokens, for: uid)
    do throws(IdentityFault) {
      return try TokenOpening(key, on: tokens, for: uid, wallClock: wallClock, then: then)
    } catch {
      throw IdentityReading.unusable(error)
    }
  }

  private static func checkRoom(_ tokens: TokenHost, for uid: UInt32) throws(RPCError) {
    let limit =
      tokens.count(of: uid) >= TokenHost.maximumProcessesPerUID
      ? "tokenProcessesPerUid" : tokens.count >= TokenHost.maximumProcesses ? "tokenProcesses" : nil
    guard let limit else { return }
    throw .limitExceeded("too many keys of tokens at once", limit: limit)
  }

  private static let failed = RPCError.credentialUnusable(
    "no token can be asked: a PKCS#11 module does not answer, or the program that runs them is not installed",
    reason: IdentityFault.tokenUnavailable)
}
