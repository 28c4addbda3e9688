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
  /// Processes at once: each takes some megabytes.
  package nonisolated static let maximumProcesses = 128
  /// Those of one uid, who has a few tokens; nobody takes all the places of a host-wide daemon.
  package nonisolated static let maximumProcessesPerUID = 32

  /// Absolute paths of the modules. A change is for keys that are opened after it.
  package var modules: [String]
  /// Nil when it is not installed beside the daemon.
  private let program: String?
  private let running = TokenProcessCounts()

  package init(modules: [String], program: String?) {
    self.modules = modules
    self.program = program
  }

  /// Processes that there are.
  package var count: Int { running.all }
  /// Those that were started for callers of this uid.
  package func count(of uid: UInt32) -> Int { running.count(of: uid) }

  func start(for uid: UInt32) throws(IdentityFault) -> TokenProcess {
    guard let program, !modules.isEmpty else { throw .tokenUnavailable }
    var arguments: [UnsafeMutablePointer<CChar>?] = ([program] + modules).map { strdup($0) }
    arguments.append(nil)
    defer { for argument in arguments { free(argument) } }
    let descriptor = clinux_spawn_connected(program, arguments)
    guard descriptor >= 0 else { throw .tokenUnavailable }
    return adopt(descriptor, for: uid)
  }

  /// A process that runs already, at the other end of `descriptor`.
  package func adopt(_ descriptor: Int32, for uid: UInt32) -> TokenProcess {
    TokenProcess(descriptor, place: TokenProcessPlace(running, uid))
  }
}

/// How many processes hold a key for each uid, on whichever thread the last user of one lets go.
private final class TokenProcessCounts: Sendable {
  private let counts = Locked<[UInt32: Int]>([:])

  var all: Int { counts.withLock { $0.values.reduce(0, +) } }
  func count(of uid: UInt32) -> Int { counts.withLock { $0[uid] ?? 0 } }

  func add(_ change: Int, for uid: UInt32) {
    counts.withLock {
      let count = ($0[uid] ?? 0) + change
      $0[uid] = count > 0 ? count : nil
    }
  }
}

/// One of the processes that there may be, for as long as somebody holds on to this.
final class TokenProcessPlace: Sendable {
  private let counts: TokenProcessCounts
  private let uid: UInt32

  fileprivate init(_ counts: TokenProcessCounts, _ uid: UInt32) {
    self.counts = counts
    self.uid = uid
    counts.add(1, for: uid)
  }

  deinit { counts.add(-1, for: uid) }
}
