internal import CLinux

/// The events that a descriptor is watched for, or has.
package struct Interest: OptionSet, Sendable {
  package let rawValue: UInt32

  package init(rawValue: UInt32) { self.rawValue = rawValue }

  /// `[]` is made by generic code in another module, at a hundred times the cost.
  package static let none: Interest = []
  package static let readable = Interest(rawValue: CLINUX_READABLE)
  package static let writable = Interest(rawValue: CLINUX_WRITABLE)
  /// Both directions have ended, or an error is pending; always reported.
  package static let hangUp = Interest(rawValue: CLINUX_HANG_UP)
}
