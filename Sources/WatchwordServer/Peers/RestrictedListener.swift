internal import CLinux
internal import Glibc
internal import WatchwordReactor
internal import WatchwordVocabulary

/// A listening socket of a caller's, whose connections are restricted.
@ReactorActor
final class RestrictedListener {
  let entrance: RestrictedEntrance
  private let socket: Socket
  private let accept: @ReactorActor (Int32, RestrictedEntrance) -> Void
  private var watch: Watch?
  private var pause: LoopTimer?
  private(set) var hasEnded = false

  /// The descriptor, which threads share while a connection is accepted.
  private final class Socket: Sendable {
    let number: Int32

    init(_ number: Int32) { self.number = number }

    deinit { DescriptorCloser.close(number) }

    /// The next connection, or what kept it from being accepted as `-errno`.
    func next() -> Int32 {
      let connection = clinux_accept(number)
      return connection < 0 ? -errno : connection
    }
  }

  /// Whether the socket blocks is shared with the caller, who may take a connection before the daemon does:
  /// accepting may wait. Each listener waits for one connection at a time, so there are threads for all.
  private static let pool = BlockingPool(threads: Limits.restrictedListeners)
  /// As for the daemon's own socket.
  private static let pauseSeconds = 0.1

  /// Takes over `number`, which is a listening Unix stream socket.
  init(
    _ number: Int32, for restriction: ActiveRestriction,
    accept: @escaping @ReactorActor (Int32, RestrictedEntrance) -> Void
  ) {
    socket = Socket(number)
    entrance = RestrictedEntrance(restriction)
    self.accept = accept
  }

  func begin() {
    watch = try? EventLoop.shared.watch(socket.number, for: .readable) { [weak self] interest in
      guard let self else { return }
      // The caller has shut it down.
      if interest.contains(.hangUp) { return end() }
      acceptNext()
    }
    if watch == nil { end() }
  }

  private func acceptNext() {
    watch?.interest = []
    RestrictedListener.pool.submit { [socket] in
      socket.next()
    } then: { [weak self] connection in
      guard let self, !hasEnded else {
        if connection >= 0 { DescriptorCloser.close(connection) }
        return
      }
      if connection >= 0 { accept(connection, entrance) }
      if [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(-connection) { return rest() }
      watch?.interest = .readable
    }
  }

  private func rest() {
    pause = EventLoop.shared.schedule(after: RestrictedListener.pauseSeconds) { [weak self] in
      self?.watch?.interest = .readable
    }
  }

  /// Accepts no more connections; those that there are go on.
  func end() {
    guard !hasEnded else { return }
    hasEnded = true
    pause?.cancel()
    watch?.cancel()
    watch = nil
    // A thread may wait for a connection.
    shutdown(socket.number, Int32(SHUT_RDWR))
  }
}

/// The connections of one socket, which share one restriction.
@ReactorActor
final class RestrictedEntrance {
  let restriction: ActiveRestriction
  private(set) var peers: Set<PeerIdentifier> = []

  init(_ restriction: ActiveRestriction) { self.restriction = restriction }

  var isFull: Bool { peers.count >= Limits.connectionsPerListener }

  func admit(_ peer: Peer) {
    peers.insert(peer.identifier)
    peer.entrance = self
    restriction.restrict(peer)
  }

  func remove(_ peer: PeerIdentifier) { peers.remove(peer) }
}
