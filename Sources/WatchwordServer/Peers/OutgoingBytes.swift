internal import CLinux
internal import Glibc
internal import WatchwordJSON
internal import WatchwordMessages
internal import WatchwordProtocol

/// Bytes and descriptors to be sent to a peer.
struct OutgoingBytes: ~Copyable {
  enum Progress {
    case done
    /// The peer reads no more for now; `progress` when it read something.
    case blocked(progress: Bool)
    case failed
  }

  /// Kept between messages; a larger buffer is freed.
  private static let keptCapacity = 64 * 1024

  private var writer = JSONWriter()
  private var sent = 0
  /// Descriptors, and the offset in the buffer of the message that they belong to.
  private var attachments: [(offset: Int, descriptors: [Int32])] = []

  var count: Int { writer.buffer.count - sent }
  var isEmpty: Bool { count == 0 }

  mutating func append(
    descriptors: [Int32], framing: Framing, _ write: (inout JSONWriter) -> Void
  ) {
    let start = writer.buffer.count
    if !descriptors.isEmpty { attachments.append((start, descriptors)) }
    writer.startAgain()
    write(&writer)
    framing.close(&writer.buffer, from: start)
  }

  mutating func flush(to descriptor: Int32) -> Progress {
    var progress = false
    while sent < writer.buffer.count {
      let end = attachments.first.map { $0.offset > sent ? $0.offset : nextOffset } ?? writer.buffer.count
      let attached = attachments.first.flatMap { $0.offset == sent ? $0.descriptors : nil } ?? []
      let written = writer.buffer.withUnsafeBytes { bytes in
        clinux_send(
          descriptor, bytes.baseAddress.map { $0 + sent }, end - sent, attached, Int32(attached.count), false)
      }
      guard written > 0 else {
        if errno == EINTR { continue }
        dropSent()
        return errno == EAGAIN || errno == EWOULDBLOCK ? .blocked(progress: progress) : .failed
      }
      if !attached.isEmpty {
        for descriptor in attached { close(descriptor) }
        attachments.removeFirst()
      }
      progress = true
      sent += written
    }
    reset()
    return .done
  }

  mutating func closeAll() {
    for attachment in attachments { for descriptor in attachment.descriptors { close(descriptor) } }
    attachments = []
    reset()
  }

  private var nextOffset: Int { attachments.dropFirst().first?.offset ?? writer.buffer.count }

  /// Drops sent bytes once they are as many as the waiting ones: otherwise a reader that is always a little behind
  /// makes the daemon keep all that it ever read. No more bytes are moved than were sent.
  private mutating func dropSent() {
    guard sent >= OutgoingBytes.keptCapacity, sent >= count else { return }
    writer.buffer.removeFirst(sent)
    for index in attachments.indices { attachments[index].offset -= sent }
    sent = 0
  }

  private mutating func reset() {
    sent = 0
    if writer.buffer.capacity > OutgoingBytes.keptCapacity {
      writer = JSONWriter()
    } else {
      writer.buffer.removeAll()
    }
  }
}
