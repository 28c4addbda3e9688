internal import CLinux
internal import CTokenWire
internal import Glibc
internal import WatchwordCore
package import WatchwordReactor
internal import WatchwordVocabulary

/// Runs the keys of tokens: the administrator's PKCS#11 modules, and the program that loads them.
///
/// Each key has its own process. A module that crashes or hangs affects only one identity, and a token that one
/// session has logged in to stays closed to the others.
@ReactorActor
package final class TokenHost {
  /// Processes at once: each takes some megabytes.
  package nonisolated static let maximumProcesses = 128
  /// Those of one uid, which has a few tokens; one uid cannot take all places of a host-wide daemon.
  package nonisolated static let maximumProcessesPerUID = 32

  /// Absolute paths of the modules. A change applies to keys that are opened later.
  package var modules: [String]
  /// Nil when it is not installed beside the daemon.
  private let program: String?
  private let running = TokenProcessCounts()

  package init(modules: [String], program: String?) {
    self.modules = modules
    self.program = program
  }

  /// Number of running processes.
  package var count: Int { running.all }
  /// Number of processes started for callers of this uid.
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

  /// A running process at the other end of `descriptor`.
  package func adopt(_ descriptor: Int32, for uid: UInt32) -> TokenProcess {
    TokenProcess(descriptor, place: TokenProcessPlace(running, uid))
  }
}
