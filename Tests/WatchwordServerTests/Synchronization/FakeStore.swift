import Testing
import WatchwordCore
import WatchwordJSON
import WatchwordReactor
import WatchwordTestSupport
import WatchwordTransport
import WatchwordVocabulary

@testable import WatchwordServer

/// The store of a fleet in memory: it answers what daemons ask etcd's gateway for.
@ReactorActor
final class FakeStore {
  private struct Record {
    var value: String
    var revision: Int
    var lease: String?
  }

  private struct Watched {
    let exchange: FakeExchange
    let number: Int
    let first: [UInt8]
    let end: [UInt8]
  }

  /// `path body` of each request, in order.
  private(set) var requests: [String] = []
  private(set) var exchanges: [FakeExchange] = []
  private(set) var revision = 1
  /// In the order of their names, which are in Base64.
  private var records: [(name: [UInt8], record: Record)] = []
  private var watches: [Watched] = []
  /// Whether it answers: otherwise a test does.
  var answers: (_ path: String) -> Bool = { _ in true }
  /// Takes a request instead of the store, in a later turn; false for one that the store takes.
  var onRequest: (_ path: String, FakeExchange) -> Bool = { _, _ in false }
  /// Most records of a page; fewer than a daemon asks for.
  var pageRecords = Int.max

  var count: Int { records.count }
  var names: [String] { records.map { String(decoding: $0.name, as: UTF8.self) } }
  var leases: [String?] { records.map(\.record.lease) }
  /// The revision that each page was asked for; empty: the newest.
  private(set) var revisionsRead: [String] = []
  func count(of path: String) -> Int { requests.count { $0.hasPrefix(path + " ") } }
  /// The last request of a path.
  func last(_ path: String) -> FakeExchange? {
    requests.lastIndex { $0.hasPrefix(path + " ") }.map { exchanges[$0] }
  }

  /// Takes a request of an engine, and answers it in a later turn.
  func take(_ exchange: FakeExchange) {
    let path = exchange.request.url.path
    let body = Self.body(of: exchange)
    requests.append("\(path) \(body)")
    exchanges.append(exchange)
    guard answers(path) else { return }
    _ = EventLoop.shared.schedule(after: 0) { [self] in
      if !onRequest(path, exchange) { answer(exchange, path, body) }
    }
  }

  static func body(of exchange: FakeExchange) -> String {
    guard case .secret(let secret) = exchange.setup.body else { return "" }
    return secret.withBytes { String(decoding: $0, as: UTF8.self) }
  }

  func answer(_ exchange: FakeExchange, _ path: String, _ body: String) {
    guard path != "/v3/watch" else { return watch(exchange, body) }
    do throws(JSONError) {
      let request = try parse(body)
      let text =
        switch path {
        case "/v3/auth/authenticate": #"{"token":"t-\#(request["name"]?.text ?? "")"}"#
        case "/v3/lease/grant": #"{"ID":"7","TTL":"\#(request["TTL"]?.text ?? "")"}"#
        case "/v3/kv/txn": change(request)
        default: read(request)
        }
      exchange.respond(200, body: text)
    } catch {
      Issue.record("no JSON: \(body)")
    }
  }

  private static func octets(_ value: JSONValue?) -> [UInt8] { Base64.decode(value?.text ?? "") ?? [] }
  private static func number(_ value: JSONValue?) -> Int? { Int(value?.text ?? "") }
  private var header: String { #""header":{"revision":"\#(revision)"}"# }

  private static func text(_ name: [UInt8], _ record: Record, isWhole: Bool = true) -> String {
    #"{"key":"\#(Base64.encode(name))","mod_revision":"\#(record.revision)""#
      + (isWhole ? #","value":"\#(record.value)"}"# : "}")
  }

  private func read(_ request: JSONValue) -> String {
    let (first, end) = (Self.octets(request["key"]), Self.octets(request["range_end"]))
    revisionsRead.append(request["revision"]?.text ?? "")
    let oldest = Self.number(request["min_mod_revision"]) ?? 0
    let found = records.filter {
      !$0.name.lexicographicallyPrecedes(first) && $0.name.lexicographicallyPrecedes(end)
        && $0.record.revision >= oldest
    }
    let page = found.prefix(min(pageRecords, Self.number(request["limit"]) ?? Int.max))
    let texts = page.map { Self.text($0.name, $0.record, isWhole: request["keys_only"] == nil) }
    return #"{\#(header),"kvs":[\#(texts.joined(separator: ","))],"more":\#(page.count < found.count)}"#
  }

  private func change(_ request: JSONValue) -> String {
    let put = request["success"]?.elements.first?["request_put"]
    let name = Self.octets(put?["key"])
    let known = records.first { $0.name == name }?.record
    guard Self.number(request["compare"]?.elements.first?["mod_revision"]) == known?.revision ?? 0 else {
      let found = known.map { Self.text(name, $0) } ?? ""
      return #"{\#(header),"responses":[{"response_range":{"kvs":[\#(found)]}}]}"#
    }
    self.put(name, put?["value"]?.text ?? "", lease: put?["lease"]?.text)
    return #"{\#(header),"succeeded":true}"#
  }

  /// What another program does with a record; the value is in Base64.
  func put(_ name: [UInt8], _ value: String, lease: String? = nil) {
    revision += 1
    let record = Record(value: value, revision: revision, lease: lease)
    records.removeAll { $0.name == name }
    records.append((name, record))
    records.sort { $0.name.lexicographicallyPrecedes($1.name) }
    for watched in watches
    where !name.lexicographicallyPrecedes(watched.first) && name.lexicographicallyPrecedes(watched.end) {
      say(#""events":[{"kv":\#(Self.text(name, record))}]"#, to: watched)
    }
  }

  func put(_ name: String, _ value: String) { put(Array(name.utf8), value) }

  /// The value of a record, in Base64.
  func value(of name: String) -> String? { records.first { $0.name == Array(name.utf8) }?.record.value }

  /// Loses everything, as a store that was made anew.
  func lose() { (records, revision) = ([], 1) }

  private func watch(_ exchange: FakeExchange, _ body: String) {
    exchange.receive(200)
    for part in body.split(separator: #"{"create_request":"#) {
      do throws(JSONError) {
        let text = part[...(part.lastIndex(of: "}") ?? part.startIndex)].dropLast()
        let request = try parse(String(text))
        let watched = Watched(
          exchange: exchange, number: Self.number(request["watch_id"]) ?? 1,
          first: Self.octets(request["key"]), end: Self.octets(request["range_end"]))
        watches.append(watched)
        say(#""created":true"#, to: watched)
        for (name, record) in records
        where !name.lexicographicallyPrecedes(watched.first) && name.lexicographicallyPrecedes(watched.end)
          && record.revision >= Self.number(request["start_revision"]) ?? 0
        {
          say(#""events":[{"kv":\#(Self.text(name, record))}]"#, to: watched)
        }
      } catch {
        Issue.record("no JSON: \(part)")
      }
    }
  }

  private func say(_ members: String, to watched: Watched) {
    watched.exchange.receive(
      body: #"{"result":{\#(header),"watch_id":"\#(watched.number)",\#(members)}}"# + "\n")
  }

  /// Says a line to those who watch.
  func say(_ members: String) {
    for watched in watches where !watched.exchange.isCancelled { say(members, to: watched) }
  }
}
