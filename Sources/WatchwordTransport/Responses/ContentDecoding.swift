internal import CTransport
internal import WatchwordCore
internal import WatchwordVocabulary

/// Decodes the content codings of one response body, with any number of layers.
///
/// It pulls: the outermost layer is asked for a piece, and asks the one below for its input. Every layer
/// therefore holds only one buffer, a bomb grows in none of them, and the body can pause at any piece.
package final class ContentDecoding {
  package enum CodingFault: Error {
    /// An unknown coding, too many layers, or bytes that are invalid in their coding.
    case broken
    /// More memory than may be taken.
    case overBudget
  }

  /// What happened to the received bytes.
  package enum Progress {
    case taken
    /// Refused by the taker; call again with the same bytes.
    case refused
    /// Yielded to the loop; call again with the same bytes.
    case unfinished
  }

  /// As many as libcurl and browsers take; honest origins use one.
  static let maximumLayers = 5
  /// Layers with a window of megabytes. Brotli fills its own of 16 MiB whatever output is asked for, and each
  /// layer multiplies what a few bytes expand to.
  static let maximumWindows = 2
  /// Bytes that a layer decodes at a time.
  private static let bufferBytes = 65_536
  /// Bytes that the layers together decode in a step: a few bytes of a bomb expand to gigabytes, possibly
  /// without output (members of gzip may be empty), and other work needs the loop.
  private static let bytesPerStep = 1 << 20
  /// The offered codings, in an order that other clients use.
  static let offered: StaticString = "Accept-Encoding: deflate, gzip, br, zstd"

  private let memory: Memory
  private var layers: [Layer] = []
  /// Bytes that libcurl offers again after a pause and the layers have already taken.
  private var takenAhead = 0
  /// Bytes that may still be decoded in this step, and the step's number.
  private var budget = 0
  private var step: UInt64?
  /// Whether nothing more is decoded in this step.
  private var isSpent = false
  private let piece: Buffer

  /// - Parameters:
  ///   - codings: the values of `Content-Encoding`; nil when they name no coding.
  ///   - change: asked before memory grows by so many bytes, and told when it shrinks.
  package init?(_ codings: [String], _ change: @escaping (Int) -> Bool) throws(CodingFault) {
    memory = Memory(change)
    piece = Buffer(capacity: ContentDecoding.bufferBytes)
    var windows = 0
    for value in codings {
      for name in value.split(whereSeparator: { $0 == "," || $0 == " " || $0 == "\t" }) {
        guard let coding = try ContentDecoding.coding(name.asciiLowercased) else { continue }
        if coding == TRANSPORT_BROTLI || coding == TRANSPORT_ZSTD { windows += 1 }
        guard layers.count < ContentDecoding.maximumLayers, windows <= ContentDecoding.maximumWindows else {
          throw .broken
        }
        layers.append(try Layer(coding, memory))
      }
    }
    // The coding that was applied last is named last, and is decoded first.
    layers.reverse()
    if layers.isEmpty { return nil }
    guard memory.change(ContentDecoding.bufferBytes) else { throw .overBudget }
  }

  /// Whether the body ends where its codings do.
  package var isWhole: Bool { layers.allSatisfy(\.isWhole) }

  /// Decodes `bytes` and passes the output to `taker`, which returns false to refuse a piece: the piece is
  /// offered again when the same bytes are.
  ///
  /// - Parameters:
  ///   - now: the number of the loop's step.
  ///   - isOver: whether the step's time is used up; asked before each layer decodes, except for the first
  ///     time.
  package func receive(
    _ bytes: UnsafeRawBufferPointer, inStep now: UInt64, isOver: () -> Bool,
    _ taker: (UnsafeRawBufferPointer) -> Bool
  ) throws(CodingFault) -> Progress {
    let known = min(takenAhead, bytes.count)
    var input = transport_span(
      bytes: bytes.baseAddress.map {
        UnsafeMutableRawPointer(mutating: $0 + known).assumingMemoryBound(to: UInt8.self)
      }, count: bytes.count - known)
    takenAhead -= known
    if step != now {
      budget = ContentDecoding.bytesPerStep
      isSpent = false
    }
    step = now
    var progress = Progress.taken
    repeat {
      if !piece.isEmpty {
        guard taker(piece.bytes) else {
          progress = .refused
          break
        }
        piece.clear()
      }
      guard !isSpent else {
        progress = .unfinished
        break
      }
      piece.filled = try pull(layers.count - 1, from: &input, into: piece.room, isOver)
    } while !piece.isEmpty || isSpent
    if progress != .taken { takenAhead += bytes.count - input.count }
    return progress
  }

  /// Decoded bytes of layer `index`, and how many; none when the input or the budget is used up.
  private func pull(
    _ index: Int, from input: inout transport_span, into room: UnsafeMutableRawBufferPointer,
    _ isOver: () -> Bool
  ) throws(CodingFault) -> Int {
    let layer = layers[index]
    while !isSpent {
      let left = index == 0 ? input.count : layer.input.count
      let produced =
        index == 0 ? try layer.step(&input, room) : try layer.step(&layer.input, room)
      budget -= produced
      // Without input there was nothing to do.
      if produced > 0 || left > 0 { isSpent = budget <= 0 || isOver() }
      if produced > 0 { return produced }
      guard index > 0 else { return 0 }
      let below = try pull(index - 1, from: &input, into: layer.buffer.room, isOver)
      guard below > 0 else { return 0 }
      layer.refill(below)
    }
    return 0
  }

  private static func coding(_ name: String) throws(CodingFault) -> transport_coding? {
    switch name {
    case "gzip", "x-gzip": TRANSPORT_GZIP
    case "deflate": TRANSPORT_DEFLATE
    case "br": TRANSPORT_BROTLI
    case "zstd": TRANSPORT_ZSTD
    case "identity": nil
    default: throw .broken
    }
  }

  /// One coding with the input that the layer below has produced.
  private final class Layer {
    private let decoder: OpaquePointer
    /// Which the decoder asks.
    private let memory: Memory
    let buffer = Buffer(capacity: bufferBytes)
    var input = transport_span()

    init(_ coding: transport_coding, _ memory: Memory) throws(CodingFault) {
      let asked = transport_decoder_memory(context: Unmanaged.passUnretained(memory).toOpaque()) {
        context, bytes in
        context.map { Unmanaged<Memory>.fromOpaque($0).takeUnretainedValue().change(bytes) } ?? false
      }
      guard memory.change(bufferBytes), let decoder = transport_decoder_create(coding, asked) else {
        throw .overBudget
      }
      self.decoder = decoder
      self.memory = memory
    }

    deinit { transport_decoder_free(decoder) }

    var isWhole: Bool { transport_decoder_is_whole(decoder) }

    func refill(_ count: Int) {
      input = transport_span(
        bytes: buffer.room.baseAddress?.assumingMemoryBound(to: UInt8.self), count: count)
    }

    /// Decodes until there is output, or no input.
    func step(_ input: inout transport_span, _ room: UnsafeMutableRawBufferPointer) throws(CodingFault) -> Int
    {
      var output = transport_span(
        bytes: room.baseAddress?.assumingMemoryBound(to: UInt8.self), count: room.count)
      var left: Int
      repeat {
        left = input.count
        guard transport_decoder_step(decoder, &input, &output) else {
          throw memory.isRefused ? .overBudget : .broken
        }
      } while output.count == room.count && input.count > 0 && input.count < left
      guard output.count < room.count || input.count == 0 else { throw .broken }
      return room.count - output.count
    }
  }

  /// The memory of all layers.
  private final class Memory {
    private let ask: (Int) -> Bool
    private var held = 0
    private(set) var isRefused = false

    init(_ ask: @escaping (Int) -> Bool) { self.ask = ask }

    deinit { _ = ask(-held) }

    func change(_ bytes: Int) -> Bool {
      guard ask(bytes) else {
        isRefused = true
        return false
      }
      held += bytes
      return true
    }
  }

  /// Memory for decoded bytes.
  private final class Buffer {
    let room: UnsafeMutableRawBufferPointer
    var filled = 0

    init(capacity: Int) { room = .allocate(byteCount: capacity, alignment: 16) }

    deinit { room.deallocate() }

    var isEmpty: Bool { filled == 0 }
    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: room[..<filled]) }

    func clear() { filled = 0 }
  }
}
