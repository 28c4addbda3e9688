internal import CLinux

/// What a descriptor is watched for, or found to be.
package struct Interest: OptionSet, Sendable {
  package let rawValue: UInt32

  package init(rawValue: UInt32) { self.rawValue = rawValue }

  package static let readable = Interest(rawValue: CLINUX_READABLE)
  package static let writable = Interest(rawValue: CLINUX_WRITABLE)
  /// Both directions are over, or an error waits; reported whether asked for or not.
  package static let hangUp = Interest(rawValue: CLINUX_HANG_UP)
}
