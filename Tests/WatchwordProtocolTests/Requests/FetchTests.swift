import Testing
import WatchwordCore
import WatchwordProtocol
import WatchwordTestSupport
import WatchwordVocabulary

@Suite struct FetchTests {
  private func read(_ text: String) throws -> FetchParameters {
    try FetchParameters(try parameters(text))
  }

  @Test func aURLIsEnough() throws {
    let fetch = try read(#"{"url":"http://a.test/"}"#)
    #expect(fetch.url == "http://a.test/")
    #expect((fetch.session, fetch.task) == (nil, nil))
    #expect((fetch.method, fetch.priority) == ("GET", 0.5))
    #expect(fetch.headers == nil && fetch.sensitiveHeaders == nil && fetch.body == nil)
    #expect(fetch.output == nil && fetch.timeouts == nil)
    #expect(!fetch.detached && fetch.decodeContent && fetch.followRedirects)
  }

  @Test func everyMemberIsRead() throws {
    let fetch = try read(
      #"""
      {"session":"reports","task":"t-1.a_B","url":"https://a.test/","method":"PUT",
       "headers":[["Accept","text/csv"],["accept","a\tb"],["X",""]],"sensitiveHeaders":["X"],
       "body":{"base64":"aGk="},"timeouts":{"connectSeconds":1,"requestSeconds":2.5,"resourceSeconds":0.001},
       "priority":1,"detached":true,"output":{"descriptor":15,"resumeIfRange":"\"x\""},"decodeContent":false,
       "followRedirects":false}
      """#)
    #expect((fetch.session, fetch.task, fetch.method) == ("reports", "t-1.a_B", "PUT"))
    #expect(
      fetch.headers == [
        HeaderField("Accept", "text/csv"), HeaderField("accept", "a\tb"), HeaderField("X", ""),
      ])
    #expect(fetch.sensitiveHeaders == ["X"])
    #expect(fetch.body == .bytes(Array("hi".utf8)))
    let timeouts = try #require(fetch.timeouts)
    #expect(
      (timeouts.connectSeconds, timeouts.requestSeconds, timeouts.resourceSeconds) == (1, 2.5, 0.001))
    #expect((fetch.priority, fetch.detached, fetch.decodeContent) == (1, true, false))
    #expect(!fetch.followRedirects)
    #expect(fetch.output?.output == .descriptor(15, resumeIfRange: "\"x\""))
  }

  @Test func aBodyIsATextOrBase64OrADescriptor() throws {
    #expect(try read(#"{"url":"u","body":{"text":"é"}}"#).body == .bytes([0xC3, 0xA9]))
    #expect(try read(#"{"url":"u","body":{"text":""}}"#).body == .bytes([]))
    #expect(try read(#"{"url":"u","body":{"base64":""}}"#).body == .bytes([]))
    #expect(try read(#"{"url":"u","body":{"descriptor":0}}"#).body == .descriptor(0))
    #expect(try read(#"{"url":"u","body":null}"#).body == nil)
    let long = String(repeating: "x", count: 200_000)
    #expect(try read(#"{"url":"u","body":{"text":"\#(long)"}}"#).body == .bytes(Array(long.utf8)))
  }

  @Test func anOutputIsAWordOrADescriptor() throws {
    for (text, output) in [
      (#""auto""#, Fetch.Output.auto), (#""inline""#, .inline), (#""stream""#, .stream),
      (#""discard""#, .discard), (#"{"descriptor":3}"#, .descriptor(3, resumeIfRange: nil)),
    ] {
      #expect(try read(#"{"url":"u","output":\#(text)}"#).output?.output == output)
    }
  }

  @Test func whatIsWrongIsNamed() {
    MethodUnderTest.fetch.expectRefusals(
      #"""
      {} => .url
      {"url":1} => .url
      {"url":null} => .url
      {"url":"u","session":""} => .session
      {"url":"u","session":"a b"} => .session
      {"url":"u","session":"a/b"} => .session
      {"url":"u","session":"é"} => .session
      {"url":"u","task":"a\n"} => .task
      {"url":"u","method":""} => .method
      {"url":"u","method":"GET "} => .method
      {"url":"u","method":"GET\r\nX: y"} => .method
      {"url":"u","method":"CONNECT"} => .method
      {"url":"u","method":"GETGETGETGETGETGETGETGETGETGETGET"} => .method
      {"url":"u","headers":{}} => .headers
      {"url":"u","headers":["A: b"]} => .headers[0]
      {"url":"u","headers":[["A","b"],["A"]]} => .headers[1]
      {"url":"u","headers":[["A","b","c"]]} => .headers[0]
      {"url":"u","headers":[["A",1]]} => .headers[0]
      {"url":"u","headers":[["A","b"],["A","b"],["A b","c"]]} => .headers[2][0]
      {"url":"u","headers":[["","c"]]} => .headers[0][0]
      {"url":"u","headers":[["A:","c"]]} => .headers[0][0]
      {"url":"u","headers":[["A\r\nB","c"]]} => .headers[0][0]
      {"url":"u","headers":[["é","c"]]} => .headers[0][0]
      {"url":"u","headers":[["Content-Length","3"]]} => .headers[0][0]
      {"url":"u","headers":[["transfer-ENCODING","chunked"]]} => .headers[0][0]
      {"url":"u","headers":[["Proxy-Connection","close"]]} => .headers[0][0]
      {"url":"u","headers":[["A","b\r\nHost: evil"]]} => .headers[0][1]
      {"url":"u","headers":[["A","b\n"]]} => .headers[0][1]
      {"url":"u","headers":[["A","\u0001"]]} => .headers[0][1]
      {"url":"u","headers":[["A","\u007f"]]} => .headers[0][1]
      {"url":"u","sensitiveHeaders":"A"} => .sensitiveHeaders
      {"url":"u","sensitiveHeaders":["A",1]} => .sensitiveHeaders[1]
      {"url":"u","sensitiveHeaders":["A","b c"]} => .sensitiveHeaders[1]
      {"url":"u","body":"text"} => .body
      {"url":"u","body":{}} => .body
      {"url":"u","body":{"text":"a","base64":"YQ=="}} => .body
      {"url":"u","body":{"text":"a","descriptor":0}} => .body
      {"url":"u","body":{"text":null}} => .body.text
      {"url":"u","body":{"base64":"YQ"}} => .body.base64
      {"url":"u","body":{"base64":"YR=="}} => .body.base64
      {"url":"u","body":{"descriptor":16}} => .body.descriptor
      {"url":"u","body":{"descriptor":-1}} => .body.descriptor
      {"url":"u","body":{"descriptor":0.0}} => .body.descriptor
      {"url":"u","body":{"file":"/etc/shadow"}} => .body
      {"url":"u","body":{"text":"a","file":"/etc/shadow"}} => .body.file
      {"url":"u","timeouts":1} => .timeouts
      {"url":"u","timeouts":{"connectSeconds":-1}} => .timeouts.connectSeconds
      {"url":"u","timeouts":{"connectSeconds":0}} => .timeouts.connectSeconds
      {"url":"u","timeouts":{"requestSeconds":"1"}} => .timeouts.requestSeconds
      {"url":"u","timeouts":{"resourceSeconds":1e300}} => .timeouts.resourceSeconds
      {"url":"u","timeouts":{"seconds":1}} => .timeouts.seconds
      {"url":"u","priority":1.01} => .priority
      {"url":"u","priority":-0.1} => .priority
      {"url":"u","priority":true} => .priority
      {"url":"u","detached":1} => .detached
      {"url":"u","output":"file"} => .output
      {"url":"u","output":null} => .output
      {"url":"u","output":{}} => .output.descriptor
      {"url":"u","output":{"descriptor":"0"}} => .output.descriptor
      {"url":"u","output":{"descriptor":0,"path":"x"}} => .output.path
      {"url":"u","output":{"descriptor":0,"resumeIfRange":"a\r\nb"}} => .output.resumeIfRange
      {"url":"u","decodeContent":"no"} => .decodeContent
      {"url":"u","decodecontent":true} => .decodecontent
      {"url":"u","password":"sesame"} => .password
      """#)
  }

  @Test func theValuesOfSensitiveFieldsAreSecrets() throws {
    let fetch = try read(
      #"""
      {"url":"u","headers":[["Authorization","s"],["COOKIE","s"],["proxy-authorization","s"],["X","Authorization"]]}
      """#)
    #expect(fetch.headers?.map { $0.secret != nil } == [true, true, true, false])
    #expect(!"\(fetch)".contains("\"s\""))
    MethodUnderTest.fetch.expectRefusals(
      #"""
      {"url":"u","headers":["cookie","p"]} => .headers[0]
      {"url":"u","headers":[["cookie","p","q"]]} => .headers[0]
      {"url":"u","headers":[["cookie"]]} => .headers[0]
      {"url":"u","headers":[["cookie",1]]} => .headers[0]
      {"url":"u","headers":[[1,"p"]]} => .headers[0]
      {"url":"u","headers":[["cookie","p\n"]]} => .headers[0][1]
      """#)
  }

  @Test func longURLsAndLongListsAreRefused() {
    let long = String(repeating: "u", count: 16_384)
    #expect(MethodUnderTest.fetch.verdict(#"{"url":"\#(long)"}"#) == "taken")
    #expect(MethodUnderTest.fetch.verdict(#"{"url":"\#(long)u"}"#) == "invalidParams params.url")
    func fields(_ count: Int) -> String {
      #"{"url":"u","headers":["# + repeatElement(#"["A","b"]"#, count: count).joined(separator: ",") + "]}"
    }
    #expect(MethodUnderTest.fetch.verdict(fields(256)) == "taken")
    #expect(
      MethodUnderTest.fetch.verdict(fields(256 + 1))
        == "invalidParams params.headers")
    let value = String(repeating: "v", count: 65_537)
    #expect(
      MethodUnderTest.fetch.verdict(#"{"url":"u","headers":[["A","\#(value)"]]}"#)
        == "invalidParams params.headers[0][1]")
  }

  @Test func noErrorQuotesWhatWasSent() throws {
    for text in [
      #"{"url":"u","password":"sesame"}"#, #"{"url":"u","headers":[["A","sesame\n"]]}"#,
      #"{"url":"u","headers":[["sesame b","x"]]}"#, #"{"url":"u","body":{"base64":"sesame"}}"#,
      #"{"url":["sesame"]}"#, #"{"url":"u","method":"sesame sesame"}"#,
    ] {
      let error = fault { _ = try read(text) }
      #expect(error.map { !"\($0)".contains("sesame") } == true, "\(text)")
    }
  }
}
