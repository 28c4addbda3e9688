/// Whether octets are UTF-8: texts of messages are, and repaired ones would be another user, password or
/// file.
package enum UTF8Text {
  /// Where the first octet stands that is none; nil in UTF-8. Copies nothing.
  package static func fault(in bytes: some Collection<UInt8>) -> Int? {
    var parser = Unicode.UTF8.ForwardParser()
    var rest = bytes.makeIterator()
    var offset = 0
    while true {
      switch parser.parseScalar(from: &rest) {
      case .valid(let scalar): offset += scalar.count
      case .emptyInput: return nil
      case .error: return offset
      }
    }
  }
}
