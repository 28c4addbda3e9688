internal import Glibc
internal import WatchwordJSON
internal import WatchwordVault
internal import WatchwordVocabulary

/// One part of a daemon's state on its way: named members, and octets that may be secret.
///
/// On the socket: the lengths of both in four octets each, the most significant first, the members as a JSON
/// object, and the octets.
struct StatePart: Sendable {
  static let headBytes = 8
  /// Of each of the two: more than a session or a result can have.
  static let maximumBytes = 256 * 1024 * 1024

  /// Empty in one that cannot be read.
  let kind: String
  let octets: Secret
  private let members: JSONNode?

  /// - Parameter text: a JSON object with the member `kind`; nothing is understood of another text.
  init(text: Secret, octets: Secret) {
    members = text.withBytes { try? JSONParser().parse($0) }
    kind = members?["kind"]?.text ?? ""
    self.octets = octets
  }

  subscript(name: String) -> JSONNode? { members?[name] }

  /// What `body` makes of all its members.
  func read<Value>(_ body: (JSONNode) -> Value?) -> Value? { members.flatMap(body) }

  /// The lengths that a head says; nil when they are too large.
  static func lengths(_ head: UnsafeRawBufferPointer) -> (text: Int, octets: Int)? {
    guard head.count == headBytes else { return nil }
    let lengths = [0, 4].map {
      Int(UInt32(bigEndian: head.loadUnaligned(fromByteOffset: $0, as: UInt32.self)))
    }
    return fits(lengths) ? (lengths[0], lengths[1]) : nil
  }

  static func fits(_ lengths: [Int]) -> Bool { lengths.allSatisfy { $0 <= maximumBytes } }
}

/// Sends the parts of a state, one after the other, as long as the other side takes them.
struct StateSending {
  private let send: (UnsafeRawBufferPointer) -> Bool
  private(set) var isWhole = true
  /// Parts that are too large.
  private(set) var skipped = 0

  init(_ send: @escaping (UnsafeRawBufferPointer) -> Bool) { self.send = send }

  mutating func part(
    _ kind: StaticString, _ octets: Secret = Secret([]), _ members: (inout JSONWriter) -> Void = { _ in }
  ) {
    guard isWhole else { return }
    var writer = JSONWriter()
    writer.beginObject()
    writer.key("kind")
    writer.string(kind)
    members(&writer)
    writer.endObject()
    let lengths = [writer.buffer.count, octets.count]
    guard StatePart.fits(lengths) else {
      skipped += 1
      return
    }
    let head = lengths.map { UInt32($0).bigEndian }
    isWhole =
      head.withUnsafeBytes(send) && writer.buffer.withUnsafeBytes(send)
      && (octets.isEmpty || octets.withBytes(send))
  }
}
