internal import WatchwordClient
internal import WatchwordPrimitives

/// The command line's option `-k` with its reason.
struct FetchTrust {
  /// The longest reason that is printed.
  private static let longestReason = 500
  /// The same for the history, in bytes.
  private static let longestInHistory = 256

  var isInsecure = false
  var reason: String?
  /// As much of it as the daemon keeps.
  var reasonForHistory: String? {
    guard var text = reason else { return nil }
    while text.utf8.count > Self.longestInHistory { text.removeLast() }
    return text
  }
  /// What the options choose of the way to servers, as a challenge has it.
  var ownWays: [String] { isInsecure ? ["acceptedCertificate"] : [] }

  /// With `-k`, requires a reason before anything is sent: a habitual excuse would go unnoticed.
  mutating func complete(mayAsk: Bool) throws(Failure) {
    guard isInsecure else {
      if reason != nil { throw .usage("--because is the reason for -k") }
      return
    }
    if reason == nil, mayAsk, let question = TrustQuestion() {
      do throws(ClientError) {
        reason = try question.reason("The reason for accepting a certificate that is not trusted: ")
      } catch {
        throw Failure(error)
      }
    }
    let given = (reason ?? "").split { $0 == " " || $0 == "\t" }.joined(separator: " ")
    guard !given.isEmpty else {
      throw .usage(
        "-k needs a reason", hint: "--because TEXT gives it; watchword trust add-ca FILE trusts an authority")
    }
    reason = DisplayText.escaped(given, longest: Self.longestReason)
  }
}
