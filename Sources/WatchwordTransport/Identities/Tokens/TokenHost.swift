internal import CLinux
internal import CTokenWire
internal import Glibc
internal import WatchwordCore
package import WatchwordReactor

/// Where the keys of tokens are: the administrator's PKCS#11 modules, and the program that runs them.
///
/// Each key has a process of its own. A module that crashes or hangs takes one identity with it, and a token that one
/// session has logged in to is closed to the others.
@ReactorActor
package final class TokenHost {
  /// Processes at once: a host has a few tokens, and each process takes some megabytes.
  package nonisolated static let maximumProcesses = 32

  /// Absolute paths of the modules. A change is for keys that are opened after it.
  package var modules: [String]
  /// Nil when it is not installed beside the daemon.
  private let program: String?
  private let running = TokenProcessCount()

  package init(modules: [String], program: String?) {
    self.modules = modules
    self.program = program
  }

  /// Processes that there are.
  package var count: Int { running.value }
  package var isFull: Bool { count >= TokenHost.maximumProcesses }

  func start() throws(IdentityFault) -> TokenProcess {
    guard let program, !modules.isEmpty, !isFull else { throw .tokenUnavailable }
    var arguments: [UnsafeMutablePointer<CChar>?] = ([program] + modules).map { strdup($0) }
    arguments.append(nil)
    defer { for argument in arguments { free(argument) } }
    let descriptor = clinux_spawn_connected(program, arguments)
    guard descriptor >= 0 else { throw .tokenUnavailable }
    return TokenProcess(descriptor, place: TokenProcessPlace(running))
  }
}

/// How many processes hold a key, on whichever thread the last user of one lets go.
private final class TokenProcessCount: Sendable {
  private let count = Locked(0)

  var value: Int { count.withLock { $0 } }
  func add(_ change: Int) { count.withLock { $0 += change } }
}

/// One of the processes that there may be, for as long as somebody holds on to this.
final class TokenProcessPlace: Sendable {
  private let count: TokenProcessCount

  fileprivate init(_ count: TokenProcessCount) {
    self.count = count
    count.add(1)
  }

  deinit { count.add(-1) }
}
