internal import CLinux
internal import CLoaded
internal import Glibc
internal import WatchwordCore
internal import WatchwordReactor

/// Drives ``SuspendWatch``: the connection to the system's bus and the inhibitor that logind gave.
@ReactorActor
final class SuspendWatcher {
  /// Messages handled in one turn: a bus that floods has its share of the loop, and waits in the socket.
  private static let messagesPerTurn: Int32 = 32

  private var machine = SuspendWatch()
  private let lockAll: @ReactorActor () async -> Void
  private let changed: () -> Void
  private var bus: OpaquePointer?
  private var watch: Watch?
  private var deadline: LoopTimer?
  private var delay: LoopTimer?
  private var inhibitor: Int32?

  /// - Parameters:
  ///   - lockAll: locks every agent, and returns when nothing decrypted is left.
  ///   - changed: is called when `state` may have changed.
  init(lockAll: @escaping @ReactorActor () async -> Void, changed: @escaping () -> Void) {
    self.lockAll = lockAll
    self.changed = changed
  }

  var state: SuspendWatch.State { machine.state }

  func turn(on isOn: Bool) { perform(isOn ? machine.turnOn() : machine.turnOff()) }

  private func perform(_ effects: [SuspendWatch.Effect]) {
    for effect in effects {
      switch effect {
      case .connect: connect()
      case .disconnect: disconnect()
      case .takeInhibitor:
        guard let bus, logind_inhibit(bus, "Watchword", "wipes secrets from memory") else {
          perform(machine.notAnswered())
          continue
        }
        schedule()
      case .releaseInhibitor: releaseInhibitor()
      case .lockAll:
        EventLoop.shared.begin { [weak self, lockAll] in
          await lockAll()
          self?.wiped()
        }
      case .wait(let seconds):
        delay?.cancel()
        delay = EventLoop.shared.schedule(after: seconds) { [weak self] in self?.timeIsUp() }
      }
    }
    changed()
  }

  private func wiped() { perform(machine.wiped()) }
  private func timeIsUp() { perform(machine.timeIsUp()) }

  private func releaseInhibitor() {
    if let inhibitor { DescriptorCloser.close(inhibitor) }
    inhibitor = nil
  }

  // MARK: The connection

  private func connect() {
    guard logind_is_available() else { return machine.libraryMissing() }
    let context = Unmanaged.passUnretained(self).toOpaque()
    guard let opened = logind_open(SuspendWatcher.events, context) else {
      return perform(machine.disconnected())
    }
    bus = opened
    do throws(ReactorError) {
      watch = try EventLoop.shared.watch(logind_descriptor(opened), for: []) { [weak self] _ in
        self?.process()
      }
    } catch {
      return perform(machine.disconnected())
    }
    perform(machine.connected())
  }

  private func disconnect() {
    watch?.cancel()
    deadline?.cancel()
    (watch, deadline) = (nil, nil)
    if let bus { logind_close(bus) }
    bus = nil
  }

  private func process() {
    guard let bus else { return }
    let result = logind_process(bus, SuspendWatcher.messagesPerTurn)
    if result < 0 { perform(machine.disconnected()) } else { schedule() }
  }

  /// Waits for what sd-bus waits for. With messages that it has read and not handled, its deadline has
  /// passed.
  private func schedule() {
    guard let bus, let watch else { return }
    let events = logind_poll_events(bus)
    var interest: Interest = []
    if events & POLLIN != 0 { interest.insert(.readable) }
    if events & POLLOUT != 0 { interest.insert(.writable) }
    watch.interest = interest
    deadline?.cancel()
    deadline = nil
    let time = logind_deadline(bus)
    guard time != UInt64.max else { return }
    let seconds = Double(time) / 1e6 - EventLoop.monotonicSeconds()
    deadline = EventLoop.shared.schedule(after: seconds) { [weak self] in self?.process() }
  }

  // MARK: What logind says

  private static let events = logind_events(
    inhibited: { context, descriptor in
      SuspendWatcher.of(context) { watcher in
        watcher.releaseInhibitor()
        if descriptor >= 0 { watcher.inhibitor = descriptor }
        watcher.perform(watcher.machine.answered(hasInhibitor: descriptor >= 0))
      }
    },
    unanswered: { context in
      SuspendWatcher.of(context) { $0.perform($0.machine.notAnswered()) }
    },
    owner_changed: { context, isThere in
      SuspendWatcher.of(context) { $0.perform($0.machine.ownerChanged(isThere: isThere)) }
    },
    sleep: { context, isBeginning in
      SuspendWatcher.of(context) { watcher in
        watcher.perform(isBeginning ? watcher.machine.sleepBegins() : watcher.machine.sleepIsOver())
      }
    })

  private nonisolated static func of(
    _ context: UnsafeMutableRawPointer, _ body: @ReactorActor (SuspendWatcher) -> Void
  ) {
    let watcher = Unmanaged<SuspendWatcher>.fromOpaque(context).takeUnretainedValue()
    assumeOnLoop { body(watcher) }
  }
}
