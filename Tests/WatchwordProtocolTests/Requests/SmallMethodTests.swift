import Testing
import WatchwordCore
import WatchwordJSON
import WatchwordProtocol
import WatchwordVocabulary

/// What the shorter methods take and refuse.
@Suite struct SmallMethodTests {
  @Test func methodsWithoutParametersTakeNone() {
    MethodUnderTest.none.expectAccepted("{}")
    #expect(MethodUnderTest.none.verdict("") == "taken")
    MethodUnderTest.none.expectRefusals(#"{"a":1} => .a"#)
  }

  @Test func everyMethodRefusesAMemberThatItDoesNotKnow() {
    for method in MethodName.allCases {
      #expect(
        fault { _ = try method.parameters.init(try parameters(#"{"unknown":null}"#)) }?.kind
          == .invalidParams, "\(method)")
    }
  }

  @Test func initializeTakesWhatACallerSaysOfItself() throws {
    let all = #"{"name":"n","version":"1.0","protocolVersion":"1","capabilities":{"descriptors":true}}"#
    let hello = try InitializeParameters(try parameters(all))
    #expect(hello.name == "n" && hello.version == "1.0" && hello.capabilities?.descriptors == true)
    let later = #"{"capabilities":{"telepathy":{"version":2},"descriptors":true}}"#
    #expect(try InitializeParameters(try parameters(later)).capabilities?.descriptors == true)
    let nothing = try InitializeParameters(nil)
    #expect(nothing.name == nil && nothing.capabilities == nil)
    MethodUnderTest.initialize.expectRefusals(
      #"""
      {"name":1} => .name
      {"protocolVersion":"2"} => .protocolVersion
      {"protocolVersion":1} => .protocolVersion
      {"capabilities":[]} => .capabilities
      {"capabilities":{"descriptors":1}} => .capabilities.descriptors
      {"clientInfo":{}} => .clientInfo
      """#)
  }

  @Test func sessionsAreNamedWithPlainWords() throws {
    let name = String(repeating: "n", count: 128)
    #expect(MethodUnderTest.session.verdict(#"{"session":"\#(name)"}"#) == "taken")
    #expect(MethodUnderTest.session.verdict(#"{"session":"\#(name)n"}"#) == "invalidParams params.session")
    MethodUnderTest.session.expectAccepted("{}\n" + #"{"session":"a.B_c-9"}"#)
    MethodUnderTest.session.expectRefusals(
      #"""
      {"session":null} => .session
      {"session":1} => .session
      {"session":"a\u0301"} => .session
      {"sesion":"a"} => .sesion
      """#)
  }

  @Test func aTextThatMayNotBeEmptyIsRefusedWhereItIsRead() {
    MethodUnderTest.sessionOpen.expectRefusals(#"{"bySettings":true,"variant":""} => .variant"#)
    MethodUnderTest.fetch.expectRefusals(#"{"url":""} => .url"#)
    MethodUnderTest.explain.expectRefusals(#"{"url":""} => .url"#)
    MethodUnderTest.challenge.expectRefusals(#"{"challenge":""} => .challenge"#)
    MethodUnderTest.cookieRemove.expectRefusals(#"{"name":""} => .name"#)
  }

  @Test func openTakesANameAConfigurationAndADelegate() throws {
    let open = try SessionOpenParameters(
      try parameters(
        #"{"name":"reports","configuration":{"idleSeconds":5},"delegate":{"tasks":["basic","digest"],"session":["*"]}}"#
      ))
    #expect(open.name == "reports" && open.configuration?.idleSeconds == 5)
    #expect(open.delegate == DelegateInterest(tasks: .only([.basic, .digest]), session: .all))
    let empty = try SessionOpenParameters(try parameters(#"{"configuration":{},"delegate":{}}"#))
    #expect(empty.configuration == nil && empty.delegate == .nothing)
    #expect(try SessionOpenParameters(nil).delegate == nil)
    MethodUnderTest.sessionOpen.expectRefusals(
      #"""
      {"name":"private-1"} => .name
      {"name":""} => .name
      {"configuration":null} => .configuration
      {"delegate":["basic"]} => .delegate
      {"delegate":{"tasks":"*"}} => .delegate.tasks
      {"delegate":{"tasks":["basic","Digest"]}} => .delegate.tasks[1]
      {"delegate":{"tasks":["*","bsic"]}} => .delegate.tasks[1]
      {"delegate":{"session":["default"]}} => .delegate.session[0]
      {"delegate":{"task":["*"]}} => .delegate.task
      """#)
  }

  @Test func tasksAreNamed() {
    MethodUnderTest.task.expectAccepted(#"{"task":"t1"}"#)
    MethodUnderTest.task.expectRefusals(
      #"""
      {} => .task
      {"task":1} => .task
      {"task":"t1","session":"s"} => .session
      """#)
  }

  @Test func aChallengeIsAnsweredWithADisposition() throws {
    func read(_ text: String) throws -> ChallengeReply.Parameters {
      try ChallengeReply.Parameters(try parameters(text))
    }
    for disposition in Disposition.allCases {
      let reply = try read(#"{"challenge":"c1","disposition":"\#(disposition.rawValue)"}"#)
      #expect((reply.challenge, reply.disposition) == ("c1", disposition))
      #expect(reply.credential == nil)
    }
    let using = #""challenge":"c1","disposition":"useCredential""#
    #expect(try read("{\(using),\"credential\":null}").credential == nil)
    #expect(
      try read("{\(using),\"credential\":{\"user\":\"u\",\"password\":\"\"}}").credential?.complete?.user
        == "u")
    let cancel =
      #"{"challenge":"c1","disposition":"cancelAuthenticationChallenge","credential":{"user":"u"}}"#
    #expect(try read(cancel).credential == nil)
    MethodUnderTest.challengeReply.expectRefusals(
      #"""
      {} => .challenge
      {"challenge":"c1"} => .disposition
      {"challenge":"c1","disposition":"cancel"} => .disposition
      {"challenge":"c1","disposition":0} => .disposition
      {"challenge":"c1","disposition":"useCredential","credential":"x"} => .credential
      {"challenge":"c1","disposition":"useCredential","credential":{"user":"u"}} => .credential.password
      {"challenge":"c1","disposition":"useCredential","credentials":{}} => .credentials
      """#)
    #expect(
      MethodUnderTest.challengeReply.verdict("{\(using),\"credential\":{\"trust\":\"publicKey\"}}")
        == "taken")
    MethodUnderTest.challenge.expectAccepted(#"{"challenge":"c1"}"#)
    MethodUnderTest.challenge.expectRefusals("{} => .challenge\n" + #"{"challenge":"c","task":"t"} => .task"#)
  }

  @Test func aRedirectIsFollowedChangedOrStopped() throws {
    func read(_ text: String) throws -> RedirectReplyParameters {
      try RedirectReplyParameters(try parameters(text))
    }
    #expect(try read(#"{"task":"t1","request":null}"#).request == nil)
    let asProposed = try read(#"{"task":"t1","request":{}}"#).request
    #expect(asProposed != nil && asProposed?.url == nil && asProposed?.headers == nil)
    let changed = try read(
      #"{"task":"t1","request":{"url":"u","method":"POST","headers":[["A","b"]]}}"#
    ).request
    #expect((changed?.url, changed?.method) == ("u", "POST"))
    #expect(changed?.headers == [HeaderField("A", "b")])
    MethodUnderTest.redirectReply.expectRefusals(
      #"""
      {"task":"t1"} => .request
      {"request":null} => .task
      {"task":"t1","request":true} => .request
      {"task":"t1","request":{"url":1}} => .request.url
      {"task":"t1","request":{"method":"A B"}} => .request.method
      {"task":"t1","request":{"headers":[["Host\n","b"]]}} => .request.headers[0][0]
      {"task":"t1","request":{"body":{}}} => .request.body
      """#)
  }

  @Test func explainTakesAURLAndAMethod() throws {
    let explain = try ExplainParameters(try parameters(#"{"url":"u"}"#))
    #expect((explain.url, explain.method, explain.session) == ("u", "GET", nil))
    MethodUnderTest.explain.expectRefusals(
      #"""
      {} => .url
      {"url":"u","method":"CONNECT"} => .method
      {"url":"u","headers":[["a"]]} => .headers[0]
      {"url":"u","body":{}} => .body
      """#)
  }

  @Test func statusAndShutdownHaveOneParameterEach() throws {
    #expect(try StatusSubscribeParameters(nil).intervalSeconds == 1)
    #expect(try StatusSubscribeParameters(try parameters(#"{"intervalSeconds":0.5}"#)).intervalSeconds == 0.5)
    #expect(try ServerShutdownParameters(nil).graceful)
    #expect(try !ServerShutdownParameters(try parameters(#"{"graceful":false}"#)).graceful)
    MethodUnderTest.subscribe.expectRefusals(
      #"""
      {"intervalSeconds":0} => .intervalSeconds
      {"intervalSeconds":3601} => .intervalSeconds
      {"interval":1} => .interval
      """#)
    MethodUnderTest.shutdown.expectRefusals(
      #"""
      {"graceful":0} => .graceful
      {"force":true} => .force
      """#)
  }
}
