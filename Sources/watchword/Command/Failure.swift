internal import Glibc
internal import WatchwordMessages
internal import WatchwordOptions
internal import WatchwordVocabulary

/// Why a command ends early: the line for a person, a hint what to do, and the exit status.
struct Failure: UsageFailure {
  let exitCode: ExitCode
  /// Lower case, without a full stop; nil when the error has already been printed.
  let message: String?
  let hint: String?

  init(_ message: String?, hint: String? = nil, exitCode: ExitCode = .failure) {
    self.message = message
    self.hint = hint
    self.exitCode = exitCode
  }

  /// The same, with this hint if it has none.
  func hinting(_ text: String?) -> Failure { Failure(message, hint: hint ?? text, exitCode: exitCode) }

  /// The same with another exit code.
  func ending(with code: ExitCode) -> Failure { Failure(message, hint: hint, exitCode: code) }

  static func usage(_ message: String, hint: String? = nil) -> Failure {
    Failure(message, hint: hint, exitCode: .usage)
  }
}

extension Failure {
  /// The message for a person about an error of the daemon, or about a missing daemon.
  init(_ error: ClientError) {
    switch error {
    case .noDaemon(let path, let reason): self.init(path: path, reason)
    case .foreignDaemon(let path, let uid):
      let danger =
        KnownUIDs.ofProcess.identifies(uid)
        ? "it would see every secret" : "that stands for every uid that this user namespace does not map"
      self.init(
        "the daemon at \(DisplayText.escaped(path)) runs as uid \(uid): \(danger)",
        hint: "use another socket with --socket", exitCode: .noDaemon)
    case .connectionLost:
      self.init(
        "the daemon closed the connection",
        hint: "the next command starts another; this one's watchwordd.log may say why")
    case .unintelligible: self.init("the daemon sent something that is not the protocol")
    case .unreadable(let fault):
      self.init(
        "the daemon sent something that this program does not know: \(DisplayText.escaped(fault.text))",
        hint: "watchword and watchwordd are of different versions")
    case .refused(let error): self.init(error)
    }
  }

  /// Of a fetch.
  ///
  /// - Parameter hasBegun: whether a response has been shown, or the beginning of one.
  init(_ error: ClientError, hasBegun: Bool) {
    let failure = Failure(error)
    if case .refused(let remote) = error, remote.kind == .connectionLost {
      self = failure.ending(with: hasBegun || remote.responseBegan ? .bodyCut : .emptyResponse)
    } else {
      self = failure
    }
  }

  private init(path: String, _ reason: NoDaemonReason) {
    let place = "no daemon listens on \(DisplayText.escaped(path))"
    switch reason {
    case .startingForbidden:
      self.init(
        place, hint: "without --no-start and WATCHWORD_NO_START the command starts one", exitCode: .noDaemon)
    case .otherPlace:
      self.init(
        place,
        hint:
          "--socket or WATCHWORD_SOCKET names it, and a command starts a daemon at the default path only: watchwordd --socket \(DisplayText.escaped(path)) starts one",
        exitCode: .noDaemon)
    case .programNotFound:
      self.init(
        "\(place), and watchwordd is neither beside this program nor in PATH",
        hint: "start it with watchwordd --socket PATH", exitCode: .noDaemon)
    case .startFailed(let output):
      let last = output.split(separator: "\n").last ?? ""
      let prefix = "watchwordd: "
      let said = DisplayText.escaped(String(last.hasPrefix(prefix) ? last.dropFirst(prefix.count) : last))
      self.init(
        "\(place), and watchwordd could not be started\(said.isEmpty ? "" : ": \(said)")",
        hint: said.isEmpty
          ? "run watchwordd --socket \(DisplayText.escaped(path)) to see why"
          : "watchword doctor says what to do",
        exitCode: .noDaemon)
    case .system(let number):
      self.init("\(place): \(String(cString: strerror(number)).lowercased())", exitCode: .noDaemon)
    }
  }

  init(_ error: RemoteError) {
    self.init(
      DisplayText.escaped(Self.text(of: error), longest: 500), hint: Self.hint(for: error),
      exitCode: ExitCode(error))
  }

  /// The message without names of the wire, with the URL of the exchange that it is about.
  private static func text(of error: RemoteError) -> String {
    guard let fault = fault(of: error), let path = error.path else {
      let message = error.message
      guard let url = error.url, !message.containsBytes(of: origin(of: url)) else { return message }
      return "\(url): \(message)"
    }
    let member = path.dropFirst("params.".utf8.count)
    if isUnknownHere(error) { return "the daemon does not know \(member)" }
    let setting = "configuration."
    if member.hasPrefix(setting) { return "the setting \(member.dropFirst(setting.count)): \(fault)" }
    return "\(place(of: error) ?? String(member)): \(fault)"
  }

  /// Whether it is a parameter of this command's own, which the daemon does not know; what is below one may
  /// be a person's.
  private static func isUnknownHere(_ error: RemoteError) -> Bool {
    guard fault(of: error) == "unknown member", let path = error.path else { return false }
    return path.utf8.count { $0 == UInt8(ascii: ".") } == 1
  }

  /// What is wrong with a parameter, where the message begins with its path.
  private static func fault(of error: RemoteError) -> String? {
    guard let path = error.path, path.hasPrefix("params."), error.message.hasPrefix("\(path): ") else {
      return nil
    }
    return String(error.message.dropFirst(path.count + 2))
  }

  /// The place of a wrong parameter in the words of the command line; nil without one that helps.
  private static func place(of error: RemoteError) -> String? {
    guard let path = error.path, path.hasPrefix("params.") else { return nil }
    let member = path.dropFirst("params.".utf8.count)
    switch member.prefix(while: { $0 != "." && $0 != "[" }) {
    case "url": return "the URL"
    case "headers": return "a header field"
    case "method": return "-X"
    case "session", "name": return "the name of a session"
    case "redirects": return "--max-redirs"
    case "timeouts": return member.hasSuffix("connectSeconds") ? "--connect-timeout" : "-m"
    case "maximumBodyBytes": return "--max-filesize"
    case "configuration": return "a setting of the session"
    case "proxies": return "the proxy"
    default: return nil
    }
  }

  /// With the URL that it is about, where the message has none.
  func naming(_ url: String?) -> Failure {
    guard let url, let message, !message.containsBytes(of: url) else { return self }
    return Failure("\(url): \(message)", hint: hint, exitCode: exitCode)
  }

  private static func origin(of url: String) -> String {
    url.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false).prefix(3).joined(separator: "/")
  }

  private static func hint(for error: RemoteError) -> String? {
    switch error.kind {
    case .sessionConfigurationDiffers:
      let members = error.members.joined(separator: ", ")
      return
        "the session exists with other settings (\(DisplayText.escaped(members))); name another with --session"
    case .serverTrustRejected:
      // After a redirect it is another server than the person has named.
      let look =
        "watchword certificate \((error.proxy ?? error.url).map { DisplayText.escaped(origin(of: $0)) } ?? "URL")"
      return error.reasons.contains { $0.reason == "pinMismatch" }
        ? look + " shows the server's key"
        : look + " shows what there is; watchword trust add-ca FILE trusts an authority"
    case .sessionNotFound: return "see watchword sessions"
    case .agentLocked: return "watchword unlock asks for the passphrase"
    case .taskNotFound, .challengeNotPending: return "see watchword challenges"
    case .configurationInvalid: return "the configuration that was read before stays in force"
    case .restartFailed: return "the daemon goes on; watchword doctor finds the usual faults"
    case .timedOut: return "-m and --connect-timeout give it more time"
    case .bodyNotReplayable: return "give the body as a file, which can be read twice"
    case .tlsFailed where error.reason?.hasPrefix("certificateRequired") == true:
      return
        "--cert FILE --key FILE presents a client certificate, and "
        + "watchword identities add --cert FILE --key FILE keeps one for a session"
    case .tlsFailed where error.reason == "plainHTTP": return "http:// fetches without TLS"
    case .invalidParams where isUnknownHere(error):
      // A member that this program knows: the daemon was started before an upgrade.
      return "the daemon is older than this command: watchword shutdown ends it"
    case .invalidParams where fault(of: error) == nil: return place(of: error).map { "it is about \($0)" }
    default: return nil
    }
  }
}
