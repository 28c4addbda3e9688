internal import CTransport
internal import WatchwordCore
internal import WatchwordReactor
internal import WatchwordVocabulary

/// What is noted of an exchange whose details are wanted: the connection, and the heads that libcurl sends.
@ReactorActor
final class ExchangeRecord {
  var security: ExchangeDetails.Security?
  /// Of a connection whose address libcurl does not know.
  var remoteAddress: (String, Int)?
  private var heads: SentHeads
  /// How many heads the details of an earlier response had.
  private var told = 0
  /// libcurl's user data: it outlives the handle.
  let report = UnsafeMutablePointer<transport_sent_heads>.allocate(capacity: 1)

  /// - Parameter names: of fields whose values are hidden, in lower case.
  init(hiding names: Set<String>) {
    heads = SentHeads(hiding: names)
    report.initialize(to: transport_sent_heads())
    report.pointee.context = Unmanaged.passUnretained(self).toOpaque()
    report.pointee.take = { context, bytes, count in
      guard let context else { return }
      onLoop(context, UnsafeRawBufferPointer(start: bytes, count: count)) {
        (record: ExchangeRecord, head) in record.heads.noteHead(head)
      }
    }
  }

  isolated deinit { report.deallocate() }

  /// Hides more fields, of requests to come.
  func hide(_ fields: [HeaderField]) { heads.hide(fields) }

  /// What was sent since the last call.
  func untoldHeads() -> [ExchangeDetails.RequestHead] {
    defer { told = heads.heads.count }
    return Array(heads.heads[told...])
  }

  var allHeads: [ExchangeDetails.RequestHead] { heads.heads }
}

/// Heads of requests as libcurl writes them, without their secrets.
///
/// A part of a head that libcurl writes separately could begin in the middle of a secret: after a head that
/// is not whole, nothing more is taken.
struct SentHeads {
  /// More than all fields that a request can have.
  private static let maximumHeads = 8
  private static let maximumBytes = 1 << 20

  private(set) var heads: [ExchangeDetails.RequestHead] = []
  private var hidden: Set<String>
  private var isOver = false

  init(hiding names: Set<String>) { hidden = names }

  mutating func hide(_ fields: [HeaderField]) {
    for field in fields { hidden.insert(field.name.lowercased()) }
  }

  mutating func noteHead(_ bytes: UnsafeRawBufferPointer) {
    guard !isOver, heads.count < Self.maximumHeads, bytes.count <= Self.maximumBytes,
      let head = SentHeads.head(bytes, hiding: hidden)
    else {
      isOver = true
      return
    }
    heads.append(head)
  }

  /// Nil: it is not whole.
  private static func head(
    _ bytes: UnsafeRawBufferPointer, hiding names: Set<String>
  ) -> ExchangeDetails.RequestHead? {
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      .map { $0.last == UInt8(ascii: "\r") ? $0.dropLast() : $0 }
    // What follows the last line's end, and the empty line before it.
    guard lines.count >= 3, lines[lines.count - 1].isEmpty, lines[lines.count - 2].isEmpty,
      lines[0].split(separator: UInt8(ascii: " ")).last?.starts(with: "HTTP/".utf8) == true,
      let line = String(validating: lines[0], as: UTF8.self)
    else { return nil }
    var fields: [HeaderField] = []
    for line in lines[1..<(lines.count - 2)] {
      guard let colon = line.firstIndex(of: UInt8(ascii: ":")),
        let name = String(validating: line[..<colon], as: UTF8.self), FieldSyntax.isToken(name)
      else { return nil }
      let value = line[(colon + 1)...].drop { $0 == UInt8(ascii: " ") }
      fields.append(SensitiveFields.shown(HeaderField(name, given: value), and: names))
    }
    return ExchangeDetails.RequestHead(line: line, headers: fields)
  }
}
