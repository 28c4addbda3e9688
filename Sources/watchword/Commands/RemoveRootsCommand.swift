internal import WatchwordClient
internal import WatchwordMessages
internal import WatchwordOptions
internal import WatchwordPrimitives

/// `watchword trust remove-ca`: trusts a certificate authority no longer.
struct RemoveRootsCommand: Command {
  static let name = "trust remove-ca"
  static let summary = "remove certificate authorities of yours"
  static let synopsis = "[options] SHA256 | --all"
  static let about = """
    Removes a certificate authority from those that every session of yours trusts: by the SHA-256 that
    "watchword trust list-ca" shows, of which its first 8 digits are enough, or all. No later request uses a
    connection that was opened before. Prints the number of removed authorities; none is a failure.
    """
  static let example = "watchword trust remove-ca 3f1ac20b"

  static var options: [Option<RemoveRootsCommand>] {
    [
      Option(nil, "all", "all of yours") { $0.isAll = true },
      Option(nil, "json", "as JSON") { $0.isJSON = true },
    ]
  }

  /// Digits that are enough, when only one authority begins with them.
  private static let fewest = 8

  var daemon = DaemonOptions()
  private var fingerprint: String?
  private var isAll = false
  private var isJSON = false

  mutating func take(operand: String) throws(Failure) {
    guard fingerprint == nil else { throw .usage("only one SHA-256 is allowed") }
    // OpenSSL writes it with colons and in upper case.
    fingerprint = operand.filter { $0 != ":" }.lowercased()
  }

  mutating func run() throws(Failure) -> ExitCode {
    guard isAll != (fingerprint != nil) else {
      throw .usage(
        isAll ? "a SHA-256 and --all exclude each other" : "the SHA-256 of the authority is missing",
        hint: "watchword trust list-ca lists them")
    }
    let client = try daemon.connect()
    let reply = try client.askReply(Request.TrustRemoveRoots(root: try root(client)))
    let removed = reply.result.removed
    StandardOutput.write(isJSON ? JSONText.of(reply.text) + "\n" : "removed \(removed)\n")
    if removed == 0, fingerprint != nil { Diagnostics.hint("watchword trust list-ca lists the authorities") }
    return removed > 0 ? .success : .failure
  }

  /// The whole SHA-256; nil: of all.
  private func root(_ client: WatchwordClient) throws(Failure) -> String? {
    guard let fingerprint, fingerprint.utf8.count != 64 else { return fingerprint }
    guard fingerprint.utf8.count >= Self.fewest else {
      throw .usage("a SHA-256 has 64 digits; its first \(Self.fewest) or more are enough")
    }
    let found = try client.ask(Request.TrustListRoots()).roots.filter { $0.sha256.hasPrefix(fingerprint) }
    guard found.count <= 1 else { throw .usage("several authorities begin with these digits") }
    // One that is not there is removed 0 times.
    return found.first?.sha256 ?? fingerprint
  }
}
