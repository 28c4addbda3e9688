internal import CLinux
internal import Glibc
internal import WatchwordClient
internal import WatchwordPrimitives
internal import WatchwordVocabulary

/// curl's `--retry`: how often and when a fetch is tried again after a problem that may pass.
struct RetryPolicy {
  /// As curl: 408, 429 and the 5xx of a server or a gateway that is busy or gone.
  private static let statuses: Set<Int> = [408, 429, 500, 502, 503, 504]
  /// As curl: a time limit that passed, a name that was not resolved.
  private static let kinds: Set<ErrorKind> = [.timedOut, .nameNotResolved]
  private static let longestDelay = 600.0

  var count = 0
  /// Nil: 1 second, and twice as long each time.
  var delay: Double?
  /// `--retry-connrefused`.
  var includesRefusedConnections = false
  /// `--retry-all-errors`.
  var includesAll = false

  /// Why this failure may pass; nil when it does not.
  func reason(_ error: RemoteError) -> String? {
    guard let kind = error.kind else { return nil }
    // No repetition makes another answer, certificate or command line of it.
    let isFinal = [.usage, .authenticationRefused, .trustRefused].contains(ExitCode(error))
    if includesAll, !isFinal { return error.message }
    let isPassing = Self.kinds.contains(kind) || includesRefusedConnections && kind == .connectionFailed
    return isPassing ? error.message : nil
  }

  /// - Parameter failsOnError: whether a status from 400 on is an error.
  func reason(_ response: ResponseHead, failsOnError: Bool) -> String? {
    let status = response.status
    let isError = includesAll && failsOnError && status >= 400 && !response.isRefusal
    return isError || Self.statuses.contains(status) ? "the server answered \(status)" : nil
  }

  /// Seconds to wait before the attempt with this number, from 1.
  func seconds(before attempt: Int, after response: ResponseHead?) -> Double {
    let asked = response?.last("retry-after").flatMap { Double($0) }
    if let asked, asked >= 0 { return min(asked, Self.longestDelay) }
    return delay ?? min(Double(1 << min(attempt - 1, 10)), Self.longestDelay)
  }

  static func sleep(_ seconds: Double) {
    var left = timespec(tv_sec: Int(seconds), tv_nsec: Int((seconds - seconds.rounded(.down)) * 1e9))
    var rest = timespec()
    while nanosleep(&left, &rest) != 0, errno == EINTR { left = rest }
  }
}
