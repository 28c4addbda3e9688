/// Octets as a `String` that gives each of them back: one that is not UTF-8 stands as U+10FF80 to U+10FFFF.
///
/// Arguments and names of files are octets. Swift replaces what is not UTF-8, which makes one name of two. A
/// real U+10FF80 to U+10FFFF stands as its four octets, so that two arguments never become one text.
package enum OctetText {
  private static let base: UInt32 = 0x10FF00

  package static func text(of octets: [UInt8]) -> String {
    var text = ""
    var parser = Unicode.UTF8.ForwardParser()
    var rest = octets.makeIterator()
    var offset = 0
    while true {
      switch parser.parseScalar(from: &rest) {
      case .valid(let sequence) where !isStandIn(Unicode.UTF8.decode(sequence)):
        text.unicodeScalars.append(Unicode.UTF8.decode(sequence))
        offset += sequence.count
      case .valid(let sequence): append(octets, &offset, sequence.count, to: &text)
      case .error(let length): append(octets, &offset, length, to: &text)
      case .emptyInput: return text
      }
    }
  }

  private static func append(_ octets: [UInt8], _ offset: inout Int, _ count: Int, to text: inout String) {
    for octet in octets[offset..<min(offset + count, octets.count)] {
      if let scalar = Unicode.Scalar(base | UInt32(octet)) { text.unicodeScalars.append(scalar) }
    }
    offset += count
  }

  package static func octets(of text: some StringProtocol) -> [UInt8] {
    guard text.unicodeScalars.contains(where: isStandIn) else { return Array(text.utf8) }
    return text.unicodeScalars.reduce(into: []) { octets, scalar in
      if let octet = octet(of: scalar) {
        octets.append(octet)
      } else {
        octets += UTF8.encode(scalar) ?? .init()
      }
    }
  }

  /// The octet that a scalar stands for; nil for one that stands for itself.
  static func octet(of scalar: Unicode.Scalar) -> UInt8? {
    isStandIn(scalar) ? UInt8(truncatingIfNeeded: scalar.value) : nil
  }

  private static func isStandIn(_ scalar: Unicode.Scalar) -> Bool { scalar.value >= base | 0x80 }

  /// The text without stand-ins; nil if the octets are not UTF-8.
  package static func plain(_ text: String) -> String? {
    guard text.unicodeScalars.contains(where: isStandIn) else { return text }
    return String(validating: octets(of: text), as: UTF8.self)
  }

  /// For the system: the octets, ended by a zero.
  package static func cString(_ text: String) -> [CChar] {
    octets(of: text).map { CChar(bitPattern: $0) } + [0]
  }
}
