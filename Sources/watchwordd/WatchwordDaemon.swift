internal import CLinux
internal import Glibc
internal import Logging
internal import WatchwordOptions
internal import WatchwordReactor
internal import WatchwordServer

/// The process of the daemon: what it forbids and ignores, its options, and its loop.
struct WatchwordDaemon {
  private let arguments: Arguments

  init(_ arguments: Arguments) { self.arguments = arguments }

  /// Ends the process itself after an orderly stop.
  func run() throws(Failure) -> Never {
    guard clinux_protect_process() else { throw Failure("cannot forbid core dumps") }
    let predecessor = Predecessor.ofProcess()
    do throws(Failure) {
      try run(after: predecessor)
    } catch {
      predecessor?.refuse(because: error.message)
      throw error
    }
  }

  /// - Parameter predecessor: the daemon that this one follows.
  private func run(after predecessor: Predecessor?) throws(Failure) -> Never {
    guard KnownUIDs.ofProcess.identifies(getuid()) else {
      throw Failure("uid \(getuid()) stands for every uid that this user namespace does not map")
    }
    IgnoredEnvironment.remove()
    signal(SIGPIPE, SIG_IGN)
    // No code waits for a process that holds a key.
    signal(SIGCHLD, SIG_IGN)
    // A file at its size limit is an error like a full disk, and no reason to end.
    signal(SIGXFSZ, SIG_IGN)
    ProcessDescriptors.raiseLimit()
    let place = ConfigurationPlace.resolve(arguments.configuration, environment: Environment.value(of:))
    let file = try readConfiguration(place)
    guard let path = SocketPath.resolve(arguments.socket) else {
      throw Failure("no --socket, WATCHWORD_SOCKET, XDG_RUNTIME_DIR or HOME")
    }
    var options = DaemonOptions(socketPath: path)
    options.configuration = place
    options.configurationMembers = file?.members
    options.statePlace = StatePlace.resolve(arguments.stateDirectory, environment: Environment.value(of:))
    options.idleExitSeconds = arguments.idleExit
    options.settings = file?.settings ?? options.settings
    options.secretServiceProgram = ProgramPath.folder.map { $0 + "/watchword-secret-service" }
    options.proxies = .ofProcess
    options.tokenProgram = ProgramPath.folder.map { $0 + "/watchword-pkcs11" }
    let level = arguments.logLevel ?? options.settings.logLevel ?? .notice
    if predecessor != nil {
      do throws(ListenerFault) { try Daemon.check(options) } catch { throw Failure(error.text) }
    }
    let inheritance = predecessor?.inheritance()
    // The other one goes on, or was to end without a successor.
    if predecessor != nil && inheritance == nil { _exit(EXIT_SUCCESS) }
    let failure = serve(options, level, inheritance)
    if let failure { throw Failure(failure) }
    // Threads may still wait for a disk or a server: what libraries free in `exit` would be freed under them.
    fflush(nil)
    _exit(EXIT_SUCCESS)
  }

  /// Runs the loop on this thread; returns why it did not start, or nil after an orderly stop.
  private func serve(_ options: DaemonOptions, _ level: Logger.Level, _ inheritance: Inheritance?) -> String?
  {
    let file = arguments.logFile.map(LogFile.init)
    var logger = Logger(label: "watchwordd") { label -> any LogHandler in
      if let file { return FileLogHandler(file, label: label) }
      return JournalLogHandler(label: label) ?? StreamLogHandler.standardError(label: label)
    }
    logger.logLevel = level
    var failure: String?
    EventLoop.shared.run {
      let daemon = Daemon(options, logger: logger)
      Daemon.running = daemon
      do throws(ListenerFault) {
        try daemon.start(inheritance)
        // The starter may stop reading standard error once it has heard that the daemon is ready.
        if let fault = file?.takeOver() { logger.error("no log file", metadata: ["reason": "\(fault)"]) }
      } catch {
        failure = error.text
        EventLoop.shared.stop()
      }
    }
    return failure
  }

  private func readConfiguration(_ place: ConfigurationPlace?) throws(Failure) -> ConfigurationFile? {
    guard let place else { return nil }
    do throws(ConfigurationFault) {
      return try ConfigurationFile(place)
    } catch {
      throw Failure(error.text)
    }
  }
}

/// Variables of the environment that libraries read, and that count for nothing in the daemon.
enum IgnoredEnvironment {
  /// A level below 3 has gss-ntlmssp send what is as good as the password. The others have it, and libcurl,
  /// write to files.
  private static let names = ["LM_COMPAT_LEVEL", "GSSNTLMSSP_DEBUG", "SSLKEYLOGFILE"]

  /// Call before there are threads, which may read the environment.
  static func remove() {
    for name in names { unsetenv(name) }
  }
}
