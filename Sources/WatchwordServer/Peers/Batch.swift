internal import Glibc
internal import WatchwordJSON
internal import WatchwordMessages
internal import WatchwordProtocol
internal import WatchwordReactor

/// The replies to one batch, sent together after the last one (JSON-RPC 2.0 §6).
@ReactorActor
final class Batch {
  private let peer: Peer
  /// The charge for the collected replies.
  private let charge: MemoryCharge
  private var writer = JSONWriter()
  private var descriptors: [Int32] = []
  private var expected = 0
  private var isSealed = false
  private var hasBegun = false

  init(peer: Peer, charge: MemoryCharge) {
    self.peer = peer
    self.charge = charge
  }

  func expect() { expected += 1 }

  /// Replies wait for the slowest. One that exceeds the uid's budget is replaced by an error, which is small.
  func add(_ identifier: RequestIdentifier, descriptors new: [Int32], _ write: (inout JSONWriter) -> Void) {
    if !hasBegun { writer.beginArray() }
    hasBegun = true
    var reply = JSONWriter()
    write(&reply)
    if charge.grow(by: reply.buffer.count) {
      descriptors += new
      reply.buffer.withUnsafeBytes { writer.raw($0) }
    } else {
      for descriptor in new { close(descriptor) }
      Envelope.error(to: &writer, identifier, .overBudget)
    }
    expected -= 1
    sendIfWhole()
  }

  /// The connection is closed: drops the collected replies.
  func abandon() {
    for descriptor in descriptors { close(descriptor) }
    descriptors = []
    writer = JSONWriter()
    charge.giveBack()
  }

  /// No more requests follow.
  func seal() {
    isSealed = true
    sendIfWhole()
  }

  /// A batch of notifications alone gets no answer.
  private func sendIfWhole() {
    guard isSealed, expected == 0, hasBegun else { return }
    hasBegun = false
    writer.endArray()
    peer.send(descriptors: descriptors) { out in writer.buffer.withUnsafeBytes { out.raw($0) } }
    writer = JSONWriter()
    charge.giveBack()
  }
}
