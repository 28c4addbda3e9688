import Testing
import WatchwordCore
import WatchwordJSON
import WatchwordProtocol
import WatchwordTestSupport
import WatchwordVocabulary

@Suite struct SessionConfigurationTests {
  private func read(_ text: String) throws -> SessionConfiguration {
    let open = try SessionOpenParameters(try parameters("{\"configuration\":\(text)}"))
    return open.configuration ?? SessionConfiguration()
  }

  private static let everything = #"""
    {"credentialStorage":"private",
     "methods":{"order":["basic","digest"],"disabled":["ntlm","bearer"],"basicOverCleartext":true,"strongestOnly":true},
     "challenges":{"deadlineSeconds":0.5,"unanswered":"deliver","refusalBudget":1},
     "tls":{"roots":{"certificates":"PEM","exclusive":true},"minimumVersion":"1.3","maximumVersion":"1.3",
       "pins":[{"host":"*.a.test","publicKeys":["sha256/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="],"reportOnly":true}],
       "revocation":"required","revocationLists":"LISTS"},
     "proxies":"none","redirects":{"policy":"ask","limit":0,"allowDowngrade":true},
     "timeouts":{"connectSeconds":1,"requestSeconds":2,"resourceSeconds":3},"headers":[["A","b"],["Authorization","Bearer t"]],
     "cookies":"never","cache":"none","idleSeconds":4,"connectionsPerHost":5,"httpVersions":["1.1"],
     "limits":{"inlineBodyBytes":6,"memoryBodyBytes":8,"decodedBodyBytes":7},
     "addresses":{"resolve":{"host.test:443":"127.0.0.1","b.test:80":"::1"},"allowOrigins":["http://a.test"],"refusePrivate":true},
     "netrc":null,"forms":[]}
    """#

  private static let withoutSecret = everything.replacing(#",["Authorization","Bearer t"]"#, with: "")

  @Test func everyMemberIsRead() throws {
    let read = try read(Self.everything)
    #expect(read.credentialStorage == .private && read.proxies == .none && read.cookies == .never)
    #expect(read.methods.order == .list([.basic, .digest]) && read.methods.disabled == [.ntlm, .bearer])
    #expect(read.methods.basicOverCleartext && read.methods.strongestOnly)
    #expect(read.challenges.deadlineSeconds == 0.5 && read.challenges.unanswered == .deliver)
    #expect(read.challenges.refusalBudget == 1)
    #expect(read.tls.roots == "PEM" && read.tls.rootsAreExclusive && read.tls.minimumVersion == .tls13)
    #expect(read.tls.pins.rules.map(\.host.text) == ["*.a.test"] && read.tls.pins.rules[0].isReportOnly)
    #expect(read.redirects.mode == .ask && read.redirects.limit == 0 && read.redirects.allowsDowngrade)
    #expect(read.timeouts.connectSeconds == 1 && read.timeouts.resourceSeconds == 3)
    #expect(read.headers == [HeaderField("A", "b"), HeaderField("Authorization", "Bearer t")])
    #expect(read.idleSeconds == 4 && read.connectionsPerHost == 5 && read.httpVersions == [.http11])
    #expect(read.limits.inlineBodyBytes == 6 && read.limits.decodedBodyBytes == 7)
    #expect(read.limits.memoryBodyBytes == 8)
    #expect(read.addresses.resolve.map(\.hostAndPort) == ["host.test:443", "b.test:80"])
    #expect(read.addresses.allowOrigins == ["http://a.test"] && read.addresses.refusePrivate)
  }

  /// The defaults are those of the protocol.
  @Test func anEmptyOneIsTheDefaults() throws {
    #expect(try read("{}") == SessionConfiguration())
    let written = SessionConfiguration().value
    let expected = try parse(
      #"""
      {"credentialStorage":"shared",
       "methods":{"order":["negotiate","bearer","digest","ntlm","basic"],"disabled":["ntlm"],"basicOverCleartext":false,"strongestOnly":false,
         "digest":{"preemptive":"auto"},
         "negotiate":{"ambientOrigins":[],"delegate":false,"allowNTLM":false}},
       "challenges":{"deadlineSeconds":300.0,"unanswered":"cancel","refusalBudget":5},
       "tls":{"roots":null,"minimumVersion":"1.2","maximumVersion":"1.3","pins":[],"revocation":"off",
         "revocationLists":null},
       "proxies":"environment","redirects":{"policy":"follow","limit":20,"allowDowngrade":false},
       "timeouts":{"connectSeconds":30.0,"requestSeconds":60.0,"resourceSeconds":604800.0},
       "headers":[],"cookies":"accept","cache":"none","idleSeconds":28800.0,"connectionsPerHost":6,
       "httpVersions":["2","1.1"],
       "limits":{"inlineBodyBytes":8388608,"memoryBodyBytes":268435456,"decodedBodyBytes":null},
       "addresses":{"resolve":{},"allowOrigins":null,"refusePrivate":false},"netrc":null,"forms":[]}
      """#)
    #expect(written == expected)
  }

  /// As one daemon gives it to the next.
  @Test(arguments: [
    "{}", everything,
    #"{"headers":[["Cookie","a=\"é\\"],["Authorization",{"base64":"/w=="}],["A",{"base64":"/w=="}]]}"#,
    #"{"proxies":{"http":"http://a:p%22@b.test:1","https":"https://c.test","all":null,"except":["d.test"]}}"#,
    #"{"netrc":{"text":"machine a.test login b password c\n"}}"#,
    #"{"netrc":{"base64":"bWFjaGluZSBhIGxvZ2luIGIgcGFzc3dvcmQg/w=="}}"#,
    #"{"forms":[{"page":"http://a.test/l*","fields":{"user":"u","password":"p"}}]}"#,
  ])
  func whatIsGivenIsReadAsTheSame(_ text: String) throws {
    let configuration = try read(text)
    let again = try read(written { configuration.write(revealingSecretsTo: &$0) })
    #expect(again == configuration)
    #expect(again.differingMembers(from: configuration) == [])
  }

  /// But for secrets, which are not written.
  @Test(arguments: ["{}", withoutSecret, #"{"methods":{"order":"serverOrder","disabled":[]}}"#])
  func whatIsWrittenIsReadAsTheSame(_ text: String) throws {
    let configuration = try read(text)
    let again = try read(written { $0.value(configuration.value) })
    #expect(again == configuration)
    #expect(again.differingMembers(from: configuration) == [])
  }

  @Test func anAuthorizationIsASecretAndTellsConfigurationsApart() throws {
    let one = try read(#"{"headers":[["authorization","Bearer t"]]}"#)
    let other = try read(#"{"headers":[["authorization","Bearer u"]]}"#)
    #expect(one.headers[0].secret != nil && one.headers[0].value == "<secret>")
    #expect(one.headers[0].valueByteCount == 8 && one.heldBytes == HeldBytes.text(21))
    #expect(one.differingMembers(from: other) == ["headers"] && one.differingMembers(from: one) == [])
  }

  @Test func secretsAreNotShown() throws {
    let shown = written { $0.value((try? read(Self.everything))?.shownValue ?? .null) }
    #expect(shown.contains(#"["A","b"],["Authorization","<secret>"]"#))
    #expect(!shown.contains("Bearer"))
  }

  @Test(arguments: [
    (#"{"credentialStorage":"private"}"#, ["credentialStorage"]),
    (
      #"{"methods":{"order":"serverOrder","strongestOnly":true}}"#,
      ["methods.order", "methods.strongestOnly"]
    ),
    (#"{"methods":{"disabled":["basic","ntlm"]}}"#, ["methods.disabled"]),
    (#"{"tls":{"roots":{"certificates":"PEM"}}}"#, ["tls.roots"]),
    (#"{"timeouts":{"requestSeconds":1},"cookies":"never"}"#, ["timeouts.requestSeconds", "cookies"]),
    (#"{"headers":[["A","b"]]}"#, ["headers"]), (#"{"httpVersions":["1.1"]}"#, ["httpVersions"]),
    (#"{"limits":{"decodedBodyBytes":1}}"#, ["limits.decodedBodyBytes"]),
    (
      #"{"addresses":{"resolve":{"a:1":"::1"},"allowOrigins":[]}}"#,
      ["addresses.resolve", "addresses.allowOrigins"]
    ),
    (#"{"timeouts":{"connectSeconds":30},"redirects":{"limit":20},"netrc":null}"#, []),
  ]) func differencesAreNamed(_ text: String, _ members: [String]) throws {
    let configuration = try read(text)
    #expect(configuration.differingMembers(from: SessionConfiguration()) == members)
    #expect(SessionConfiguration().differingMembers(from: configuration) == members)
  }

  @Test func whatIsWrongIsNamed() {
    for line in Self.refusals.split(separator: "\n") {
      let parts = line.split(separator: " => ")
      guard parts.count == 2 else {
        Issue.record("\(line)")
        continue
      }
      #expect(
        MethodUnderTest.sessionOpen.verdict("{\"configuration\":\(parts[0])}")
          == "invalidParams params.configuration.\(parts[1])", "\(line)")
    }
  }

  @Test(arguments: [4096, 4097]) func resolutionsAreBounded(_ count: Int) {
    let members = (0..<count).map { "\"h:\($0)\":\"::1\"" }.joined(separator: ",")
    let verdict = MethodUnderTest.sessionOpen.verdict(
      "{\"configuration\":{\"addresses\":{\"resolve\":{\(members)}}}}")
    #expect(
      (verdict == "invalidParams params.configuration.addresses.resolve") == (count > 4096), "\(verdict)")
  }

  private static let refusals = #"""
    {"credentialstorage":"shared"} => credentialstorage
    {"credentialStorage":"none"} => credentialStorage
    {"credentialStorage":null} => credentialStorage
    {"methods":[]} => methods
    {"methods":{"order":"strength"}} => methods.order
    {"methods":{"order":["basic","Digest"]}} => methods.order[1]
    {"methods":{"order":["default"]}} => methods.order[0]
    {"methods":{"disabled":"ntlm"}} => methods.disabled
    {"methods":{"disabled":[1]}} => methods.disabled[0]
    {"methods":{"disabled":["serverTrust"]}} => methods.disabled[0]
    {"methods":{"order":["basic","digest","basic"]}} => methods.order[2]
    {"methods":{"order":["basic","digest","ntlm","bearer","negotiate","basic"]}} => methods.order
    {"methods":{"basicOverCleartext":1}} => methods.basicOverCleartext
    {"methods":{"strongest":true}} => methods.strongest
    {"challenges":{"deadlineSeconds":0}} => challenges.deadlineSeconds
    {"challenges":{"deadlineSeconds":86401}} => challenges.deadlineSeconds
    {"challenges":{"unanswered":"ignore"}} => challenges.unanswered
    {"challenges":{"refusalBudget":0}} => challenges.refusalBudget
    {"challenges":{"refusalBudget":101}} => challenges.refusalBudget
    {"tls":{"verify":false}} => tls.verify
    {"tls":{"roots":"PEM"}} => tls.roots
    {"tls":{"roots":{}}} => tls.roots.certificates
    {"tls":{"roots":{"certificates":"PEM","only":true}}} => tls.roots.only
    {"tls":{"minimumVersion":"1.1"}} => tls.minimumVersion
    {"tls":{"minimumVersion":1.2}} => tls.minimumVersion
    {"tls":{"minimumVersion":"1.3","maximumVersion":"1.2"}} => tls.maximumVersion
    {"tls":{"pins":{}}} => tls.pins
    {"tls":{"pins":["h"]}} => tls.pins[0]
    {"tls":{"pins":[{"host":"h"}]}} => tls.pins[0].publicKeys
    {"tls":{"pins":[{"host":"h","publicKeys":[]}]}} => tls.pins[0].publicKeys
    {"tls":{"pins":[{"host":"h","publicKeys":["sha256/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=","sha256/AAAA"]}]}} => tls.pins[0].publicKeys[1]
    {"tls":{"pins":[{"host":"h","publicKeys":["sha1/AAAA"]}]}} => tls.pins[0].publicKeys[0]
    {"tls":{"pins":[{"host":"*.","publicKeys":["sha256/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="]}]}} => tls.pins[0].host
    {"tls":{"pins":[{"host":"a*.b","publicKeys":["sha256/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="]}]}} => tls.pins[0].host
    {"tls":{"pins":[{"host":"h","publicKeys":["sha256/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="],"report":true}]}} => tls.pins[0].report
    {"tls":{"revocation":"sometimes"}} => tls.revocation
    {"proxies":{"ftp":"http://p"}} => proxies.ftp
    {"proxies":{"http":1}} => proxies.http
    {"proxies":{"except":["a b"]}} => proxies.except[0]
    {"proxies":"system"} => proxies
    {"proxies":null} => proxies
    {"redirects":{"policy":"never"}} => redirects.policy
    {"redirects":{"limit":51}} => redirects.limit
    {"redirects":{"limit":-1}} => redirects.limit
    {"redirects":{"allowDowngrade":"yes"}} => redirects.allowDowngrade
    {"timeouts":{"connectSeconds":-1}} => timeouts.connectSeconds
    {"timeouts":{"resourceSeconds":315360001}} => timeouts.resourceSeconds
    {"timeouts":{"connect":1}} => timeouts.connect
    {"headers":[["A","b"],["Host name","x"]]} => headers[1][0]
    {"headers":[["A","b\n"]]} => headers[0][1]
    {"cookies":"some"} => cookies
    {"cache":"memory"} => cache
    {"idleSeconds":"1"} => idleSeconds
    {"connectionsPerHost":0} => connectionsPerHost
    {"connectionsPerHost":257} => connectionsPerHost
    {"httpVersions":"2"} => httpVersions
    {"httpVersions":[]} => httpVersions
    {"httpVersions":["2","3"]} => httpVersions[1]
    {"httpVersions":["2","2"]} => httpVersions
    {"httpVersions":["2"]} => httpVersions
    {"httpVersions":[1.1]} => httpVersions[0]
    {"limits":{"inlineBodyBytes":-1}} => limits.inlineBodyBytes
    {"limits":{"inlineBodyBytes":67108865}} => limits.inlineBodyBytes
    {"limits":{"memoryBodyBytes":-1}} => limits.memoryBodyBytes
    {"limits":{"decodedBodyBytes":-1}} => limits.decodedBodyBytes
    {"limits":{"bytes":1}} => limits.bytes
    {"addresses":{"resolve":["a:1"]}} => addresses.resolve
    {"addresses":{"resolve":{"a":"::1"}}} => addresses.resolve.a
    {"addresses":{"resolve":{"a:1":""}}} => addresses.resolve.a:1
    {"addresses":{"resolve":{"a:1":"::1,::2"}}} => addresses.resolve.a:1
    {"addresses":{"resolve":{"a:1":1}}} => addresses.resolve.a:1
    {"addresses":{"allowOrigins":"x"}} => addresses.allowOrigins
    {"addresses":{"allowOrigins":["x",1]}} => addresses.allowOrigins[1]
    {"addresses":{"refusePrivate":1}} => addresses.refusePrivate
    {"addresses":{"deny":[]}} => addresses.deny
    {"netrc":"/home/x/.netrc"} => netrc
    {"forms":[{}]} => forms[0].page
    {"forms":{}} => forms
    """#
}
