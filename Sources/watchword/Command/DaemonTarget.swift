internal import WatchwordJSON
internal import WatchwordMessages
internal import WatchwordOptions

/// The daemon that a command connects to, and whether it may start one.
struct DaemonTarget {
  var socket: String?
  var mayStart = Environment.value(of: "WATCHWORD_NO_START") == nil
  /// Whether the command starts a daemon at all.
  var isStarter = true

  func connect() throws(Failure) -> WatchwordClient {
    guard let path = SocketPath.resolve(socket) else {
      throw Failure(
        "cannot determine the daemon's socket", hint: "use --socket PATH, or set HOME",
        exitCode: .noDaemon)
    }
    do throws(ClientError) {
      let launcher = DaemonLauncher(path: path, isStandard: SocketPath.isStandard(path))
      let connection = try launcher.connect(mayStart: mayStart)
      guard mayStart else { return WatchwordClient(connection) }
      return WatchwordClient(connection) { () throws(ClientError) in try launcher.connect(mayStart: true) }
    } catch {
      let failure = Failure(error)
      guard !isStarter, case .noDaemon(_, let reason) = error, reason.forbidsStarting else { throw failure }
      // Without a hint: the user need not do anything.
      throw Failure(failure.message, exitCode: failure.exitCode)
    }
  }
}

extension WatchwordClient {
  /// ``call(_:descriptors:reserving:)`` with an error for a person.
  @discardableResult
  func ask<Request: MethodRequest>(
    _ request: Request, descriptors: [Int32] = [], reserving size: Int = 0
  ) throws(Failure) -> Request.Result {
    do throws(ClientError) {
      return try call(request, descriptors: descriptors, reserving: size)
    } catch {
      throw Failure(error)
    }
  }

  /// The result, and what of it the option `--json` shows.
  func askReply<Request: MethodRequest>(
    _ request: Request, descriptors: [Int32] = [], reserving size: Int = 0
  ) throws(Failure) -> Reply<Request.Result> {
    do throws(ClientError) {
      return try callReply(request, descriptors: descriptors, reserving: size)
    } catch {
      throw Failure(error)
    }
  }
}
