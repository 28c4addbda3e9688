/// What went wrong, in one word; the table of `protocol/errors.json`.
///
/// The standard codes keep their meaning. Ours: 10xx session and peer, 11xx task, 12xx challenge,
/// 13xx transport, 14xx storage.
package enum ErrorKind: String, Sendable, CaseIterable {
  case parseError
  case invalidRequest
  case methodNotFound
  case invalidParams
  case internalError
  case sessionNotFound
  case sessionInvalidated
  case sessionConfigurationDiffers
  case limitExceeded
  case notPermitted
  case messageTooLarge
  case shuttingDown
  case descriptorUnusable
  case configurationInvalid
  case taskNotFound
  case taskCancelled
  case requestCancelled
  case taskIdentifierInUse
  case bodyNotReplayable
  case tooManyRedirects
  case redirectRefused
  case redirectNotPending
  case outputFailed
  case bodyTooLarge
  case challengeNotPending
  case dispositionNotAllowed
  case credentialUnusable
  case userCancelledAuthentication
  case serverTrustRejected
  case serverNotAuthenticated
  case transportFailed
  case nameNotResolved
  case connectionFailed
  case connectionLost
  case timedOut
  case malformedResponse
  case tlsFailed
  case addressRefused
  case headersTooLarge
  case contentDecodingFailed
  case policyRefused
  case storageUnavailable
  case credentialNotFound

  /// Whether and how it makes sense to try again.
  package enum Retry: String, Sendable {
    case never
    case same
    case newCredential
    case later
  }

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
    case .challengeNotPending: 1200
    case .dispositionNotAllowed: 1201
    case .credentialUnusable: 1202
    case .userCancelledAuthentication: 1203
    case .serverTrustRejected: 1204
    case .serverNotAuthenticated: 1205
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
    case .storageUnavailable: 1400
    case .credentialNotFound: 1401
    }
  }

  package var retry: Retry {
    switch self {
    case .parseError, .invalidRequest, .methodNotFound, .invalidParams, .sessionNotFound, .sessionInvalidated,
      .sessionConfigurationDiffers, .notPermitted, .messageTooLarge, .descriptorUnusable,
      .configurationInvalid, .taskNotFound, .taskIdentifierInUse, .tooManyRedirects, .redirectRefused,
      .redirectNotPending, .outputFailed, .bodyTooLarge, .challengeNotPending, .dispositionNotAllowed,
      .serverTrustRejected, .serverNotAuthenticated, .malformedResponse, .tlsFailed, .addressRefused,
      .headersTooLarge, .contentDecodingFailed, .policyRefused, .credentialNotFound:
      .never
    case .internalError, .limitExceeded, .shuttingDown, .transportFailed, .nameNotResolved, .connectionFailed,
      .timedOut, .storageUnavailable:
      .later
    case .taskCancelled, .requestCancelled, .bodyNotReplayable, .connectionLost:
      .same
    case .credentialUnusable, .userCancelledAuthentication:
      .newCredential
    }
  }
}
