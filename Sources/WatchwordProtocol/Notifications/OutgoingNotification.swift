package import WatchwordJSON
internal import WatchwordMessages

/// A message of the daemon that is no reply and gets none. None carries a secret.
package protocol OutgoingNotification {
  var name: StaticString { get }
  /// Writes `params`.
  func write(to writer: inout JSONWriter)
}

extension Envelope {
  package static func notification(
    to writer: inout JSONWriter, _ notification: some OutgoingNotification, descriptors: Int = 0
  ) {
    self.notification(to: &writer, notification.name, descriptors: descriptors, notification.write)
  }
}
