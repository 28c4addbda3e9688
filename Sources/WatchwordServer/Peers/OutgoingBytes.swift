internal import CLinux
internal import Glibc
internal import WatchwordJSON
internal import WatchwordMessages
internal import WatchwordProtocol

/// Bytes and files to be sent to a peer.
///
/// They are pieces, so that each can be freed when it is sent, and so that one can be shared by many peers.
struct OutgoingBytes: ~Copyable {
  enum Progress {
    case done
    /// The peer reads no more for now; `progress` when it read something.
    case blocked(progress: Bool)
    case failed
  }

  /// Some messages, or a part of one. A class, because a writer cannot be copied.
  final class Piece {
    var writer = JSONWriter()
    /// Those of a batch, for all its pieces together; they end with the last of these.
    var charges: [MemoryCharge] = []
    /// A text of others, which costs nothing here; then nothing is in `writer`.
    private let shared: [UInt8]?

    init(sharing shared: [UInt8]? = nil) { self.shared = shared }

    var count: Int { shared?.count ?? writer.buffer.count }
    var heldBytes: Int { charges.isEmpty ? writer.buffer.capacity : 0 }

    func withUnsafeBytes(_ body: (UnsafeRawBufferPointer) -> Int) -> Int {
      shared?.withUnsafeBytes(body) ?? writer.buffer.withUnsafeBytes(body)
    }
  }

  /// A piece ends when it is that large.
  static let pieceBytes = 64 * 1024
  /// A buffer is kept between messages, as a part of what a connection counts for; a larger one is freed.
  private static let keptBytes = 4096

  /// Complete ones, which are sent before what is in `writer`.
  private var pieces: [Piece] = []
  private var writer = JSONWriter()
  private var heldByPieces = 0
  /// Of the first piece, or of `writer` when there is none.
  private var sentOfFirst = 0
  /// Since the beginning of the connection.
  private var sent = 0
  /// Files, and the offset in the stream of the message that they belong to.
  private var attachments: [(offset: Int, files: [MemoryFile])] = []

  /// Bytes that wait.
  private(set) var count = 0
  var isEmpty: Bool { count == 0 }
  /// The memory of those that are not shared, and not counted by a batch.
  var heldBytes: Int { isEmpty ? 0 : heldByPieces + writer.buffer.capacity }

  /// Appends one message, unless `mayHold` refuses the memory of all that waits with it; then returns false.
  mutating func append(
    with files: [MemoryFile] = [], framing: Framing, mayHold: (Int) -> Bool = { _ in true },
    _ write: (inout JSONWriter) -> Void
  ) -> Bool {
    if writer.buffer.count >= OutgoingBytes.pieceBytes { closePiece() }
    let start = writer.buffer.count
    writer.startAgain()
    write(&writer)
    framing.close(&writer.buffer, from: start)
    guard mayHold(heldByPieces + writer.buffer.capacity) else {
      takeBack(from: start)
      return false
    }
    attach(files)
    count += writer.buffer.count - start
    return true
  }

  /// Appends one message with a text of others in it.
  ///
  /// - Parameter write: writes the rest and returns where the text belongs, in bytes of the writer.
  mutating func append(framing: Framing, sharing text: [UInt8], _ write: (inout JSONWriter) -> Int) {
    let start = writer.buffer.count
    writer.startAgain()
    let place = write(&writer)
    let behind = writer.buffer.count - place + framing.trailer.utf8.count
    framing.close(&writer.buffer, from: start, elsewhere: text.count)
    let end = writer.buffer.withUnsafeBytes { Array($0.suffix(behind)) }
    count += writer.buffer.count - start + text.count
    writer.buffer.truncate(to: writer.buffer.count - behind)
    closePiece()
    add(Piece(sharing: text))
    writer.buffer.append(contentsOf: end)
  }

  /// Appends one message that was put together elsewhere.
  mutating func append(_ message: [Piece], with files: [MemoryFile], framing: Framing) {
    attach(files)
    let size = message.reduce(0) { $0 + $1.count }
    let header = framing.header(size)
    writer.buffer.append(contentsOf: header.utf8)
    closePiece()
    for piece in message { add(piece) }
    writer.buffer.append(contentsOf: framing.trailer.utf8)
    count += header.utf8.count + size + framing.trailer.utf8.count
  }

  mutating func flush(to descriptor: Int32) -> Progress {
    var progress = false
    while count > 0 {
      let attached = attachments.first.flatMap { $0.offset == sent ? $0.files.map(\.number) : nil } ?? []
      let next = attached.isEmpty ? attachments.first : attachments.dropFirst().first
      let most = next.map { $0.offset - sent } ?? .max
      let send = { [sentOfFirst] (bytes: UnsafeRawBufferPointer) in
        clinux_send(
          descriptor, bytes.baseAddress.map { $0 + sentOfFirst }, min(bytes.count - sentOfFirst, most),
          attached,
          Int32(attached.count), false)
      }
      let written = SystemCall.uninterrupted {
        pieces.first?.withUnsafeBytes(send) ?? writer.buffer.withUnsafeBytes(send)
      }
      guard written > 0 else { return errno == EAGAIN ? .blocked(progress: progress) : .failed }
      if !attached.isEmpty { attachments.removeFirst() }
      progress = true
      advance(by: written)
    }
    reset()
    return .done
  }

  mutating func closeAll() {
    attachments = []
    reset()
  }

  // MARK: Steps

  private mutating func attach(_ files: [MemoryFile]) {
    if !files.isEmpty { attachments.append((sent + count, files)) }
  }

  private mutating func add(_ piece: Piece) {
    pieces.append(piece)
    heldByPieces += piece.heldBytes
  }

  private mutating func closePiece() {
    guard !writer.buffer.isEmpty else { return }
    let piece = Piece()
    swap(&piece.writer, &writer)
    add(piece)
  }

  /// Removes what was just written, and the memory that it has taken.
  private mutating func takeBack(from start: Int) {
    let kept = Piece()
    writer.buffer.withUnsafeBytes {
      kept.writer.buffer.append(UnsafeRawBufferPointer(rebasing: $0[..<start]))
    }
    swap(&kept.writer, &writer)
  }

  private mutating func advance(by written: Int) {
    sent += written
    count -= written
    sentOfFirst += written
    guard let first = pieces.first, sentOfFirst == first.count else { return }
    heldByPieces -= first.heldBytes
    pieces.removeFirst()
    sentOfFirst = 0
  }

  private mutating func reset() {
    pieces = []
    heldByPieces = 0
    sent += count
    count = 0
    sentOfFirst = 0
    if writer.buffer.capacity > OutgoingBytes.keptBytes {
      writer = JSONWriter()
    } else {
      writer.buffer.removeAll()
    }
  }
}
