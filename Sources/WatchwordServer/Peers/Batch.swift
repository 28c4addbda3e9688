internal import WatchwordJSON
internal import WatchwordMessages
internal import WatchwordProtocol
internal import WatchwordReactor

/// The replies to one batch, sent together after the last one (JSON-RPC 2.0 §6).
@ReactorActor
final class Batch {
  /// Bytes of a reply that is kept in any case: an error instead of it would hardly be smaller.
  private static let smallReply = 2048

  private let peer: Peer
  /// For the collected replies.
  private let charge: MemoryCharge
  /// For small ones, errors among them, which take no room from others.
  private let smallCharge: MemoryCharge
  /// The message so far. It is handed on as it is: a copy of it would be held twice.
  private var pieces: [OutgoingBytes.Piece] = []
  private var files: [MemoryFile] = []
  private var expected = 0
  private var isSealed = false
  private var hasBegun = false

  init(peer: Peer, charge: MemoryCharge, smallCharge: MemoryCharge) {
    self.peer = peer
    self.charge = charge
    self.smallCharge = smallCharge
  }

  func expect() { expected += 1 }

  /// Replies wait for the slowest. One that exceeds the uid's budget is replaced by an error, which is small.
  func add(_ identifier: RequestIdentifier, with new: [MemoryFile], _ write: (inout JSONWriter) -> Void) {
    let reply = OutgoingBytes.Piece()
    reply.writer.buffer.append(UInt8(ascii: hasBegun ? "," : "["))
    hasBegun = true
    write(&reply.writer)
    // Nothing is appended to a large one. Small ones share their memory.
    if reply.count > OutgoingBytes.pieceBytes / 2 { reply.writer.buffer.fit() }
    if append(reply) { files += new } else { appendError(identifier, instead: reply) }
    expected -= 1
    sendIfWhole()
  }

  /// The connection is closed: drops the collected replies.
  func abandon() {
    files = []
    pieces = []
    charge.giveBack()
    smallCharge.giveBack()
  }

  /// No more requests follow.
  func seal() {
    isSealed = true
    sendIfWhole()
  }

  /// Small replies share a piece. False when the uid may not keep that much.
  private func append(_ reply: OutgoingBytes.Piece, isError: Bool = false) -> Bool {
    let shared = pieces.last.flatMap { $0.count + reply.count <= OutgoingBytes.pieceBytes ? $0 : nil }
    let growth = shared.map { $0.writer.buffer.growth(for: reply.count) } ?? reply.heldBytes
    if isError || reply.count <= Batch.smallReply {
      smallCharge.growAnyway(by: growth)
    } else {
      guard charge.grow(by: growth) else { return false }
    }
    if let shared {
      reply.writer.buffer.withUnsafeBytes { shared.writer.buffer.append($0) }
    } else {
      pieces.append(reply)
    }
    return true
  }

  private func appendError(_ identifier: RequestIdentifier, instead reply: OutgoingBytes.Piece) {
    let error = OutgoingBytes.Piece()
    reply.writer.buffer.withUnsafeBytes {
      error.writer.buffer.append(UnsafeRawBufferPointer(rebasing: $0.prefix(1)))
    }
    Envelope.error(to: &error.writer, identifier, .overBudget)
    _ = append(error, isError: true)
  }

  /// A batch of notifications alone gets no answer.
  private func sendIfWhole() {
    guard isSealed, expected == 0, hasBegun else { return }
    pieces.last?.writer.endArray()
    let message = pieces
    pieces = []
    for piece in message { piece.charges = [charge, smallCharge] }
    peer.send(message, with: files)
    files = []
  }
}
