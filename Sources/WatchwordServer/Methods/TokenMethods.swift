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
    guard !daemon.tokens.modules.isEmpty else { return succeed(call, with: []) }
    let uid = call.peer.process.uid
    try checkRoom(daemon.tokens, for: uid)
    do throws(IdentityFault) {
      let listing = try TokenListing(on: daemon.tokens, for: uid) { found in
        guard let found else { return call.fail(failed) }
        succeed(call, with: found)
      }
      call.whenStopped { listing.cancel() }
    } catch {
      throw failed
    }
  }

  /// Opens a key for an identity.
  ///
  /// - Parameter then: called once; with nil when the call has ended.
  static func open(
    _ key: TokenKey, on tokens: TokenHost, for call: Call, wallClock: Double,
    then: @escaping @ReactorActor (Result<ClientIdentity, IdentityFault>?) -> Void
  ) throws(RPCError) {
    let uid = call.peer.process.uid
    try checkRoom(tokens, for: uid)
    do throws(IdentityFault) {
      let opening = try TokenOpening(key, on: tokens, for: uid, wallClock: wallClock, then: then)
      call.whenStopped {
        opening.cancel()
        then(nil)
      }
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

  private static func succeed(_ call: Call, with found: [TokenCertificate]) {
    let certificates = found.map {
      Sent.TokenCertificate(uri: $0.uri, certificate: $0.certificate)
    }
    call.succeed(Sent.TokenList(identities: certificates))
  }

  private static let failed = RPCError.credentialUnusable(
    "no token can be asked: a PKCS#11 module does not answer, or the program that runs them is not installed",
    reason: IdentityFault.tokenUnavailable)
}
