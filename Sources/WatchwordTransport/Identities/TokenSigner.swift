internal import Glibc
internal import WatchwordReactor

/// Has one token sign for the handshakes that wait for it, one after the other.
@ReactorActor
final class TokenSigner {
  /// A card takes 0.2 s, a slow one a second. A token that takes longer may never answer.
  private static let patienceSeconds = 2.0

  /// The token is signing for the first one.
  private var waiting: [TokenSignature] = []
  private var watch: Watch?
  private var timer: LoopTimer?

  nonisolated init() {}

  func sign(_ signature: TokenSignature) {
    waiting.append(signature)
    if waiting.count == 1 { askForFirst() }
  }

  /// The first one stays until the token has answered; its answer is dropped.
  func withdraw(_ signature: TokenSignature) {
    guard let place = waiting.firstIndex(where: { $0 === signature }), place > 0 else { return }
    waiting.remove(at: place)
  }

  private func askForFirst() {
    guard let first = waiting.first else { return stop() }
    guard let descriptor = connection(of: first), first.send(over: descriptor) else { return fail() }
    timer?.cancel()
    timer = EventLoop.shared.schedule(after: Self.patienceSeconds) { self.fail() }
  }

  /// The watch, and with it this, lives while a signature is awaited.
  private func connection(of signature: TokenSignature) -> Int32? {
    if let watch { return watch.descriptor }
    guard let descriptor = signature.identity?.duplicateConnection() else { return nil }
    watch = try? EventLoop.shared.watch(descriptor, for: .readable) { _ in self.receive() }
    if watch == nil { close(descriptor) }
    return watch?.descriptor
  }

  private func receive() {
    guard let watch, let first = waiting.first,
      let isSigned = first.receive(over: watch.descriptor)
    else { return }
    guard isSigned else { return fail() }
    waiting.removeFirst()
    first.settle(isSigned: true)
    askForFirst()
  }

  /// A later packet would be taken for the answer to another request: the token is not asked again.
  private func fail() {
    let refused = waiting
    waiting.removeAll()
    stop()
    refused.first?.identity?.fail()
    for signature in refused { signature.settle(isSigned: false) }
  }

  private func stop() {
    timer?.cancel()
    timer = nil
    guard let watch else { return }
    watch.cancel()
    close(watch.descriptor)
    self.watch = nil
  }
}
