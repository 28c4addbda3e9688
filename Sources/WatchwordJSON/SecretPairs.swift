internal import WatchwordPrimitives

/// A member that lists pairs of a name and a value, such as header fields, and the names whose values are secrets.
package struct SecretPairs: Sendable {
  private let member: [UInt8]
  private let names: Set<[UInt8]>

  /// - Parameter names: in lower case; the texts' are compared without regard to the case of ASCII letters.
  package init(member: String, names: Set<String>) {
    self.member = Array(member.utf8)
    self.names = Set(names.map { Array($0.utf8) })
  }

  func isMember(_ name: UnsafeRawBufferPointer) -> Bool {
    name.count == member.count && name.elementsEqual(member)
  }

  func contains(_ name: UnsafeRawBufferPointer) -> Bool {
    // A longer name matches none: nothing is copied.
    guard name.count <= 32 else { return false }
    return names.contains(name.map { ASCIICase.lower($0) })
  }
}
