internal import WatchwordVocabulary

/// The exit status of the command; scripts rely on the numbers.
///
/// The first six are our own. The others are curl's: its 3, a malformed URL, is 2 here, its 4 is 1, and its
/// 5, the name of a proxy, is 6.
enum ExitCode: Int32, Error, CaseIterable {
  case success = 0
  case failure = 1
  case usage = 2
  /// A server refused every credential, a delegate cancelled the challenge, or nobody answered it.
  case authenticationRefused = 3
  /// The server's certificate was refused.
  case trustRefused = 4
  /// No daemon runs, and none could be started or was allowed to be.
  case noDaemon = 5
  case nameNotResolved = 6
  case connectionFailed = 7
  case malformedResponse = 8
  case bodyCut = 18
  /// With `-f`.
  case statusRefused = 22
  case outputFailed = 23
  case inputFailed = 26
  case timedOut = 28
  case tlsFailed = 35
  case tooManyRedirects = 47
  case emptyResponse = 52
  case connectionLost = 56
  case contentDecodingFailed = 61
  case bodyTooLarge = 63
  case bodyNotReplayable = 65
  case proxyRefused = 97

  /// Of an error of the daemon: by its kind, which `protocol/errors.json` maps, and by the reason of a
  /// proxy's.
  init(_ error: RemoteError) {
    let byReason = error.kind == .proxyFailed ? error.reason.flatMap(Self.proxyReasons) : nil
    self = byReason ?? error.kind.flatMap { ExitCode(rawValue: $0.exitStatus) } ?? .failure
  }

  /// Nil: the tunnel failed, which is the kind's own.
  private static func proxyReasons(_ reason: String) -> ExitCode? {
    switch reason {
    case "nameNotResolved": .nameNotResolved
    case "connectionFailed": .connectionFailed
    case "malformedURL": .usage
    case "malformedReply", "noAcceptableMethod", "generalFailure", "connectionNotAllowed",
      "networkUnreachable",
      "hostUnreachable", "connectionRefused", "timeToLiveExpired", "commandNotSupported",
      "addressTypeNotSupported":
      .proxyRefused
    default: nil
    }
  }

  /// For the table of the help, in at most 74 characters.
  var meaning: String {
    switch self {
    case .success: "ok"
    case .failure: "failed, in a way that is not below"
    case .usage: "wrong command line or URL"
    case .authenticationRefused: "a challenge was not answered, its answer refused, or it was cancelled"
    case .trustRefused: "the server's certificate was refused"
    case .noDaemon: "no daemon"
    case .nameNotResolved: "the name of the host, or of the proxy, has no address"
    case .connectionFailed: "no connection: refused or unreachable"
    case .malformedResponse: "the response is malformed"
    case .bodyCut: "the connection ended in the middle of the body"
    case .statusRefused: "with -f: the status is 400 or above"
    case .outputFailed: "the output cannot be written"
    case .inputFailed: "a file cannot be read"
    case .timedOut: "a time limit passed"
    case .tlsFailed: "TLS failed for another reason than the certificate"
    case .tooManyRedirects: "more redirects than --max-redirs"
    case .emptyResponse: "the connection ended before a response"
    case .connectionLost: "the connection was lost, or the proxy's tunnel failed"
    case .contentDecodingFailed: "the body's compression is broken or unknown"
    case .bodyTooLarge: "the body is larger than --max-filesize"
    case .bodyNotReplayable: "the upload has to be repeated, and its bytes are gone"
    case .proxyRefused: "a SOCKS proxy refused"
    }
  }
}
