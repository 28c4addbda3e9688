internal import WatchwordClient
internal import WatchwordMessages

/// The keys of `--pinnedpubkey`. The daemon checks them in every handshake with an origin, after redirects, too.
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
