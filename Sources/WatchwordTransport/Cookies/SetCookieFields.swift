internal import WatchwordPrimitives

/// The values of the `Set-Cookie` fields of a head, valid as long as its bytes are.
struct SetCookieFields: Sequence, IteratorProtocol {
  private var rest: Slice<UnsafeRawBufferPointer>

  init(_ head: UnsafeRawBufferPointer) { rest = head[...] }

  mutating func next() -> UnsafeRawBufferPointer? {
    while !rest.isEmpty {
      let line = rest.prefix { $0 != 0x0A }
      rest = rest.dropFirst(line.count + 1)
      if let value = SetCookieFields.value(of: line) { return value }
    }
    return nil
  }

  private static func value(of line: Slice<UnsafeRawBufferPointer>) -> UnsafeRawBufferPointer? {
    let isNamed = name.withUTF8Buffer { name in
      line.count > name.count && ASCIICase.matches(line.prefix(name.count), name)
    }
    guard isNamed else { return nil }
    let value = line.dropFirst(name.utf8CodeUnitCount).drop { $0 == 0x20 || $0 == 0x09 }
    guard value.first == UInt8(ascii: ":") else { return nil }
    let end = value.last == 0x0D ? value.endIndex - 1 : value.endIndex
    return UnsafeRawBufferPointer(
      rebasing: value[(value.startIndex + 1)..<Swift.max(end, value.startIndex + 1)])
  }

  private static let name: StaticString = "set-cookie"
}
