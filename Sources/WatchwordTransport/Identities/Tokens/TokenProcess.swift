internal import CLinux
internal import CTokenWire
internal import Glibc
internal import WatchwordCore
package import WatchwordReactor
internal import WatchwordVocabulary

/// The daemon's end of `watchword-pkcs11` while it opens a key or lists certificates. Ends with its last
/// descriptor.
@ReactorActor
package final class TokenProcess {
  private let descriptor: Int32
  /// Duplicates of the descriptor retain it.
  let place: TokenProcessPlace
  /// Nil once it has stopped.
  private var watch: Watch?
  private var timer: LoopTimer?
  private var packet = [UInt8](repeating: 0, count: Int(token_packet_bytes))

  /// - Parameter descriptor: closed when it stops.
  init(_ descriptor: Int32, place: TokenProcessPlace) {
    self.descriptor = descriptor
    self.place = place
  }

  /// Sends one packet; false when the process has ended.
  func send(_ packet: Secret) -> Bool {
    packet.withBytes {
      Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
    } == packet.count
  }

  /// Delivers each received packet; stops when the process has ended or has taken too long in total.
  func receive(
    within seconds: Double, _ handler: @escaping @ReactorActor (UnsafeRawBufferPointer) -> Void
  ) throws(IdentityFault) {
    do throws(ReactorError) {
      watch = try EventLoop.shared.watch(descriptor, for: .readable) { [weak self] _ in
        // The handler may release this.
        guard let self else { return }
        let count = recv(descriptor, &packet, packet.count, Int32(MSG_DONTWAIT))
        if count < 0 && (errno == EAGAIN || errno == EINTR) { return }
        packet.withUnsafeBytes { handler(UnsafeRawBufferPointer(rebasing: $0[..<max(count, 0)])) }
      }
    } catch {
      close(descriptor)
      throw .tokenUnavailable
    }
    timer = EventLoop.shared.schedule(after: seconds) {
      handler(UnsafeRawBufferPointer(start: nil, count: 0))
    }
  }

  /// Duplicates the connection for the key that is made of it, which closes it. -1 on failure.
  func duplicate() -> Int32 { fcntl(descriptor, F_DUPFD_CLOEXEC, 0) }

  /// Stops receiving. The process ends unless there is a duplicate.
  func stop() {
    timer?.cancel()
    timer = nil
    guard let watch else { return }
    watch.cancel()
    self.watch = nil
    close(descriptor)
  }
}

/// Runs the keys of tokens: the administrator's PKCS#11 modules, and the program that loads them.
///
/// Each key has its own process. A module that crashes or hangs affects only one identity, and a token that
/// one session has logged in to stays closed to the others.
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
