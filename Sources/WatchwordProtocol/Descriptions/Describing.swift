package import WatchwordJSON
package import WatchwordMessages

/// A value of the daemon that is sent as an object.
package protocol Describing {
  associatedtype Form: SentObject
  var sent: Form { get }
}

extension Describing {
  package func write(to writer: inout JSONWriter) { sent.write(to: &writer) }
}
