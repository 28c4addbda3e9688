package import WatchwordCore
internal import WatchwordJSON
package import WatchwordVocabulary

/// A reply of etcd's JSON gateway, from a server that need not be honest: what is read of it has the right
/// type and is within its bounds, and members that are not needed are passed over.
package struct EtcdReply: Sendable {
  package struct Record: Sendable {
    package let name: [UInt8]
    /// Empty in a reply with names only.
    package let value: [UInt8]
    package let revision: Int64
  }

  /// Of one reply, and of one line of a stream.
  package static let maximumBytes = 16 * 1024 * 1024

  /// Of the store.
  package let revision: Int64
  /// Of a read; of a transaction that found another revision, what it has read.
  package let records: [Record]
  /// Whether there are records behind these.
  package let hasMore: Bool
  /// Whether a transaction has changed the record.
  package let hasSucceeded: Bool
  package let token: Secret?
  package let lease: Int64?

  /// Why a reply has no result.
  package enum Refusal: Error, Sendable, Equatable {
    /// The connection, the user, or the member: another endpoint may do better.
    case fault(SynchronizationFault)
    /// The revision that was asked for is not kept any more.
    case compacted
    /// This request as it is; others may be accepted.
    case request
  }

  /// - Parameter status: of HTTP.
  package init(status: Int, _ body: UnsafeRawBufferPointer) throws(Refusal) {
    guard let object = try? EtcdJSON.parser.parse(body), object.kind == .object else {
      throw .fault(status == 200 ? .malformed : EtcdReply.fault(ofStatus: status))
    }
    guard status == 200 else { throw EtcdReply.refusal(object, status) }
    guard let reply = EtcdReply(object) else { throw .fault(.malformed) }
    self = reply
  }

  private init?(_ object: JSONNode) {
    guard let revision = EtcdJSON.revision(in: object),
      let lease = EtcdJSON.optionalNumber(object["ID"]), let listed = EtcdJSON.objects(object["kvs"]),
      let responses = EtcdJSON.objects(object["responses"])
    else { return nil }
    self.revision = revision
    self.lease = lease.value
    hasMore = object["more"]?.bool ?? false
    hasSucceeded = object["succeeded"]?.bool ?? false
    token = object["token"]?.secret
    var all = listed
    for response in responses {
      if let range = response["response_range"]?.object {
        guard let more = EtcdJSON.objects(range["kvs"]) else { return nil }
        all += more
      }
    }
    var records: [Record] = []
    for object in all {
      guard let record = EtcdJSON.record(object) else { return nil }
      records.append(record)
    }
    self.records = records
  }

  /// The gateway's error: a code of gRPC and a text.
  static func refusal(_ object: JSONNode, _ status: Int) -> Refusal {
    guard let code = object["code"]?.integer else { return .fault(fault(ofStatus: status)) }
    let text = object["message"]?.text ?? ""
    switch code {
    case 11 where text.containsBytes(of: "compacted"): return .compacted
    // The user's rights have changed: a new token is needed.
    case 3 where text.containsBytes(of: "auth"), 7, 16: return .fault(.refused)
    case 3, 8, 11: return .request
    case 4: return .fault(.timedOut)
    default: return .fault(fault(ofStatus: status))
    }
  }

  private static func fault(ofStatus status: Int) -> SynchronizationFault {
    switch status {
    case 401, 403: .refused
    case 500...: .unavailable
    default: .malformed
    }
  }
}

/// What is common to replies and lines of a stream.
enum EtcdJSON {
  static let parser: JSONParser = {
    var limits = JSONLimits()
    limits.nesting = 16
    return JSONParser(limits: limits)
  }()

  struct Optional {
    let value: Int64?
  }

  /// Nil for what is no number of 64 bits.
  static func optionalNumber(_ node: JSONNode?) -> Optional? {
    guard let node else { return Optional(value: nil) }
    return (node.integer ?? node.text.flatMap { Int64($0) }).map { Optional(value: $0) }
  }

  /// The revision of the header; 0 when there is none; nil when it is malformed.
  static func revision(in object: JSONNode) -> Int64? {
    guard let member = object["header"] else { return 0 }
    guard let header = member.object, let found = optionalNumber(header["revision"]), found.value ?? 0 >= 0
    else { return nil }
    return found.value ?? 0
  }

  /// Nil for what is no list of objects; empty when it is missing.
  static func objects(_ node: JSONNode?) -> [JSONNode]? {
    guard let node else { return [] }
    guard let elements = node.array, elements.allSatisfy({ $0.kind == .object }) else { return nil }
    return elements
  }

  static func record(_ object: JSONNode) -> EtcdReply.Record? {
    guard let name = object["key"]?.text.flatMap(Base64.decode),
      let revision = optionalNumber(object["mod_revision"])?.value, revision > 0
    else { return nil }
    guard let member = object["value"] else {
      return EtcdReply.Record(name: name, value: [], revision: revision)
    }
    guard let value = member.text.flatMap(Base64.decode) else { return nil }
    return EtcdReply.Record(name: name, value: value, revision: revision)
  }
}

/// One line of a stream of etcd's JSON gateway (`/v3/watch`).
package struct EtcdWatchLine: Sendable {
  package enum Event: Sendable {
    /// The watch shows what comes from now on.
    case created
    /// The revisions from which on it should show changes are not kept any more.
    case compacted
    /// The server has ended it for another reason.
    case cancelled
    /// Records that were written, in their order, and the revision up to which there are no others. What was
    /// deleted is not among them.
    case changes([EtcdReply.Record], upTo: Int64)
  }

  /// As in ``EtcdRequest/watch(_:)``.
  package let watch: Int
  /// Of the store when it was sent.
  package let revision: Int64
  package let event: Event

  /// Nil for anything else: an error, or no line of etcd's.
  package init?(_ line: UnsafeRawBufferPointer) {
    guard let object = (try? EtcdJSON.parser.parse(line))?["result"]?.object,
      let revision = EtcdJSON.revision(in: object),
      let watch = EtcdJSON.optionalNumber(object["watch_id"]),
      let compacted = EtcdJSON.optionalNumber(object["compact_revision"]),
      let events = EtcdJSON.objects(object["events"])
    else { return nil }
    self.watch = Int(watch.value ?? 0)
    self.revision = revision
    if compacted.value ?? 0 > 0 {
      event = .compacted
    } else if object["canceled"]?.bool == true {
      event = .cancelled
    } else if object["created"]?.bool == true {
      event = .created
    } else {
      var records: [EtcdReply.Record] = []
      // A watch that catches up has more to show: then only its events count.
      var newest = events.isEmpty ? revision : 0
      for event in events {
        guard let fields = event["kv"]?.object, let record = EtcdJSON.record(fields) else {
          return nil
        }
        newest = max(newest, record.revision)
        if event["type"]?.text != "DELETE" { records.append(record) }
      }
      event = .changes(records, upTo: newest)
    }
  }
}
