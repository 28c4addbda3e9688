internal import WatchwordJSON

/// One line of a stream of etcd's JSON gateway (`/v3/watch`).
package struct EtcdWatchLine: Sendable {
  package enum Event: Sendable {
    /// The watch shows what comes from now on.
    case created
    /// The revisions from which on it should show changes are not kept any more.
    case compacted
    /// The server has ended it for another reason.
    case cancelled
    /// Records that were written, in their order, and the revision up to which there are no others. What was deleted is
    /// not among them.
    case changes([EtcdReply.Record], upTo: Int64)
  }

  /// As in ``EtcdRequest/watch(_:)``.
  package let watch: Int
  /// Of the store when it was sent.
  package let revision: Int64
  package let event: Event

  /// Nil for anything else: an error, or no line of etcd's.
  package init?(_ line: UnsafeRawBufferPointer) {
    guard let value = try? EtcdJSON.parser.parse(line), case .object(let outer) = value,
      case .object(let object)? = outer["result"], let revision = EtcdJSON.revision(in: object),
      let watch = EtcdJSON.optionalNumber(object["watch_id"]),
      let compacted = EtcdJSON.optionalNumber(object["compact_revision"]),
      let events = EtcdJSON.objects(object["events"])
    else { return nil }
    self.watch = Int(watch.value ?? 0)
    self.revision = revision
    if compacted.value ?? 0 > 0 {
      event = .compacted
    } else if case .bool(true)? = object["canceled"] {
      event = .cancelled
    } else if case .bool(true)? = object["created"] {
      event = .created
    } else {
      var records: [EtcdReply.Record] = []
      // A watch that catches up has more to show: then only its events count.
      var newest = events.isEmpty ? revision : 0
      for event in events {
        guard case .object(let fields)? = event["kv"], let record = EtcdJSON.record(fields) else {
          return nil
        }
        newest = max(newest, record.revision)
        if case .string("DELETE")? = event["type"] { continue }
        records.append(record)
      }
      event = .changes(records, upTo: newest)
    }
  }
}
