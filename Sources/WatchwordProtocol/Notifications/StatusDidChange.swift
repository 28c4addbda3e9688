package import WatchwordJSON
internal import WatchwordMessages

/// `status/didChange`: the current snapshot of `status`; sent to subscribers.
package struct StatusDidChange: OutgoingNotification {
  package let snapshot: StatusSnapshot

  package init(_ snapshot: StatusSnapshot) { self.snapshot = snapshot }

  package var name: StaticString { "status/didChange" }

  package func write(to writer: inout JSONWriter) { snapshot.write(to: &writer) }
}
