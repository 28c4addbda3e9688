/// One record in the journal's native protocol (systemd's "Native Journal Protocol").
///
/// Each field is its name, a line feed, the length of its value in eight octets, the value and a line feed:
/// no value can become another field.
package struct JournalRecord: Sendable {
  package private(set) var octets: [UInt8] = []

  /// - Parameter priority: as of syslog: 2 is critical, 3 an error, 4 a warning, 5 a notice, 6 information, 7
  ///   for who looks for a fault.
  package init(_ message: String, priority: Int) {
    add("MESSAGE", message.utf8)
    add("PRIORITY", "\(priority)".utf8)
    add("SYSLOG_IDENTIFIER", "watchwordd".utf8)
  }

  /// - Parameter name: of capital letters, digits and `_`.
  package mutating func add(_ name: String, _ value: some Collection<UInt8>) {
    octets += Array(name.utf8) + [UInt8(ascii: "\n")]
    withUnsafeBytes(of: UInt64(value.count).littleEndian) { octets += $0 }
    octets += Array(value) + [UInt8(ascii: "\n")]
  }

  /// A field of the daemon's own, if it has a value.
  package mutating func add(own name: String, _ value: String?) {
    if let value { add("WATCHWORD_\(name)", value.utf8) }
  }
}
