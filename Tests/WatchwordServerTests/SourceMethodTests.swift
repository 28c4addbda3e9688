import Glibc
import Testing
import WatchwordJSON
import WatchwordReactor
import WatchwordTestSupport
import WatchwordTransport
import WatchwordVocabulary

@testable import WatchwordCore
@testable import WatchwordServer

/// Callers that name a source or a file of Kerberos in place of a credential (storage.md 9.7).
@Suite(.serialized) final class SourceMethodTests {
  init() { LoopThread.started }
  deinit { waitForChildren(named: "helper") }

  private static let bearer =
    #""protectionSpace":{"protocol":"http","host":"a.example","authenticationMethod":"bearer"}"#
  private static let named = #"{\#(bearer),"credential":{"source":"s"}}"#

  /// A helper that notes what it is asked, and says this.
  private static func helper(_ folder: TemporaryFolder, saying answer: String, isTold: Bool = false) throws
    -> NamedSource
  {
    let text = "#!/bin/sh\n(echo \"$1\"; cat; echo .) >> \(folder.path(of: "asked"))\nprintf '\(answer)'\n"
    let program = try folder.write(text, to: "helper", mode: 0o700)
    return NamedSource(.gitHelper(NamedSource.GitHelper(command: [program], isTold: isTold)))
  }

  private static let endpoint = RequestURL(
    origin: Origin(scheme: .https, host: "id.example", port: 443), path: "/", query: nil)

  private static func tokens(_ secretFile: String? = nil) -> NamedSource {
    NamedSource(
      .oauth(
        OAuthSource(
          client: OAuthClient(grant: .clientCredentials, tokenEndpoint: endpoint, identifier: "c"),
          secretFile: secretFile, refreshTokenFile: nil, roots: nil)))
  }

  @Test(
    arguments: [
      ("token\n", 0o600, "{}"),
      (
        "token\n", 0o640,
        "credentialUnusable: the credential cannot answer this challenge: source s: others may read its file"
      ),
    ] as [(String, mode_t, String)])
  @ReactorActor func aFileIsReadForACredential(_ text: String, _ mode: mode_t, _ expected: String)
    async throws
  {
    let folder = try TemporaryFolder()
    let path = try folder.write(text, to: "f", mode: mode)
    try await DaemonScene.call({
      $0.settings.credentialSources = ["s": NamedSource(.file(path: path, user: nil))]
    }) {
      caller, scene in
      let found = await caller.say("credential/set", Self.named)
      #expect(found == expected || expected != "{}" && found.hasPrefix("credentialUnusable: "))
      let listed = await caller.ask("credential/list")["credentials"]?.elements.count
      #expect(listed == (expected == "{}" ? 1 : 0))
      let status = await caller.ask("status")["sources"]?.elements.first
      #expect(status?["source"]?.text == "s" && status?["kind"]?.text == "file")
      #expect(status?["lastError"]?.text == (expected == "{}" ? "" : "looseMode"))
    }
  }

  @Test @ReactorActor func aSourceIsForItsOrigins() async throws {
    let elsewhere = Origin(scheme: .https, host: "b.example", port: 443)
    let source = NamedSource(.file(path: "/nowhere", user: nil), origins: [elsewhere])
    try await DaemonScene.call({ $0.settings.credentialSources = ["s": source] }) { caller, scene in
      await caller.check("credential/set", Self.named, has: "credentialUnusable: ")
      #expect(scene.daemon.counters.sourcesRead == 0)
    }
  }

  /// storage.md 9.7.11.
  @Test(arguments: [(200, "store"), (401, "erase")])
  @ReactorActor func aHelperIsToldWhatAServerMadeOfIt(_ status: Int, _ operation: String) async throws {
    let folder = try TemporaryFolder()
    let source = try Self.helper(folder, saying: #"username=joe\npassword=pw\n"#, isTold: true)
    try await DaemonScene.call({ $0.settings.credentialSources = ["s": source] }) { caller, scene in
      let space =
        #""protectionSpace":{"protocol":"http","host":"a.example","realm":"r","#
        + #""authenticationMethod":"basic"}"#
      await caller.check(
        "credential/set", #"{\#(space),"credential":{"source":"s","persistence":"forSession"}}"#, is: "{}")
      #expect(
        folder.read("asked")?.hasPrefix("get\ncapability[]=authtype\nprotocol=http\nhost=a.example\n") == true
      )
      let task = await caller.send("fetch", #"{"url":"http://a.example/"}"#)
      let basic = [HeaderField("WWW-Authenticate", #"Basic realm="r""#)]
      await DaemonScene.until { scene.engines.first?.exchanges.count == 1 }
      scene.exchange?.respond(401, basic)
      await DaemonScene.until { scene.engines[0].exchanges.count == 2 }
      #expect(scene.exchange?.authorization == "Basic am9lOnB3")
      scene.exchange?.respond(status, status == 401 ? basic : [])
      _ = await caller.reply(to: task)
      await DaemonScene.until { folder.read("asked")?.contains("\(operation)\n") == true }
      await DaemonScene.until { folder.read("asked")?.hasSuffix("\n.\n") == true }
      let told = folder.read("asked")?.split(separator: "\(operation)\n").last ?? ""
      #expect(told.hasPrefix("protocol=http\nhost=a.example\npassword=pw\nusername=joe\n"))
      let refused = await caller.ask("status")["sessions"]?.elements.first?["refusedSources"]
      #expect(refused?.elements.compactMap { $0["source"]?.text } ?? [] == (status == 401 ? ["s"] : []))
    }
  }

  /// A helper that is not to be told, and one that gives nothing.
  @Test @ReactorActor func aHelperThatGivesNothingIsAFault() async throws {
    let folder = try TemporaryFolder()
    let source = try Self.helper(folder, saying: "quit=1\\n")
    try await DaemonScene.call({ $0.settings.credentialSources = ["s": source] }) { caller, scene in
      await caller.check("credential/set", Self.named, has: "credentialUnusable: ")
      #expect(scene.daemon.counters.sourcesFailed == 1)
    }
  }

  /// The administrator's tokens are forgotten with the agent of the daemon's uid, and only with that.
  @Test(arguments: ["forget", "lock", "other", "all"])
  @ReactorActor func tokensAreForgottenWithTheAgent(_ how: String) async throws {
    let folder = try TemporaryFolder()
    let secret = try folder.write("pw", to: "secret", mode: 0o600)
    try await DaemonScene.call({ $0.settings.credentialSources = ["s": Self.tokens(secret)] }) {
      caller, scene in
      scene.onEndpointRequest = { exchange in
        _ = EventLoop.shared.schedule(after: 0) {
          exchange.respond(
            200, [HeaderField("Content-Type", "application/json")], body: #"{"access_token":"x"}"#)
        }
      }
      await caller.check("credential/set", Self.named, is: "{}")
      await caller.check("status", has: #""token":true"#)
      switch how {
      case "forget": await caller.check("agent/forget", is: "{}")
      case "lock":
        await caller.check("agent/lock", #"{"passphrase":"p"}"#, is: #"{"locked":true}"#)
        // Locked, nothing of them is shown.
        await caller.check("status", has: #""sources":[]"#)
        await caller.check("agent/unlock", #"{"passphrase":"p"}"#, is: #"{"locked":false}"#)
      case "other": await scene.daemon.forget(caller.peer.process.uid + 1, for: nil)
      default: await scene.daemon.forget(nil, for: nil)
      }
      await caller.check("status", has: how == "other" ? #""token":true"# : #""token":false"#)
    }
  }

  /// The endpoint never answers.
  @Test(arguments: [true, false])
  @ReactorActor func whoDoesNotWaitForASourceTakesNoPlace(isCancelled: Bool) async throws {
    try await DaemonScene.call({ $0.settings.credentialSources = ["s": Self.tokens()] }) { caller, scene in
      let sources = scene.daemon.sources
      let space = ProtectionSpace(origin: Self.endpoint.origin, realm: nil, authenticationMethod: .bearer)
      let read = { @ReactorActor in
        sources.read(SourceRequest("s", for: space, purpose: .renewal)) { _ in }
      }
      for _ in 1..<Limits.sourceReadings { _ = read() }
      let request = await caller.send("credential/set", Self.named)
      await caller.check("ping", is: "{}")
      #expect(!caller.hasReply(to: request) && read() == nil)
      if isCancelled {
        await caller.cancel(request)
        #expect(Caller.text(await caller.reply(to: request)) == Caller.cancelled)
      } else {
        caller.close()
        await DaemonScene.until { scene.daemon.peers.isEmpty }
      }
      #expect(read() != nil)
      sources.replace(with: [:])
    }
  }

  private static let negotiate =
    #""protectionSpace":{"protocol":"http","host":"a.example","authenticationMethod":"negotiate"}"#

  @Test(arguments: [
    (0, "is empty"), (1, ""), (KerberosSource.maximumBytes, ""),
    (KerberosSource.maximumBytes + 1, "is larger than \(KerberosSource.maximumBytes) bytes"),
  ])
  @ReactorActor func aCredentialCacheIsReadFromAFile(_ count: Int, _ expected: String) async throws {
    let folder = try TemporaryFolder()
    let file = open(try folder.write([UInt8](repeating: 5, count: count), to: "f"), O_RDONLY)
    defer { close(file) }
    lseek(file, 1, SEEK_SET)
    try await DaemonScene.call { caller, scene in
      let fault = "descriptorUnusable: params.credential.kerberos.cache.descriptor: \(expected)"
      await caller.check(
        "credential/set", #"{\#(Self.negotiate),"credential":{"kerberos":{"cache":{"descriptor":0}}}}"#,
        descriptors: [file], is: expected.isEmpty ? "{}" : fault)
      #expect(lseek(file, 0, SEEK_CUR) == 1)
      let kept = scene.daemon.registry.all.first?.state.memory.byteCount ?? 0
      #expect(expected.isEmpty ? kept >= count : kept == 0)
    }
  }

  @Test @ReactorActor func whatIsNoFileIsNoCredentialCache() async throws {
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    defer { for end in ends { close(end) } }
    try await DaemonScene.call { caller, scene in
      await caller.check(
        "credential/set", #"{\#(Self.negotiate),"credential":{"kerberos":{"cache":{"descriptor":0}}}}"#,
        descriptors: [ends[0]],
        is: "descriptorUnusable: params.credential.kerberos.cache.descriptor: must be a regular file")
    }
  }

  @Test(arguments: [
    (#"{"cache":"ours"}"#, true), (#"{"cache":"others"}"#, false), (#"{"keytab":"ours"}"#, true),
    (#"{"keytab":"others"}"#, false), (#"{"cache":"default"}"#, true),
  ])
  @ReactorActor func onlyNamesOfTheAdministratorAreUsed(_ source: String, _ isKnown: Bool) async throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(
      #"{"kerberos":{"caches":{"ours":"/c"},"keytabs":{"ours":{"path":"/k","principal":"p"}}}}"#,
      to: "config.json")
    try await DaemonScene.call({ $0.configuration = .given(path) }) { caller, scene in
      await caller.check("server/reload", is: #"{"reloaded":true}"#)
      let found = await caller.say(
        "credential/set", #"{\#(Self.negotiate),"credential":{"kerberos":\#(source)}}"#)
      #expect(isKnown ? found == "{}" : found.hasPrefix("credentialUnusable: "))
    }
  }

  /// storage.md 9.7.11: to tell a helper something takes the place of a reading, and it may be told the same again.
  @Test @ReactorActor func whatAHelperIsToldCountsAsAReading() async throws {
    let folder = try TemporaryFolder()
    let origin = Self.endpoint.origin
    let scene = SessionScene()
    let helper = try Self.helper(folder, saying: "", isTold: true)
    let registry = SourceRegistry(["h": helper, "s": Self.tokens()], scene)
    let space = ProtectionSpace(origin: origin, realm: nil, authenticationMethod: .bearer)
    let read = { @ReactorActor in registry.read(SourceRequest("s", for: space, purpose: .renewal)) { _ in } }
    var faults: [SourceFault] = []
    let tell = { @ReactorActor (operation: SourceReport.Operation) in
      registry.tell(
        SourceReport(operation: operation, source: "h", origin: origin, receipt: Secret("x".utf8))
      ) { faults.append($0) }
    }
    for _ in 1..<Limits.sourceReadings { _ = read() }
    let last = read()
    tell(.erase)
    #expect(faults == [.overloaded] && last?.abandon() == true)
    tell(.store)
    #expect(read() == nil && faults.count == 1)
    var isTold = false
    await DaemonScene.until {
      isTold = isTold || read()?.abandon() == true
      return isTold
    }
    #expect(folder.read("asked") == "store\nx.\n")
    tell(.store)
    await DaemonScene.until { folder.read("asked") == "store\nx.\nstore\nx.\n" }
    registry.replace(with: [:])
  }
}
