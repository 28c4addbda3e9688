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
    guard let value = try? EtcdJSON.parser.parse(body), case .object(let object) = value else {
      throw .fault(status == 200 ? .malformed : EtcdReply.fault(ofStatus: status))
    }
    guard status == 200 else { throw EtcdReply.refusal(object, status) }
    guard let reply = EtcdReply(object) else { throw .fault(.malformed) }
    self = reply
  }

  private init?(_ object: JSONObject) {
    guard let revision = EtcdJSON.revision(in: object),
      let lease = EtcdJSON.optionalNumber(object["ID"]), let listed = EtcdJSON.objects(object["kvs"]),
      let responses = EtcdJSON.objects(object["responses"])
    else { return nil }
    self.revision = revision
    self.lease = lease.value
    if case .bool(let isTrue)? = object["more"] { hasMore = isTrue } else { hasMore = false }
    if case .bool(let isTrue)? = object["succeeded"] { hasSucceeded = isTrue } else { hasSucceeded = false }
    if case .secret(let text)? = object["token"] { token = text } else { token = nil }
    var all = listed
    for response in responses {
      if case .object(let range)? = response["response_range"] {
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
  static func refusal(_ object: JSONObject, _ status: Int) -> Refusal {
    guard case .integer(let code)? = object["code"] else { return .fault(fault(ofStatus: status)) }
    let text: String = if case .string(let text)? = object["message"] { text } else { "" }
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
    return JSONParser(limits: limits, secretMembers: ["token"])
  }()

  struct Optional {
    let value: Int64?
  }

  /// Nil for what is no number of 64 bits.
  static func optionalNumber(_ value: JSONValue?) -> Optional? {
    switch value {
    case nil: Optional(value: nil)
    case .integer(let number)?: Optional(value: number)
    case .string(let text)?: Int64(text).map { Optional(value: $0) }
    default: nil
    }
  }

  /// The revision of the header; 0 when there is none; nil when it is malformed.
  static func revision(in object: JSONObject) -> Int64? {
    guard let member = object["header"] else { return 0 }
    guard case .object(let header) = member, let found = optionalNumber(header["revision"]),
      found.value ?? 0 >= 0
    else { return nil }
    return found.value ?? 0
  }

  /// Nil for what is no list of objects; empty when it is missing.
  static func objects(_ value: JSONValue?) -> [JSONObject]? {
    guard let value else { return [] }
    guard case .array(let elements) = value else { return nil }
    let objects = elements.compactMap { element -> JSONObject? in
      if case .object(let object) = element { object } else { nil }
    }
    return objects.count == elements.count ? objects : nil
  }

  static func record(_ object: JSONObject) -> EtcdReply.Record? {
    guard case .string(let name)? = object["key"], let name = Base64.decode(name),
      let revision = optionalNumber(object["mod_revision"])?.value, revision > 0
    else { return nil }
    guard let member = object["value"] else {
      return EtcdReply.Record(name: name, value: [], revision: revision)
    }
    guard case .string(let text) = member, let value = Base64.decode(text) else { return nil }
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
