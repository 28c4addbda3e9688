import Testing
import WatchwordCore
import WatchwordJSON
import WatchwordProtocol
import WatchwordVocabulary

@Suite struct EtcdMessageTests {
  private func text(_ request: EtcdRequest) -> String {
    request.body.withBytes { String(decoding: $0, as: UTF8.self) }
  }

  private func reply(_ text: String, status: Int = 200) throws(EtcdReply.Refusal) -> EtcdReply {
    try Secret(text.utf8).withBytes { body throws(EtcdReply.Refusal) in
      try EtcdReply(status: status, body)
    }
  }

  private func refusal(_ body: String, status: Int) -> EtcdReply.Refusal? {
    do throws(EtcdReply.Refusal) {
      _ = try reply(body, status: status)
      return nil
    } catch {
      return error
    }
  }

  private func line(_ text: String) -> EtcdWatchLine? {
    Array(text.utf8).withUnsafeBytes { EtcdWatchLine($0) }
  }

  @Test func requestsAreThoseOfTheGateway() {
    let range = EtcdRequest.Range(prefix: "/a/")
    let watched: [(range: EtcdRequest.Range, from: Int64)] = [(range, 3), (range, 4)]
    #expect(
      text(.read(range, limit: 5, revision: 7))
        == #"{"key":"L2Ev","range_end":"L2Ew","limit":"5","revision":"7"}"#)
    #expect(
      text(.read(EtcdRequest.Range(prefix: "/a/", after: Array("/a/b".utf8)), limit: 5, revision: nil))
        == #"{"key":"L2EvYgA=","range_end":"L2Ew","limit":"5"}"#)
    #expect(
      text(.change("/a/b", to: [1], lease: 3, ifAt: 0))
        == #"{"compare":[{"key":"L2EvYg==","target":"MOD","result":"EQUAL","mod_revision":"0"}],"#
        + #""success":[{"request_put":{"key":"L2EvYg==","value":"AQ==","lease":"3"}}],"#
        + #""failure":[{"request_range":{"key":"L2EvYg=="}}]}"#)
    #expect(
      text(.watch(watched)).hasSuffix(
        #"}}{"create_request":{"key":"L2Ev","range_end":"L2Ew","start_revision":"4","watch_id":"2","progress_notify":true}}"#
      ))
    #expect(
      text(.authenticate(user: "u\"", password: Secret("p\\".utf8))) == #"{"name":"u\"","password":"p\\"}"#)
  }

  @Test func aPageIsRead() throws {
    let page = try reply(
      #"{"header":{"revision":"9"},"kvs":[{"key":"L2EvYg==","mod_revision":"4","value":"AQ=="}],"more":true,"count":"2"}"#
    )
    #expect(page.revision == 9 && page.hasMore)
    #expect(page.records.map(\.name) == [Array("/a/b".utf8)])
    #expect(page.records.map(\.value) == [[1]] && page.records.map(\.revision) == [4])
  }

  @Test func aTransactionSaysWhatItHasFound() throws {
    #expect(
      try reply(#"{"header":{"revision":"9"},"succeeded":true,"responses":[{"response_put":{}}]}"#)
        .hasSucceeded)
    let other = try reply(
      #"{"header":{"revision":"9"},"responses":[{"response_range":{"kvs":[{"key":"YQ==","mod_revision":"4","value":"AQ=="}]}}]}"#
    )
    #expect(!other.hasSucceeded && other.records.map(\.revision) == [4])
  }

  @Test(arguments: [
    "", "[]", "{", "null", "1", #"{"header":7}"#, #"{"header":{"revision":"x"}}"#,
    #"{"header":{"revision":"-1"}}"#, #"{"header":{"revision":"99999999999999999999"}}"#, #"{"kvs":{}}"#,
    #"{"kvs":[1]}"#, #"{"kvs":[{"key":"%","mod_revision":"1"}]}"#, #"{"kvs":[{"key":"YQ=="}]}"#,
    #"{"kvs":[{"key":"YQ==","mod_revision":"0"}]}"#,
    #"{"kvs":[{"key":"YQ==","mod_revision":"1","value":1}]}"#,
    #"{"responses":[{"response_range":{"kvs":1}}]}"#, #"{"ID":{}}"#,
  ])
  func whatIsNoReplyIsMalformed(body: String) {
    #expect(refusal(body, status: 200) == .fault(.malformed))
  }

  @Test func refusalsAreToldApart() {
    func error(_ code: Int, _ message: String = "") -> String {
      #"{"error":"\#(message)","message":"\#(message)","code":\#(code)}"#
    }
    #expect(refusal(error(11, "mvcc: required revision has been compacted"), status: 400) == .compacted)
    #expect(refusal(error(16, "invalid auth token"), status: 401) == .fault(.refused))
    #expect(refusal(error(7, "permission denied"), status: 403) == .fault(.refused))
    #expect(refusal(error(3, "etcdserver: revision of auth store is old"), status: 400) == .fault(.refused))
    #expect(refusal(error(3, "etcdserver: request is too large"), status: 400) == .request)
    #expect(refusal(error(8, "etcdserver: mvcc: database space exceeded"), status: 429) == .request)
    #expect(refusal(error(14, "etcdserver: no leader"), status: 503) == .fault(.unavailable))
    #expect(refusal("<html>", status: 502) == .fault(.unavailable))
    #expect(refusal("", status: 404) == .fault(.malformed))
  }

  @Test func aStreamSaysWhatHasHappened() throws {
    let created = try #require(
      line(#"{"result":{"header":{"revision":"9"},"watch_id":"2","created":true}}"#))
    #expect(created.watch == 2 && created.revision == 9)
    guard case .created = created.event else { throw Unexpected() }
    guard
      case .compacted? = line(
        #"{"result":{"header":{"revision":"9"},"canceled":true,"compact_revision":"5"}}"#)?.event,
      case .cancelled? = line(#"{"result":{"header":{"revision":"9"},"canceled":true}}"#)?.event,
      case .changes(let records, let newest)? = line(
        #"{"result":{"header":{"revision":"90"},"watch_id":"1","events":[{"kv":{"key":"YQ==","mod_revision":"4","value":"AQ=="}},{"type":"DELETE","kv":{"key":"Yg==","mod_revision":"6"}}]}}"#
      )?.event,
      case .changes(_, let progress)? = line(#"{"result":{"header":{"revision":"90"},"watch_id":"1"}}"#)?
        .event
    else { throw Unexpected() }
    #expect(records.map(\.revision) == [4])
    #expect(newest == 6 && progress == 90)
  }

  private struct Unexpected: Error {}

  @Test(arguments: [
    "", "{}", #"{"error":{"message":"x"}}"#, #"{"result":[]}"#, #"{"result":{"watch_id":"x"}}"#,
    #"{"result":{"events":[{"type":"PUT"}]}}"#, #"{"result":{"events":{}}}"#,
  ])
  func whatIsNoLineIsRefused(text: String) { #expect(line(text) == nil) }
}
