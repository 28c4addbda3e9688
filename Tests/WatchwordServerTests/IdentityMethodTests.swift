import Glibc
import Testing
import WatchwordCore
import WatchwordJSON
import WatchwordProtocol
import WatchwordReactor
import WatchwordTestSupport
import WatchwordTransport
import WatchwordVocabulary

@testable import WatchwordServer

/// `identity/*`: client certificates of a session and of its uid (storage.md 8).
@Suite(.serialized) struct IdentityMethodTests {
  init() { LoopThread.started }

  private static func material(_ certificate: String, _ key: String) -> String {
    #"{"certificates":\#(TestCertificates.quoted(certificate)),"#
      + #""privateKey":\#(TestCertificates.quoted(key))}"#
  }
  private static let one = material(TestCertificates.one, TestCertificates.oneKey)
  private static let two = material(TestCertificates.two, TestCertificates.twoKey)

  /// Adds one, and says its id.
  @ReactorActor private static func add(
    _ caller: Caller, _ identity: String, _ more: String = "",
    sourceLocation: SourceLocation = #_sourceLocation
  ) async -> String {
    let added = await caller.ask("identity/add", #"{"identity":\#(identity)\#(more)}"#)
    let identifier = added["identity"]?.text ?? ""
    #expect(identifier.hasPrefix("i-"), "\(Caller.text(added))", sourceLocation: sourceLocation)
    return identifier
  }

  @ReactorActor private static func listed(_ caller: Caller, _ params: String = "{}") async -> [String] {
    let found = await caller.ask("identity/list", params)["identities"]?.elements ?? []
    return found.map { "\($0["identity"]?.text ?? "") \($0["persistence"]?.text ?? "")" }
  }

  private static let permanent = #","persistence":"permanent""#

  @Test @ReactorActor func whatIsAddedIsListedAndRemoved() async throws {
    try await DaemonScene.call { caller, scene in
      let first = await Self.add(caller, Self.one)
      let second = await Self.add(caller, Self.two)
      // The same again takes its own place, as the one that was added last.
      #expect(await Self.add(caller, Self.one) == first)
      #expect(await Self.listed(caller) == ["\(first) forSession", "\(second) forSession"])
      let other = try scene.connect()
      _ = await other.ask("session/open", #"{"name":"b"}"#)
      #expect(await Self.listed(other, #"{"session":"b"}"#) == [])
      await caller.check("identity/remove", #"{"identity":"i-0"}"#, is: #"{"removed":0}"#)
      await caller.check("identity/remove", #"{"identity":"\#(second)"}"#, is: #"{"removed":1}"#)
      await caller.check("identity/remove", is: #"{"removed":1}"#)
      #expect(await Self.listed(caller) == [])
    }
  }

  @Test(arguments: [
    (material(TestCertificates.one, TestCertificates.twoKey), "keyMismatch"),
    (material(TestCertificates.old, TestCertificates.oneKey), "expired"),
    (material("x", TestCertificates.oneKey), "certificatesUnreadable"),
  ])
  @ReactorActor func anIdentityThatCannotBeUsedSaysWhy(_ identity: String, _ reason: String) async throws {
    try await DaemonScene.call { caller, scene in
      let fault = await caller.ask("identity/add", #"{"identity":\#(identity)}"#)
      #expect(fault["data"]?["kind"]?.text == "credentialUnusable")
      #expect(fault["data"]?["reason"]?.text == reason)
      #expect(await Self.listed(caller) == [] && caller.peer.identitiesInReading == 0)
    }
  }

  @Test @ReactorActor func soManyAreReadAtOnce() async throws {
    try await DaemonScene.call { caller, scene in
      // What the same account computes comes after this.
      let gate = try Gate()
      ComputingLane.submit(for: caller.peer.process.uid) {
        gate.pass()
      } then: {
      }
      for _ in 0...Limits.identitiesInReading {
        await caller.send("identity/add", #"{"identity":\#(Self.one)}"#)
      }
      let last = Caller.text(await caller.reply(to: Limits.identitiesInReading + 1))
      #expect(last == "limitExceeded: more than \(Limits.identitiesInReading) identities at once")
      #expect(caller.peer.identitiesInReading == Limits.identitiesInReading)
      // What is cancelled is computed nevertheless, and counts until then.
      await caller.cancel(1)
      let cancelled = Caller.text(await caller.reply(to: 1))
      #expect(cancelled == Caller.cancelled)
      #expect(caller.peer.identitiesInReading == Limits.identitiesInReading)
      gate.open()
      for number in 2...Limits.identitiesInReading {
        let reply = await caller.reply(to: number)
        #expect(reply["identity"] != nil)
      }
      #expect(caller.peer.identitiesInReading == 0)
    }
  }

  /// The program of the tokens does not answer, or ends.
  @Test(arguments: [true, false])
  @ReactorActor func anIdentityOfATokenIsReadUntilItsProgramEnds(isCancelled: Bool) async throws {
    let folder = try TemporaryFolder()
    let program = try folder.write("#!/bin/sh\n\(isCancelled ? "cat" : "true")\n", to: "tokens", mode: 0o700)
    defer { waitForChildren(named: "tokens") }
    let options = { (options: inout DaemonOptions) in
      (options.settings.pkcs11Modules, options.tokenProgram) = (["/module"], program)
    }
    try await DaemonScene.call(options) { caller, scene in
      let request = await caller.send(
        "identity/add", #"{"identity":{"pkcs11":"pkcs11:object=key"}}"#)
      if isCancelled {
        await DaemonScene.until { caller.peer.identitiesInReading == 1 }
        #expect(scene.daemon.tokens.count == 1)
        await caller.cancel(request)
        #expect(Caller.text(await caller.reply(to: request)) == Caller.cancelled)
      } else {
        #expect(await caller.reply(to: request)["data"]?["reason"]?.text == "tokenUnavailable")
      }
      #expect(caller.peer.identitiesInReading == 0 && scene.daemon.tokens.count == 0)
    }
  }

  /// storage.md 8.1.10.
  @Test @ReactorActor func aPermanentIdentityIsOfEverySession() async throws {
    let folder = try TemporaryFolder()
    var (first, second) = ("", "")
    try await DaemonScene.call(in: folder) { caller, scene in
      scene.open()
      first = await Self.add(caller, Self.one, Self.permanent)
      second = await Self.add(caller, Self.two)
      #expect(await Self.listed(caller) == ["\(second) forSession", "\(first) permanent"])
      let other = try scene.connect()
      _ = await other.ask(
        "session/open",
        #"{"name":"b","configuration":{"credentialStorage":"private"},"delegate":{"session":["*"]}}"#)
      _ = await other.ask("session/open", #"{"name":"c","delegate":{"session":["*"]}}"#)
      #expect(await Self.listed(other, #"{"session":"b"}"#) == [])
      #expect(await Self.listed(other, #"{"session":"c"}"#) == ["\(first) permanent"])
      await other.check(
        "identity/add", #"{"session":"b","identity":\#(Self.two)\#(Self.permanent)}"#,
        has: "storageUnavailable")
      await caller.check(
        "vault/check",
        is: #"{"records":1,"credentials":0,"trust":0,"identities":1,"unreadable":0,"complaint":null}"#)
      second = await Self.add(caller, Self.two, Self.permanent)
      let told = await other.notification("credential/didChange")
      #expect(told?["change"]?.text == "added" && told?["session"]?.text == "c")
      await caller.check("identity/remove", #"{"identity":"i-0"}"#, is: #"{"removed":0}"#)
      // That of the session, and the permanent one of the same certificate.
      await caller.check("identity/remove", #"{"identity":"\#(second)"}"#, is: #"{"removed":2}"#)
      #expect(await other.notification("credential/didChange")?["change"]?.text == "removed")
    }
    try await DaemonScene.call(in: folder) { caller, scene in
      scene.open()
      #expect(await Self.listed(caller) == ["\(first) permanent"])
      await caller.check("identity/remove", is: #"{"removed":1}"#)
      await caller.check("identity/remove", is: #"{"removed":0}"#)
      await caller.check("vault/check", has: #""records":0"#)
    }
  }

  /// storage.md 8.1.10: while the vault is locked.
  @Test @ReactorActor func aLockedVaultKeepsAndRemovesNone() async throws {
    let folder = try TemporaryFolder()
    try await DaemonScene.call(in: folder) { caller, _ in
      await caller.check("vault/init", #"{"passphrase":"p"}"#, is: "{}")
      _ = await Self.add(caller, Self.one, Self.permanent)
    }
    try await DaemonScene.call(in: folder) { caller, scene in
      scene.open()
      #expect(await Self.listed(caller) == [])
      await caller.check(
        "identity/add", #"{"identity":\#(Self.two)\#(Self.permanent)}"#, has: "agentLocked: ")
      await caller.check("identity/remove", has: "agentLocked: ")
      await caller.check("agent/unlock", #"{"passphrase":"p"}"#, is: #"{"locked":false}"#)
      #expect(await Self.listed(caller).count == 1)
    }
  }

  /// An export has them, with their keys.
  @Test @ReactorActor func anExportHasIdentities() async throws {
    let (folder, other) = (try TemporaryFolder(), try TemporaryFolder())
    let transfer = #"{"descriptor":0,"passphrase":"of the file"}"#
    let file = try MemoryDescriptor()
    try await DaemonScene.call(in: folder) { caller, _ in
      _ = await Self.add(caller, Self.one, Self.permanent)
      await caller.check(
        "vault/export", transfer, descriptors: [file.number],
        is: #"{"credentials":0,"trust":0,"identities":1}"#)
    }
    file.rewind()
    try await DaemonScene.call(in: other) { caller, scene in
      await caller.check(
        "vault/import", transfer, descriptors: [file.number], is: #"{"added":1,"replaced":0,"skipped":0}"#)
      let listed = await Self.listed(caller)
      #expect(listed.count == 1)
      file.rewind()
      await caller.check(
        "vault/import", transfer, descriptors: [file.number], is: #"{"added":0,"replaced":0,"skipped":1}"#)
      // Its key is there, too.
      let identifier = listed[0].prefix { $0 != " " }
      let account = scene.daemon.vaults.account(of: caller.peer.process.uid)
      #expect(account.identityKeys[String(identifier)] != nil)
    }
  }

  private static let origin = Origin(scheme: .https, host: "a.example", port: 443)

  /// challenges.md 11.3 and 11.4: what a handshake presents.
  @Test @ReactorActor func theNewestIdentityThatFitsIsPresented() async throws {
    try await DaemonScene.call { caller, scene in
      _ = await caller.ask("session/open", #"{"name":"a"}"#)
      _ = await Self.add(caller, Self.one, #","session":"a""#)
      let second = await Self.add(caller, Self.two, #","session":"a""#)
      let judge = try #require(scene.daemon.registry.all.first)
      let presented = { (request: CertificateRequest) -> String in
        switch judge.ruling(on: request, from: Self.origin, in: .common, isAsked: false) {
        case .present(let identity): identity.identity.identifier
        case .presentNone: "none"
        case .ask: "ask"
        }
      }
      #expect(presented(TestCertificates.request) == second)
      #expect(presented(CertificateRequest(issuers: [], keyTypes: [.rsa])) == "none")
      #expect(judge.mayStillPresent(second) && !judge.mayStillPresent("i-0"))
      _ = await caller.ask("identity/remove", #"{"session":"a"}"#)
      #expect(!judge.mayStillPresent(second) && presented(TestCertificates.request) == "none")
    }
  }

  /// Has a challenge for a client certificate, and says its id.
  @ReactorActor private static func challenge(_ caller: Caller, _ scene: DaemonScene) async -> String {
    _ = await caller.ask("session/open", #"{"name":"a","delegate":{"tasks":["*"]}}"#)
    _ = await caller.send("fetch", #"{"url":"https://a.example/x","session":"a"}"#)
    await DaemonScene.until { scene.exchange != nil }
    scene.exchange?.finish(.clientCertificateUndecided(TestCertificates.request))
    let asked = await caller.notification("task/didReceiveChallenge")
    return asked?["challenge"]?.text ?? ""
  }

  private static func reply(_ challenge: String, _ credential: String) -> String {
    #"{"challenge":"\#(challenge)","disposition":"useCredential","credential":\#(credential)}"#
  }

  /// challenges.md 11.4, 11.5 and 11.14.
  @Test(arguments: [
    ("none", [String]()), ("forSession", ["forSession"]), ("permanent", ["permanent"]),
  ])
  @ReactorActor func aReplyBringsAnIdentity(_ persistence: String, _ kept: [String]) async throws {
    let folder = try TemporaryFolder()
    try await DaemonScene.call(in: folder) { caller, scene in
      let challenge = await Self.challenge(caller, scene)
      await caller.check(
        "challenge/reply", Self.reply(challenge, #"{"identity":{"x":1},"persistence":"none"}"#),
        has: "invalidParams")
      await caller.check(
        "challenge/reply", Self.reply(challenge, #"{"identity":"i-0","persistence":"\#(persistence)"}"#),
        has: "credentialUnusable: ")
      await caller.check(
        "challenge/reply",
        Self.reply(challenge, #"{"identity":\#(Self.one),"persistence":"\#(persistence)"}"#),
        is: #"{"accepted":true}"#)
      let session = try #require(scene.daemon.registry.all.first)
      await DaemonScene.until { scene.engines[0].exchanges.count == 2 }
      let listed = await Self.listed(caller, #"{"session":"a"}"#)
      #expect(listed.map { String($0.split(separator: " ")[1]) } == kept)
      let partition = scene.engines[0].exchanges[1].setup.partition
      let ruling = session.ruling(
        on: TestCertificates.request, from: Self.origin, in: partition, isAsked: true)
      guard case .present = ruling else {
        Issue.record("\(ruling)")
        return
      }
      // It is for this origin only.
      let elsewhere = Origin(scheme: .https, host: "b.example", port: 443)
      guard
        case .presentNone = session.ruling(
          on: TestCertificates.request, from: elsewhere, in: .common, isAsked: false)
      else {
        Issue.record("presented elsewhere")
        return
      }
      scene.exchange?.respond(200)
    }
  }

  /// A reply names what is there: the session's own, and what is permanent.
  @Test @ReactorActor func aReplyNamesAnIdentity() async throws {
    let folder = try TemporaryFolder()
    try await DaemonScene.call(in: folder) { caller, scene in
      let challenge = await Self.challenge(caller, scene)
      let own = await Self.add(caller, Self.one, #","session":"a""#)
      await caller.check(
        "challenge/reply", Self.reply(challenge, #"{"identity":"\#(own)","persistence":"permanent"}"#),
        is: #"{"accepted":true}"#)
      #expect(
        await Self.listed(caller, #"{"session":"a"}"#) == ["\(own) forSession", "\(own) permanent"])
      scene.exchange?.respond(200)
    }
  }
}
