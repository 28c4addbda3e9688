/// What went wrong, in one word. Made from `protocol/errors.json` by `protocol/generate`.
///
/// The standard codes keep their meaning. Ours: 10xx session and peer, 11xx task, 12xx challenge,
/// 13xx transport, 14xx storage.
package enum ErrorKind: String, Sendable, CaseIterable {
  /// The bytes are not one JSON text within the limits: bad JSON or UTF-8, a duplicate key, a lone surrogate,
  /// \u0000, too deep. The reply has id null. The connection continues with the next message; when the
  /// framing itself is broken, it is closed.
  case parseError
  /// JSON, but not a JSON-RPC 2.0 request: wrong or missing jsonrpc, method not a string, a fractional or
  /// structured id, params that are neither object nor array, an empty batch.
  case invalidRequest
  /// No method has this name in this version.
  case methodNotFound
  /// A parameter is missing, unknown, of the wrong type or outside its limits; data.path names it.
  case invalidParams
  /// The daemon failed at something that is not the caller's fault; its log says more.
  case internalError
  /// No session of this uid has this id, or it is private to another connection.
  case sessionNotFound
  /// The session was finished or invalidated while this request needed it.
  case sessionInvalidated
  /// The session exists with another configuration; data.members lists the paths that differ.
  case sessionConfigurationDiffers
  /// A limit of the daemon is reached; data.limit names it as in status.
  case limitExceeded
  /// This peer may not do this: an administrator's method from a uid that is neither the daemon's nor root.
  case notPermitted
  /// A message is longer than the limit messageBytes; the connection is closed after this error.
  case messageTooLarge
  /// The daemon is stopping and takes no new work.
  case shuttingDown
  /// A descriptor did not arrive, is closed, has the wrong access mode, or is of a kind that is refused
  /// (directory, device, O_PATH); or the file of a credential cannot be read, is empty or is too large; or a
  /// file is no export of a vault that can be read.
  case descriptorUnusable
  /// The daemon's configuration file cannot be read or is wrong; the message says what is wrong in it,
  /// data.path which member. Nothing changed: the configuration that was read before holds.
  case configurationInvalid
  /// The next daemon could not be started, or cannot serve; the message says why. Nothing changed: this
  /// daemon goes on.
  case restartFailed
  /// This connection is restricted, and its rules do not allow this; data.reason says what they do not allow.
  case restricted
  /// session/configure would let another server be reached or trusted while tasks of the session run. Nothing
  /// changed.
  case sessionHasTasks
  /// No task of this uid has this id, or its kept result has expired.
  case taskNotFound
  /// The task was cancelled with task/cancel, or its session was invalidated.
  case taskCancelled
  /// The caller cancelled this request with $/cancelRequest.
  case requestCancelled
  /// The task id the caller chose belongs to another task.
  case taskIdentifierInUse
  /// The request body has to be sent again (after a 401 or a 307) but came from a pipe whose bytes are gone.
  case bodyNotReplayable
  /// The task met more redirects than the session's redirects.limit.
  case tooManyRedirects
  /// A redirect goes where the session does not allow: https to http, or to a URL that is not http or https.
  case redirectRefused
  /// No redirect of this task waits for a reply: late, unknown, or already answered.
  case redirectNotPending
  /// Writing the body, or an export, to the caller's descriptor failed; data.reason says how.
  case outputFailed
  /// The response body exceeds the limit of the chosen output, of the session or of the fetch.
  case bodyTooLarge
  /// The whole response body arrived, and it does not have the digest that the caller gave or that the origin
  /// sent in Repr-Digest or Content-Digest (RFC 9530). What was written to a descriptor stays there.
  case digestMismatch
  /// The task made 64 exchanges without a redirect, an answer or the refusal of another credential. The
  /// daemon's log has a warning; please report it.
  case tooManyExchanges
  /// The daemon stopped before the task ended. The server may have processed the request.
  case taskInterrupted
  /// No challenge with this id waits for this connection's reply: late, unknown, already settled, or of
  /// another connection.
  case challengeNotPending
  /// The administrator's policy forbids this disposition here. Nothing changed; the challenge is still
  /// pending.
  case dispositionNotAllowed
  /// The credential cannot be used for this method: wrong type, a control character, a colon in a Basic user
  /// name, an identity whose key needs a passphrase, does not match, or whose certificate has expired or is
  /// for something else; data.reason says which. Nothing changed; the challenge is still pending.
  case credentialUnusable
  /// The task ended because its challenge was cancelled, by a reply or by the deadline.
  case userCancelledAuthentication
  /// The origin's certificate chain was refused; data.reasons lists reasons with depths.
  case serverTrustRejected
  /// The server did not prove itself: its Digest rspauth is wrong, or the last token of Negotiate is missing
  /// or wrong.
  case serverNotAuthenticated
  /// The credential for Negotiate or NTLM could not be used, and no delegate could be asked for another one;
  /// or a login form cannot be posted. data.reason says why.
  case authenticationFailed
  /// The proxy still asks for a credential: there is none, or it was refused. data.status and data.headers
  /// are the proxy's, without a body; a SOCKS proxy has neither.
  case proxyAuthenticationFailed
  /// The administrator's source of the credential gave none, and no delegate could be asked for one;
  /// data.source is its name, data.reason says why.
  case credentialSourceFailed
  /// An exchange failed in a way that no other kind names.
  case transportFailed
  /// The host name has no address.
  case nameNotResolved
  /// No connection could be made: refused or unreachable.
  case connectionFailed
  /// The connection ended in the middle of an exchange; data.processed is no, or unknown: the server may have
  /// processed the request.
  case connectionLost
  /// A timeout passed; data.phase is connect, request or resource.
  case timedOut
  /// The origin's response is not HTTP, contradicts itself, or is not the part of a file that was asked for;
  /// data.reason is flood, range or missing.
  case malformedResponse
  /// The TLS handshake failed for a reason other than trust; data.reason, when there is one, says which.
  case tlsFailed
  /// The session's address policy forbids this origin or the address it resolves to.
  case addressRefused
  /// The response's header section exceeds its limit in bytes or in fields.
  case headersTooLarge
  /// The response's content coding is unknown, nested too deep, broken or cut short.
  case contentDecodingFailed
  /// The administrator's policy forbids this fetch; data.rule names the rule.
  case policyRefused
  /// The proxy, or the connection that leads through it, failed; data.reason says how.
  case proxyFailed
  /// The storage that this persistence needs is not there. Nothing changed; a challenge is still pending.
  case storageUnavailable
  /// No stored credential matches.
  case credentialNotFound
  /// The file of the uid's vault is empty, truncated, altered or no vault, or its key does not fit. It is
  /// left as it is, and nothing permanent is kept. Where less than a page is missing at its end, one record
  /// is lost and the others are used.
  case vaultDamaged
  /// The agent or the vault of the uid is locked; agent/unlock opens it with its passphrase.
  case agentLocked

  package var code: Int {
    switch self {
    case .parseError: -32700
    case .invalidRequest: -32600
    case .methodNotFound: -32601
    case .invalidParams: -32602
    case .internalError: -32603
    case .sessionNotFound: 1000
    case .sessionInvalidated: 1001
    case .sessionConfigurationDiffers: 1002
    case .limitExceeded: 1003
    case .notPermitted: 1004
    case .messageTooLarge: 1005
    case .shuttingDown: 1006
    case .descriptorUnusable: 1007
    case .configurationInvalid: 1008
    case .restartFailed: 1013
    case .restricted: 1010
    case .sessionHasTasks: 1012
    case .taskNotFound: 1100
    case .taskCancelled: 1101
    case .requestCancelled: 1102
    case .taskIdentifierInUse: 1103
    case .bodyNotReplayable: 1104
    case .tooManyRedirects: 1105
    case .redirectRefused: 1106
    case .redirectNotPending: 1107
    case .outputFailed: 1108
    case .bodyTooLarge: 1109
    case .digestMismatch: 1110
    case .tooManyExchanges: 1111
    case .taskInterrupted: 1112
    case .challengeNotPending: 1200
    case .dispositionNotAllowed: 1201
    case .credentialUnusable: 1202
    case .userCancelledAuthentication: 1203
    case .serverTrustRejected: 1204
    case .serverNotAuthenticated: 1205
    case .authenticationFailed: 1206
    case .proxyAuthenticationFailed: 1207
    case .credentialSourceFailed: 1208
    case .transportFailed: 1300
    case .nameNotResolved: 1301
    case .connectionFailed: 1302
    case .connectionLost: 1303
    case .timedOut: 1304
    case .malformedResponse: 1305
    case .tlsFailed: 1306
    case .addressRefused: 1307
    case .headersTooLarge: 1308
    case .contentDecodingFailed: 1309
    case .policyRefused: 1310
    case .proxyFailed: 1311
    case .storageUnavailable: 1400
    case .credentialNotFound: 1401
    case .vaultDamaged: 1402
    case .agentLocked: 1403
    }
  }

  package var retry: Retry {
    switch self {
    case .parseError: .never
    case .invalidRequest: .never
    case .methodNotFound: .never
    case .invalidParams: .never
    case .internalError: .later
    case .sessionNotFound: .never
    case .sessionInvalidated: .never
    case .sessionConfigurationDiffers: .never
    case .limitExceeded: .later
    case .notPermitted: .never
    case .messageTooLarge: .never
    case .shuttingDown: .later
    case .descriptorUnusable: .never
    case .configurationInvalid: .never
    case .restartFailed: .later
    case .restricted: .never
    case .sessionHasTasks: .later
    case .taskNotFound: .never
    case .taskCancelled: .never
    case .requestCancelled: .never
    case .taskIdentifierInUse: .never
    case .bodyNotReplayable: .same
    case .tooManyRedirects: .never
    case .redirectRefused: .never
    case .redirectNotPending: .never
    case .outputFailed: .never
    case .bodyTooLarge: .never
    case .digestMismatch: .never
    case .tooManyExchanges: .never
    case .taskInterrupted: .later
    case .challengeNotPending: .never
    case .dispositionNotAllowed: .never
    case .credentialUnusable: .newCredential
    case .userCancelledAuthentication: .newCredential
    case .serverTrustRejected: .never
    case .serverNotAuthenticated: .never
    case .authenticationFailed: .newCredential
    case .proxyAuthenticationFailed: .newCredential
    case .credentialSourceFailed: .later
    case .transportFailed: .later
    case .nameNotResolved: .later
    case .connectionFailed: .later
    case .connectionLost: .same
    case .timedOut: .later
    case .malformedResponse: .never
    case .tlsFailed: .never
    case .addressRefused: .never
    case .headersTooLarge: .never
    case .contentDecodingFailed: .never
    case .policyRefused: .never
    case .proxyFailed: .later
    case .storageUnavailable: .later
    case .credentialNotFound: .never
    case .vaultDamaged: .later
    case .agentLocked: .later
    }
  }

  /// With which a command-line client ends.
  package var exitStatus: Int32 {
    switch self {
    case .invalidParams:
      2
    case .userCancelledAuthentication,
      .serverNotAuthenticated,
      .authenticationFailed,
      .proxyAuthenticationFailed,
      .credentialSourceFailed:
      3
    case .serverTrustRejected:
      4
    case .nameNotResolved:
      6
    case .connectionFailed:
      7
    case .malformedResponse:
      8
    case .outputFailed:
      23
    case .timedOut:
      28
    case .tlsFailed:
      35
    case .tooManyRedirects:
      47
    case .connectionLost,
      .headersTooLarge,
      .proxyFailed:
      56
    case .contentDecodingFailed:
      61
    case .bodyTooLarge:
      63
    case .bodyNotReplayable:
      65
    default: 1
    }
  }
}
