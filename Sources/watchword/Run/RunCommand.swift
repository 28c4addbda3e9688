internal import CLinux
internal import Glibc
internal import WatchwordMessages
internal import WatchwordOptions
internal import WatchwordVocabulary

/// `watchword run`: a command with a socket on which it may fetch by rules, and do nothing else.
struct RunCommand: Command {
  static let name = "run"
  static let summary = "run a command that may fetch by rules only"
  static let synopsis = "[options] --allow \"METHODS URL\" [--] COMMAND [ARGUMENT...]"
  static let about = """
    Runs a command with a socket of its own (WATCHWORD_SOCKET). On it the command fetches what the rules
    allow, with the credentials of the session, and can neither read credentials nor answer challenges.
    METHODS are separated by commas, or * for all. The URL is an origin and a path, which may end in *.
    The command can still open other sockets of this user that it finds, and trace other programs of
    this user: run it in a sandbox with another uid, or with mount and PID namespaces that hide both.
    Clients in it start no daemon (WATCHWORD_NO_START). The exit status is that of the command.
    """
  static let example = """
    watchword run --allow 'GET https://api.example/v1/*' -- ./nightly
    """

  static var options: [Option<RunCommand>] {
    [
      Option(nil, "allow", "RULE", "METHODS and a URL; may be repeated") {
        (settings, text) throws(Failure) in settings.rules.append(try RunRule(text))
      },
      Option(nil, "session", "NAME", "the session [default]") { $0.session = $1 },
      Option(nil, "allow-header", "NAME", "a field to be set, for every rule; may be repeated") {
        $0.headers.append($1)
      },
      Option(nil, "max-request", "BYTES", "of a request body, for every rule") {
        (settings, text) throws(Failure) in settings.requestBytes = try count(text, "--max-request")
      },
      Option(nil, "max-response", "BYTES", "of a response body, for every rule") {
        (settings, text) throws(Failure) in settings.responseBytes = try count(text, "--max-response")
      },
      Option(nil, "rate", "COUNT", "requests a minute, for each rule") {
        (settings, text) throws(Failure) in
        settings.perMinute = try Number.positive(text, "--rate", "requests")
      },
      Option(nil, "expires", "SECONDS", "how long the rules allow anything") {
        (settings, text) throws(Failure) in
        settings.expiresSeconds = try Number.positive(text, "--expires", "seconds")
      },
    ]
  }

  var daemon = DaemonTarget()
  private var rules: [RunRule] = []
  private var session: String?
  private var headers: [String] = []
  private var requestBytes: Int?
  private var responseBytes: Int?
  private var perMinute: Double?
  private var expiresSeconds: Double?
  private var command: [String] = []

  static let operandsAreOctets = true

  mutating func take(operand: String) throws(Failure) { command.append(operand) }

  mutating func run() throws(Failure) -> ExitCode {
    guard !rules.isEmpty else { throw .usage("no --allow: the command could fetch nothing") }
    guard !command.isEmpty else { throw .usage("the command is missing") }
    // The command could take the connection of this program, which has every right until the command's socket
    // is there.
    guard clinux_forbid_tracing() else { throw Failure("cannot forbid tracing") }
    let client = try daemon.connect()
    try SessionScope.open(session, client)
    let socket = try PrivateSocket()
    try listen(on: socket, client)
    let status = try RunningCommand(command, socket: socket.path).wait(beside: client)
    socket.remove()
    exit(status)
  }

  private func listen(on socket: PrivateSocket, _ client: WatchwordClient) throws(Failure) {
    do throws(ClientError) {
      let request = try client.post(self.request, descriptors: [socket.descriptor])
      socket.handOver()
      _ = try client.reply(to: request)
      // Root traces what it likes: while the command runs there is nothing here to be taken.
      try client.call(
        Request.PeerRestrict(
          session: session, rules: allowed, expiresSeconds: RunCommand.ownRightsSeconds))
    } catch {
      socket.remove()
      throw Failure(error)
    }
  }

  /// The shortest time: this program fetches nothing.
  private static let ownRightsSeconds = 0.001

  private var request: Request.PeerListen {
    Request.PeerListen(descriptor: 0, session: session, rules: allowed, expiresSeconds: expiresSeconds)
  }

  private var allowed: [Request.RestrictionRule] {
    rules.map { $0.rule(headers, requestBytes, responseBytes, perMinute: perMinute) }
  }

  private static func count(_ text: String, _ option: String) throws(Failure) -> Int {
    guard let value = Int(text), value >= 0 else {
      throw .usage("\(option) needs a number of bytes, not \(DisplayText.escaped(text))")
    }
    return value
  }
}

/// `GET,HEAD https://api.example/v1/*`: the methods, and the origin and path of a URL.
struct RunRule {
  /// Nil: every method.
  private let methods: [String]?
  private let origin: String
  private let path: String

  init(_ text: String) throws(Failure) {
    let words = text.split(separator: " ", omittingEmptySubsequences: true)
    guard words.count == 2 else {
      throw .usage(
        "--allow needs METHODS and a URL, not \(DisplayText.escaped(text))",
        hint: "as in --allow 'GET https://api.example/v1/*'")
    }
    methods = words[0] == "*" ? nil : words[0].split(separator: ",").map(String.init)
    // Methods are case-sensitive, and no standard one has a small letter (RFC 9110 §9.1).
    if let methods, let small = methods.first(where: { $0.utf8.contains { (0x61...0x7A).contains($0) } }) {
      throw .usage("--allow needs METHODS in capitals, not \(DisplayText.escaped(small))")
    }
    let url = words[1]
    guard let colon = url.utf8.firstIndex(of: UInt8(ascii: ":")), url[colon...].utf8.starts(with: "://".utf8)
    else {
      throw .usage("--allow needs a URL with its scheme, not \(DisplayText.escaped(String(url)))")
    }
    let rest = url[colon...].dropFirst(3)
    let slash = rest.utf8.firstIndex(of: UInt8(ascii: "/"))
    origin = String(url[..<(slash ?? url.endIndex)])
    path = slash.map { String(url[$0...]) } ?? "/"
  }

  /// - Parameters: the fields and bounds of every rule.
  func rule(
    _ headers: [String], _ requestBytes: Int?, _ responseBytes: Int?, perMinute: Double?
  ) -> Request.RestrictionRule {
    Request.RestrictionRule(
      methods: methods, origin: origin, path: path, headers: headers.isEmpty ? nil : headers,
      requestBytes: requestBytes, responseBytes: responseBytes, perMinute: perMinute)
  }
}

/// A listening socket in a directory that only this user can enter; both are removed at the end.
final class PrivateSocket {
  let path: String
  private let directory: String
  private(set) var descriptor: Int32

  /// Connections that wait to be accepted.
  private static let backlog: Int32 = 64

  init() throws(Failure) {
    let parent = SocketPath.runtimeDirectory ?? Environment.value(of: "TMPDIR") ?? "/tmp"
    let template = strdup("\(parent)/watchword-run-XXXXXX")
    defer { free(template) }
    // With mode 0700.
    guard let template, let made = mkdtemp(template) else { throw PrivateSocket.failure(parent) }
    directory = String(cString: made)
    path = directory + "/socket"
    let previous = umask(0o177)
    descriptor = clinux_unix_listen(path, PrivateSocket.backlog)
    umask(previous)
    guard descriptor >= 0 else {
      let failure = PrivateSocket.failure(path)
      rmdir(directory)
      throw failure
    }
  }

  /// The daemon has the socket now. When the daemon closes it, the kernel refuses connections.
  func handOver() {
    close(descriptor)
    descriptor = -1
  }

  func remove() {
    if descriptor >= 0 { handOver() }
    unlink(path)
    rmdir(directory)
  }

  private static func failure(_ path: String) -> Failure {
    Failure("\(DisplayText.escaped(path)): \(String(cString: strerror(errno)).lowercased())")
  }
}

/// A command that this program waits for: it gets the signals that this program gets.
struct RunningCommand: ~Copyable {
  private let pid: pid_t
  /// Why there is no process, when there is none.
  private let failure: Int32
  private let signals: Descriptor

  /// What a supervisor sends. What a terminal sends reaches the command without us.
  private static let forwarded = [SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2]
  // As a shell says it.
  private static let notFound: Int32 = 127
  private static let notRunnable: Int32 = 126
  private static let signalBase: Int32 = 128

  /// - Parameter socket: what `WATCHWORD_SOCKET` is for the command.
  init(_ command: [String], socket: String) throws(Failure) {
    // Blocked before the command exists: none is lost.
    let caught = RunningCommand.forwarded + [SIGCHLD]
    let number = clinux_signalfd(caught, Int32(caught.count))
    guard number >= 0 else {
      throw Failure("cannot wait for signals: \(String(cString: strerror(errno)).lowercased())")
    }
    signals = Descriptor(owning: number)
    setenv("WATCHWORD_SOCKET", socket, 1)
    // When the restriction has ended, a daemon there would have none.
    setenv("WATCHWORD_NO_START", "1", 1)
    var pointers: [UnsafeMutablePointer<CChar>?] = command.map { strdup(OctetText.cString($0)) }
    pointers.append(nil)
    defer { for pointer in pointers { free(pointer) } }
    pid = caller_run(pointers)
    failure = errno
  }

  /// Waits for its end. Reads what the daemon sends meanwhile: it closes a connection that is not read.
  ///
  /// - Returns: its exit status; 128 and the number of a signal that ended it; 127 or 126 if it could not be
  ///   run.
  consuming func wait(beside client: WatchwordClient) -> Int32 {
    guard pid > 0 else {
      let reason = String(cString: strerror(failure)).lowercased()
      Diagnostics.report(Failure("the command cannot be run: \(reason)"))
      return failure == ENOENT ? RunningCommand.notFound : RunningCommand.notRunnable
    }
    var daemon = client.number
    while true {
      let ready = caller_wait(daemon, signals.number, -1, nil)
      if ready > 0, ready & 1 != 0, !isHeard(client) { daemon = -1 }
      while let signal = next() {
        if signal == SIGCHLD, let status = ended() { return status }
        if RunningCommand.forwarded.contains(signal) { kill(pid, signal) }
      }
    }
  }

  /// The next signal that has to be passed on or says that the command has ended.
  private func next() -> Int32? {
    var isOfKernel: Int32 = 0
    let signal = caller_next_signal(signals.number, &isOfKernel)
    guard signal > 0 else { return nil }
    return isOfKernel != 0 && signal != SIGCHLD ? 0 : signal
  }

  private func ended() -> Int32? {
    var status: Int32 = 0
    guard waitpid(pid, &status, WNOHANG) == pid else { return nil }
    let signal = status & 0x7F
    return signal == 0 ? (status >> 8) & 0xFF : RunningCommand.signalBase + signal
  }

  private func isHeard(_ client: WatchwordClient) -> Bool {
    do throws(ClientError) {
      try client.receive()
      try client.notify()
      return true
    } catch {
      Diagnostics.report(Failure("the daemon has gone: the command cannot fetch any more"))
      return false
    }
  }
}
