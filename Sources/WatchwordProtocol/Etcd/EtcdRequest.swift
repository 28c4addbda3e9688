internal import WatchwordJSON
internal import WatchwordMessages
package import WatchwordVocabulary

/// A request to etcd's JSON gateway (etcd 3.4 and later, "gRPC gateway"): a path and the body of a POST.
/// Octets are Base64 and numbers of 64 bits are texts there (the JSON mapping of Protocol Buffers 3).
package struct EtcdRequest: Sendable {
  package let path: String
  package let body: Secret

  /// Every name that begins with a text; names are ASCII.
  package struct Range: Sendable {
    /// With this name.
    let first: [UInt8]
    /// Before this one.
    let end: [UInt8]

    /// - Parameters:
    ///   - prefix: ends with a character that is not the last of ASCII.
    ///   - last: only what is behind this name; nil: all.
    package init(prefix: String, after last: [UInt8]? = nil) {
      var end = Array(prefix.utf8)
      if let final = end.popLast() { end.append(final + 1) }
      self.end = end
      first = last.map { $0 + [0] } ?? Array(prefix.utf8)
    }

    fileprivate func write(to writer: inout JSONWriter) {
      writer.key("key")
      writer.string(Base64.encode(first))
      writer.key("range_end")
      writer.string(Base64.encode(end))
    }
  }

  private init(_ path: String, _ write: (inout JSONWriter) -> Void) {
    var writer = JSONWriter()
    writer.beginObject()
    write(&writer)
    writer.endObject()
    self.path = path
    body = writer.buffer.withUnsafeBytes { Secret(copying: $0) }
  }

  /// - Parameter password: of UTF-8.
  package static func authenticate(user: String, password: Secret) -> EtcdRequest {
    EtcdRequest("/v3/auth/authenticate") { writer in
      writer.key("name")
      writer.string(user)
      writer.key("password")
      password.withBytes { writer.stringBytes($0) }
    }
  }

  /// Records in the order of their names.
  ///
  /// - Parameter revision: what the store had then; nil: what it has now.
  package static func read(_ range: Range, limit: Int, revision: Int64?) -> EtcdRequest {
    EtcdRequest("/v3/kv/range") { writer in
      range.write(to: &writer)
      writer.number("limit", Int64(limit))
      if let revision { writer.number("revision", revision) }
    }
  }

  /// One name whose record was changed at this revision or later. The members of the store agree on the
  /// answer.
  package static func probe(_ range: Range, from revision: Int64) -> EtcdRequest {
    EtcdRequest("/v3/kv/range") { writer in
      range.write(to: &writer)
      writer.number("limit", 1)
      writer.number("min_mod_revision", revision)
      writer.key("keys_only")
      writer.bool(true)
    }
  }

  package static func grant(seconds: Int64) -> EtcdRequest {
    EtcdRequest("/v3/lease/grant") { $0.number("TTL", seconds) }
  }

  /// Changes a record if it still has this revision, 0 for no record, and otherwise reads it.
  ///
  /// - Parameter lease: ends the record; nil: nothing does.
  package static func change(
    _ name: String, to value: [UInt8], lease: Int64?, ifAt revision: Int64
  ) -> EtcdRequest {
    let name = Base64.encode(Array(name.utf8))
    return EtcdRequest("/v3/kv/txn") { writer in
      writer.key("compare")
      writer.beginArray()
      writer.beginObject()
      writer.key("key")
      writer.string(name)
      writer.key("target")
      writer.string("MOD" as StaticString)
      writer.key("result")
      writer.string("EQUAL" as StaticString)
      writer.number("mod_revision", revision)
      writer.endObject()
      writer.endArray()
      writer.key("success")
      writer.operation("request_put") { writer in
        writer.key("key")
        writer.string(name)
        writer.key("value")
        writer.string(Base64.encode(value))
        if let lease { writer.number("lease", lease) }
      }
      writer.key("failure")
      writer.operation("request_range") { writer in
        writer.key("key")
        writer.string(name)
      }
    }
  }

  /// A stream of changes of several ranges. The watch of a range has its place in the list, from 1, as its
  /// number.
  package static func watch(_ ranges: [(range: Range, from: Int64)]) -> EtcdRequest {
    var writer = JSONWriter()
    for (place, watched) in ranges.enumerated() {
      writer.startAgain()
      writer.beginObject()
      writer.key("create_request")
      writer.beginObject()
      watched.range.write(to: &writer)
      writer.number("start_revision", watched.from)
      writer.number("watch_id", Int64(place + 1))
      // The revision that is known stays near the newest one, which is not compacted soon.
      writer.key("progress_notify")
      writer.bool(true)
      writer.endObject()
      writer.endObject()
    }
    return EtcdRequest(path: "/v3/watch", body: writer.buffer.withUnsafeBytes { Secret(copying: $0) })
  }

  private init(path: String, body: Secret) {
    self.path = path
    self.body = body
  }
}

extension JSONWriter {
  /// A number of 64 bits.
  fileprivate mutating func number(_ name: StaticString, _ value: Int64) {
    key(name)
    string(String(value))
  }

  fileprivate mutating func operation(_ name: StaticString, _ write: (inout JSONWriter) -> Void) {
    beginArray()
    beginObject()
    key(name)
    beginObject()
    write(&self)
    endObject()
    endObject()
    endArray()
  }
}
