internal import CTokenWire
internal import Glibc
internal import WatchwordCore
package import WatchwordReactor
internal import WatchwordSecret
internal import WatchwordVocabulary

/// The daemon's end of `watchword-pkcs11` while it opens a key or lists certificates. Ends with its last descriptor.
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
