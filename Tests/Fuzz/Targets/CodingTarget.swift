internal import WatchwordTransport

/// The codings of a body, a line of their own, and the body: how it is cut into pieces must not matter.
enum CodingTarget {
  /// What a bomb may make in one run.
  private static let maximumBytes = 1 << 20

  private struct Outcome: Equatable {
    var bytes: [UInt8] = []
    var isWhole = false
    var isBroken = false
    var isCut = false
  }

  @Sendable static func run(_ input: UnsafeRawBufferPointer) {
    var reader = InputReader(input)
    let size = Int(reader.byte()) + 1
    let end = reader.rest.firstIndex(of: UInt8(ascii: "\n")) ?? reader.rest.endIndex
    let codings = [String(decoding: reader.rest[..<end], as: UTF8.self)]
    let body = UnsafeRawBufferPointer(rebasing: reader.rest[end...].dropFirst())
    let whole = decode(body, codings, inPiecesOf: max(1, body.count))
    let pieces = decode(body, codings, inPiecesOf: size)
    require(whole.isCut || whole.isBroken || whole == pieces, "the pieces change what is decoded")
    require(!whole.isBroken || pieces.isBroken || pieces.isCut, "pieces of what is broken are taken")
  }

  private static func decode(
    _ body: UnsafeRawBufferPointer, _ codings: [String], inPiecesOf size: Int
  ) -> Outcome {
    var outcome = Outcome()
    var turn: UInt64 = 0
    do throws(ContentDecoding.CodingFault) {
      guard let decoding = try ContentDecoding(codings, { _ in true }) else { return outcome }
      var start = 0
      while start < body.count, !outcome.isCut {
        let piece = UnsafeRawBufferPointer(rebasing: body[start..<min(body.count, start + size)])
        turn += 1
        let progress = try decoding.receive(piece, inStep: turn, isOver: { false }) { bytes in
          outcome.bytes += bytes
          return true
        }
        if progress == .taken { start += piece.count }
        outcome.isCut = outcome.bytes.count > maximumBytes || turn > 100_000
      }
      outcome.isWhole = decoding.isWhole
    } catch {
      outcome.isBroken = true
    }
    return outcome
  }
}
