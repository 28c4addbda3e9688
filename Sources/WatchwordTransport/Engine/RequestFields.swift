internal import CTransport
internal import Glibc
internal import WatchwordCore
internal import WatchwordVocabulary

/// The header lines of one exchange as the list that libcurl reads, in one block of memory that is reused.
///
/// `curl_slist_append` would copy each line into memory of its own, where an `Authorization` remains after it
/// is freed; here all lines lie in one block, which is wiped after the exchange and costs no allocation.
final class RequestFields {
  /// Of the field that carries the credential.
  private let credentialField: StaticString
  private var memory = UnsafeMutableRawBufferPointer.allocate(
    byteCount: 4096, alignment: RequestFields.alignment)
  private var used = 0
  /// The lines that are added last have their own memory: the others must not move.
  private var lateLines: UnsafeMutableRawBufferPointer?
  /// The last line before it.
  private var end: UnsafeMutablePointer<curl_slist>?
  private var last: UnsafeMutablePointer<curl_slist>?
  private var first: UnsafeMutablePointer<curl_slist>?

  init(credentialField: StaticString = "Authorization: ") { self.credentialField = credentialField }

  /// Builds the list, which is valid until the next call, `wipe` or `free`. `extra` are whole lines.
  func write(
    _ headers: [HeaderField], leavingOutLength: Bool, extra: [StaticString], authorization: Secret?,
    cookies: [UInt8]?
  ) -> UnsafeMutablePointer<curl_slist>? {
    wipe()
    var needed = (authorization?.count ?? 0) + (cookies?.count ?? 0) + 2 * Self.overhead
    for field in headers { needed += field.name.utf8.count + field.valueByteCount + Self.overhead }
    for line in extra { needed += line.utf8CodeUnitCount + Self.overhead }
    reserve(needed)
    for line in extra { append { $0.put(line) } }
    for field in headers where !(leavingOutLength && field.isLength) {
      append { line in
        line.put(field.name)
        // libcurl removes a field for `Name:`, and sends an empty one for `Name;`.
        field.withValue { value in
          if value.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) {
            line.put(";")
          } else {
            line.put(": ")
            line.put(value)
          }
        }
      }
    }
    if let authorization { append { $0.put(credentialField, authorization) } }
    if let cookies {
      append { line in
        line.put("Cookie: ")
        cookies.withUnsafeBytes { line.put($0) }
      }
    }
    end = last
    return first
  }

  /// Adds lines to the written list; the list starts where it did, unless it was empty.
  func add(authorization: Secret?, _ keys: [HeaderField] = []) -> UnsafeMutablePointer<curl_slist>? {
    wipeLateLines()
    let needed = keys.reduce(authorization.map { $0.count + Self.overhead } ?? 0) {
      $0 + $1.name.utf8.count + $1.valueByteCount + Self.overhead
    }
    let own = UnsafeMutableRawBufferPointer.allocate(byteCount: needed, alignment: Self.alignment)
    lateLines = own
    let (others, othersUsed) = (memory, used)
    (memory, used) = (own, 0)
    for key in keys {
      append { line in
        line.put(key.name)
        line.put(": ")
        key.withValue { line.put($0) }
      }
    }
    if let authorization { append { $0.put(credentialField, authorization) } }
    (memory, used) = (others, othersUsed)
    return first
  }

  func wipe() {
    wipeLateLines()
    if let start = memory.baseAddress, used > 0 { explicit_bzero(start, used) }
    used = 0
    first = nil
    last = nil
    end = nil
  }

  private func wipeLateLines() {
    guard let lines = lateLines else { return }
    if let start = lines.baseAddress { explicit_bzero(start, lines.count) }
    lines.deallocate()
    lateLines = nil
    end?.pointee.next = nil
    last = end
    if end == nil { first = nil }
  }

  func free() {
    wipe()
    memory.deallocate()
    memory = UnsafeMutableRawBufferPointer(start: nil, count: 0)
  }

  /// A node, `: `, the end of the text and alignment; `Proxy-Authorization` itself is shorter than the rest
  /// of it.
  private static let overhead = MemoryLayout<curl_slist>.stride + 32
  private static let alignment = MemoryLayout<curl_slist>.alignment

  private func reserve(_ needed: Int) {
    guard needed > memory.count else { return }
    memory.deallocate()
    memory = .allocate(byteCount: needed * 2, alignment: Self.alignment)
  }

  private func append(_ fill: (inout Line) -> Void) {
    guard let base = memory.baseAddress else { return }
    let node = (base + used).bindMemory(to: curl_slist.self, capacity: 1)
    var line = Line(memory: memory, position: used + MemoryLayout<curl_slist>.stride)
    let text = base + line.position
    fill(&line)
    line.put("\0")
    node.initialize(to: curl_slist(data: text.assumingMemoryBound(to: CChar.self), next: nil))
    if let last { last.pointee.next = node } else { first = node }
    last = node
    used = (line.position + 15) & ~15
  }

  private struct Line {
    let memory: UnsafeMutableRawBufferPointer
    var position: Int

    mutating func put(_ text: String) {
      var text = text
      text.withUTF8 { put(UnsafeRawBufferPointer($0)) }
    }

    mutating func put(_ text: StaticString) {
      text.withUTF8Buffer { put(UnsafeRawBufferPointer($0)) }
    }

    mutating func put(_ name: StaticString, _ value: Secret) {
      put(name)
      value.withBytes { put($0) }
    }

    mutating func put(_ bytes: UnsafeRawBufferPointer) {
      UnsafeMutableRawBufferPointer(rebasing: memory[position...]).copyMemory(from: bytes)
      position += bytes.count
    }
  }
}

extension HeaderField {
  fileprivate var isLength: Bool { name.utf8.count == 14 && isNamed("content-length") }
}
