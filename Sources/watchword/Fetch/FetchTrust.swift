internal import WatchwordMessages
internal import WatchwordVocabulary

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

/// The keys of `--pinnedpubkey`. The daemon checks them in every handshake with an origin, after redirects,
/// too.
struct FetchPins {
  /// As in `tls.pins` of a session.
  private static let mostKeys = 64

  /// In the protocol's form: `sha256/` and base64.
  private var keys: Set<String> = []

  var isEmpty: Bool { keys.isEmpty }

  init() {}

  /// - Parameter text: in curl's form: `sha256//BASE64`, several separated by `;`.
  init(_ text: String) throws(Failure) {
    for part in text.split(separator: ";", omittingEmptySubsequences: false) {
      guard let digest = Self.digest(part) else {
        throw .usage(
          "--pinnedpubkey takes sha256//BASE64, several with ; between them",
          hint: "watchword certificate URL shows a server's key")
      }
      keys.insert("sha256/\(digest)")
    }
    guard keys.count <= Self.mostKeys else {
      throw .usage("--pinnedpubkey takes at most \(Self.mostKeys) keys")
    }
  }

  /// No reply accepts another key, that of another program with the same options included.
  var configuration: [Request.SessionConfigurationTlsPin]? {
    guard !isEmpty else { return nil }
    return [Request.SessionConfigurationTlsPin(host: "*", publicKeys: keys.sorted(), excusable: false)]
  }

  /// The base64 of 32 bytes: 43 characters and one of padding.
  private static func digest(_ pin: Substring) -> Substring? {
    let prefix = pin.hasPrefix("sha256//") ? 8 : 7
    guard pin.hasPrefix("sha256/") else { return nil }
    let digest = pin.dropFirst(prefix)
    let isBase64 = digest.utf8.dropLast().allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"):
        true
      default: false
      }
    }
    return digest.utf8.count == 44 && digest.hasSuffix("=") && isBase64 ? digest : nil
  }
}
