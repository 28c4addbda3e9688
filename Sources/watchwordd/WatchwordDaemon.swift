internal import ArgumentParser
internal import CLinux
internal import Glibc
internal import Logging
internal import WatchwordClient
internal import WatchwordReactor
internal import WatchwordServer

@main
struct WatchwordDaemon: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "watchwordd",
    abstract: "Performs HTTP fetches for other programs, and asks them when a server demands something.",
    discussion: """
      Prints "listening on PATH" when it is ready. Stops on TERM and INT after running tasks, reads its \
      configuration again on HUP.

      EXAMPLE: watchwordd --socket "$XDG_RUNTIME_DIR/watchword/watchword.sock"
      """,
    version: DaemonOptions.version)

  @Option(help: "The socket to listen on; its directory must be yours alone (mode 0700).")
  var socket: String?

  @Option(help: "Where permanent decisions about certificates are kept; made for you alone (mode 0700).")
  var stateDirectory: String?

  @Option(help: "A JSON file: logLevel, access (user or host), transportSecurity, pkcs11Modules.")
  var configuration: String?

  @Option(help: "trace, debug, info, notice, warning, error or critical.")
  var logLevel: String?

  @Option(
    help: "Log to this file from when it is ready, instead of standard error; bounded to 2 MiB with FILE.1.")
  var logFile: String?

  @Option(help: "Stop after so many seconds without connections, tasks and anything that a session holds.")
  var idleExit: Double?

  func run() throws {
    clinux_reserve_standard_descriptors()
    guard clinux_protect_process() else { throw Failure("cannot forbid core dumps") }
    signal(SIGPIPE, SIG_IGN)
    // No code waits for a process that holds a key.
    signal(SIGCHLD, SIG_IGN)
    // A file at its size limit is an error like a full disk, and no reason to end.
    signal(SIGXFSZ, SIG_IGN)
    ProcessDescriptors.raiseLimit()
    let file = try readConfiguration()
    guard let path = SocketPath.resolve(socket) else {
      throw Failure("no --socket, WATCHWORD_SOCKET, XDG_RUNTIME_DIR or HOME")
    }
    var options = DaemonOptions(socketPath: path)
    options.configurationPath = configuration
    options.statePlace = StatePlace.resolve(stateDirectory, environment: SocketPath.environment)
    options.idleExitSeconds = idleExit
    options.isHostWide = file?.isHostWide ?? false
    options.policy = file?.policy ?? options.policy
    options.kerberosFiles = file?.kerberosFiles ?? options.kerberosFiles
    options.historyPath = file?.historyPath
    options.historyJournal = file?.historyJournal
    options.sources = file?.sources ?? options.sources
    options.idleLockSeconds = file?.idleLockSeconds
    options.locksOnSuspend = file?.locksOnSuspend ?? false
    options.restrictedSockets = file?.restrictedSockets ?? []
    options.vaultCredential = file?.vaultCredential
    options.usesSecretService = file?.usesSecretService ?? true
    options.secretServiceProgram = ProgramFolder.own.map { $0 + "/watchword-secret-service" }
    options.synchronization = file?.synchronization
    options.proxies = .ofProcess
    options.tokenModules = file?.tokenModules ?? []
    options.tokenProgram = ProgramFolder.own.map { $0 + "/watchword-pkcs11" }
    let level = try level() ?? file?.logLevel ?? .notice
    let failure = serve(options, level)
    if let failure { throw Failure(failure) }
    // Threads may still wait for a disk or a server: what libraries free in `exit` would be freed under them.
    fflush(nil)
    _exit(EXIT_SUCCESS)
  }

  /// Exit status as in our other commands: 2 for a wrong command line, 1 for a daemon that cannot serve.
  static func main() {
    do {
      var command = try parseAsRoot()
      try command.run()
    } catch {
      guard exitCode(for: error) == .validationFailure else { exit(withError: error) }
      var text = fullMessage(for: error) + "\n"
      text.withUTF8 { _ = write(STDERR_FILENO, $0.baseAddress, $0.count) }
      exit(withError: ExitCode.usage)
    }
  }

  func validate() throws {
    if let idleExit, !(0...31_536_000).contains(idleExit) {
      throw ValidationError("--idle-exit must be from 0 to 31536000 seconds")
    }
  }

  /// Runs the loop on this thread; returns why it did not start, or nil after an orderly stop.
  private func serve(_ options: DaemonOptions, _ level: Logger.Level) -> String? {
    let file = logFile.map(LogFile.init)
    var logger = Logger(label: "watchwordd") { label in
      if let file { FileLogHandler(file, label: label) } else { StreamLogHandler.standardError(label: label) }
    }
    logger.logLevel = level
    var failure: String?
    EventLoop.shared.run {
      let daemon = Daemon(options, logger: logger)
      Daemon.running = daemon
      do throws(ListenerFault) {
        try daemon.start()
        // The starter may stop reading standard error once it has heard that the daemon is ready.
        if let fault = file?.takeOver() { logger.error("no log file", metadata: ["reason": "\(fault)"]) }
      } catch {
        failure = error.text
        EventLoop.shared.stop()
      }
    }
    return failure
  }

  private func readConfiguration() throws -> ConfigurationFile? {
    guard let configuration else { return nil }
    do throws(ConfigurationFault) {
      return try ConfigurationFile(path: configuration)
    } catch {
      throw Failure(error.text)
    }
  }

  private func level() throws -> Logger.Level? {
    guard let logLevel else { return nil }
    guard let level = Logger.Level(rawValue: logLevel) else {
      throw ValidationError("--log-level: no level \(logLevel)")
    }
    return level
  }
}
