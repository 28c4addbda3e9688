import CLinux
import Glibc
import Testing
import WatchwordCore
import WatchwordJSON
import WatchwordReactor
import WatchwordTestSupport
import WatchwordVocabulary

@testable import WatchwordServer

/// `credential/*` in memory: what is stored, listed, removed and read (storage.md 9).
struct CredentialMethodTests {
  init() { LoopThread.started }

  private static let basic =
    #""protectionSpace":{"protocol":"http","host":"a.example","realm":"r","authenticationMethod":"basic"}"#
  private static let password = #""credential":{"user":"joe","password":"pw","persistence":"forSession"}"#

  @Test(arguments: [
    (#"{"user":"joe","password":"pw"}"#, "basic", "{}"),
    (
      #"{"user":"j:oe","password":"pw"}"#, "basic",
      "credentialUnusable: the credential does not fit the space: Basic cannot send a user name with a colon"
    ),
    (
      #"{"token":"x"}"#, "basic",
      "credentialUnusable: the credential does not fit the space: its kind does not fit the "
        + "authentication method"
    ),
    (#"{"token":"x"}"#, "bearer", "{}"),
    (
      #"{"user":"joe","password":"pw"}"#, "bearer",
      "credentialUnusable: the credential does not fit the space: its kind does not fit the "
        + "authentication method"
    ),
    (
      #"{"user":"joe","password":"pw","persistence":"permanent"}"#, "basic",
      "storageUnavailable: nothing permanent can be kept: no --state-directory, STATE_DIRECTORY, "
        + "XDG_STATE_HOME or HOME says where"
    ),
    (
      #"{"user":"joe","password":"pw","persistence":"synchronized"}"#, "basic",
      "invalidParams: params.credential.persistence: must be one of none, forSession, permanent, "
        + "synchronizable"
    ),
    (
      #"{"user":"joe","password":"pw","persistence":"none"}"#, "basic",
      "invalidParams: params.credential.persistence: none is for replies: nothing would be stored"
    ),
    (
      #"{"source":"x"}"#, "bearer",
      "credentialUnusable: the credential cannot answer this challenge: the administrator has named no "
        + "such source, credential cache or keytab"
    ),
    (
      #"{"token":"x"}"#, "key",
      "invalidParams: params.protectionSpace.realm: goes without the method key, which has a field instead"
    ),
    (
      #"{"token":"x"}"#, "serverTrust",
      "invalidParams: params.protectionSpace.authenticationMethod: is decided in a challenge, with the "
        + "certificates shown"
    ),
    (
      #"{"kerberos":{"cache":{"descriptor":0}}}"#, "negotiate",
      "invalidParams: params.credential.kerberos.cache.descriptor: no such descriptor came with the "
        + "message, or it is used twice"
    ),
  ])
  @ReactorActor func aCredentialFitsItsSpace(
    _ credential: String, _ method: String, _ expected: String
  ) async throws {
    try await DaemonScene.call { caller, scene in
      let space = Self.basic.replacing("basic", with: method)
      let found = await caller.say("credential/set", #"{\#(space),"credential":\#(credential)}"#)
      #expect(found == expected)
      let list = await caller.ask("credential/list")["credentials"]?.elements
      #expect(list?.count == (found == "{}" ? 1 : 0))
    }
  }

  @Test @ReactorActor func whatIsStoredIsListedAndRemoved() async throws {
    try await DaemonScene.call { caller, scene in
      await caller.check("credential/set", "{\(Self.basic),\(Self.password)}", is: "{}")
      let other = Self.password.replacing("joe", with: "ann")
      await caller.check("credential/set", "{\(Self.basic),\(other),\"default\":false}", is: "{}")
      await caller.check("credential/list", has: #""user":"joe""#, #""isDefault":true"#)
      await caller.check("credential/setDefault", #"{\#(Self.basic),"user":"ann"}"#, is: "{}")
      await caller.check(
        "credential/setDefault", #"{\#(Self.basic),"user":"sue"}"#,
        is: "credentialNotFound: no credential of this user for this protection space")
      await caller.check("credential/remove", #"{\#(Self.basic),"user":"sue"}"#, is: #"{"removed":0}"#)
      await caller.check("credential/remove", #"{\#(Self.basic),"user":"joe"}"#, is: #"{"removed":1}"#)
      await caller.check("credential/remove", #"{\#(Self.basic)}"#, is: #"{"removed":1}"#)
      await caller.check("credential/retry", #"{"url":"http://a.example/"}"#, is: #"{"retried":0}"#)
      await caller.check("credential/history", is: #"{"entries":[]}"#)
      await caller.check(
        "credential/history", #"{"origin":"http://a.example/x"}"#,
        is: "invalidParams: params.origin: must be a scheme, a host and perhaps a port, and nothing more")
    }
  }

  /// The session's holders are told.
  @Test @ReactorActor func aChangeIsToldToTheOthers() async throws {
    try await DaemonScene.call { caller, scene in
      _ = await caller.ask("session/open", #"{"name":"a","delegate":{"session":["*"]}}"#)
      let other = try scene.connect()
      _ = await other.ask("credential/set", #"{"session":"a",\#(Self.basic),\#(Self.password)}"#)
      let told = await caller.notification("credential/didChange")
      #expect(told?["change"]?.text == "added" && told?["session"]?.text == "a")
    }
  }

  /// storage.md 9.12: into a pipe or a file in memory, and only what was stored to be read.
  @Test @ReactorActor func aReadableSecretIsReadBack() async throws {
    let folder = try TemporaryFolder()
    let file = open(folder.path(of: "f"), O_RDWR | O_CREAT, 0o600)
    let memory = clinux_memfd_create("test")

    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
    defer { for number in [file, memory] + ends { close(number) } }
    try await DaemonScene.call { caller, scene in
      let space = #""protectionSpace":{"protocol":"http","host":"a.example","authenticationMethod":"bearer"}"#
      let token = #""credential":{"token":"pw","persistence":"forSession"}"#
      let read = #"{\#(space),"descriptor":0}"#
      await caller.check(
        "credential/read", read, descriptors: [ends[1]],
        is: "credentialNotFound: no readable credential for this protection space")
      _ = await caller.ask("credential/set", "{\(space),\(token)}")
      await caller.check(
        "credential/read", read, descriptors: [ends[1]],
        is: "credentialNotFound: no readable credential for this protection space")
      let readable = token + #","readable":true"#
      await caller.check("credential/set", "{\(space),\(readable)}", is: "{}")
      await caller.check(
        "credential/read", read, descriptors: [file],
        is: "descriptorUnusable: params.descriptor: must be a pipe or a file in memory")
      await caller.check(
        "credential/read", read, descriptors: [ends[0]],
        is: "descriptorUnusable: params.descriptor: is not open for writing")
      await caller.check(
        "credential/read", read, descriptors: [ends[1]],
        is: #"{"user":null,"kind":"token","size":2,"secondsLeft":null}"#)
      await caller.check(
        "credential/read", read, descriptors: [memory],
        is: #"{"user":null,"kind":"token","size":2,"secondsLeft":null}"#)
      var room = [UInt8](repeating: 0, count: 10)
      #expect(Glibc.read(ends[0], &room, 10) == 2 && room.prefix(2) == [112, 119])
      #expect(pread(memory, &room, 10, 0) == 2)
      #expect(scene.daemon.counters.credentialsRead == 2)
      _ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
      let filler = [UInt8](repeating: 0, count: 4096)
      while write(ends[1], filler, filler.count) > 0 {}
      await caller.check(
        "credential/read", read, descriptors: [ends[1]],
        is: "descriptorUnusable: params.descriptor: has no room for the 2 bytes of the secret")
      #expect(scene.daemon.counters.credentialsRead == 2)
    }
  }

  @Test @ReactorActor func anAgentIsLockedAndUnlocked() async throws {
    try await DaemonScene.call { caller, scene in
      let uid = caller.peer.process.uid
      _ = await caller.ask("credential/set", "{\(Self.basic),\(Self.password)}")
      await caller.check("agent/unlock", #"{"passphrase":"x"}"#, is: #"{"locked":false}"#)
      await caller.check("agent/lock", #"{"passphrase":"pass"}"#, is: #"{"locked":true}"#)
      #expect(scene.daemon.isLocked(uid) && scene.daemon.isUsed)
      await caller.check(
        "agent/lock", #"{"passphrase":"pass"}"#,
        is: "agentLocked: the agent is locked: the passphrase that locked it opens it")
      await caller.check("credential/list", is: #"{"credentials":[]}"#)
      await caller.check(
        "credential/set", "{\(Self.basic),\(Self.password)}",
        is: "agentLocked: the agent is locked: the passphrase that locked it opens it")
      await caller.check("session/list", is: #"{"sessions":[]}"#)
      await caller.check(
        "agent/unlock", #"{"passphrase":"wrong"}"#, is: "credentialUnusable: the passphrase is wrong")
      await caller.check("agent/unlock", #"{"passphrase":"pass"}"#, is: #"{"locked":false}"#)
      #expect(!scene.daemon.isLocked(uid))
      await caller.check("credential/list", is: #"{"credentials":[]}"#)
      _ = await caller.ask("credential/set", "{\(Self.basic),\(Self.password)}")
      await caller.check("agent/forget", is: "{}")
      await caller.check("credential/list", is: #"{"credentials":[]}"#)
    }
  }

  @Test @ReactorActor func cookiesAreListedAndRemoved() async throws {
    try await DaemonScene.call { caller, _ in
      func set(_ members: String, is expected: String, sourceLocation: SourceLocation = #_sourceLocation)
        async
      {
        await caller.check(
          "cookie/set", #"{"cookie":{\#(members)}}"#, is: expected, sourceLocation: sourceLocation)
      }
      await set(#""name":"a","value":"1","domain":"a.example""#, is: "{}")
      await set(
        #""name":"b","value":"1","domain":".a.example","path":"/d","secure":true,"httpOnly":true"#, is: "{}")
      await set(
        #""name":"__Secure-b","value":"1","domain":"a.example""#,
        is: "invalidParams: params.cookie.name: promises what the cookie does not keep (RFC 6265bis §4.1.3)")
      await set(
        #""name":"c","value":"1","domain":".com""#,
        is: "invalidParams: params.cookie.domain: is a public suffix, whose names belong to many")
      await caller.check(
        "cookie/list",
        is:
          #"{"cookies":[{"name":"a","value":"1","domain":"a.example","path":"/","expires":null,"#
          + #""secure":false,"httpOnly":false},{"name":"b","value":"1","domain":".a.example","#
          + #""path":"/d","expires":null,"secure":true,"httpOnly":true}]}"#
      )
      await caller.check("cookie/list", #"{"url":"http://x.a.example/d"}"#, is: #"{"cookies":[]}"#)
      await caller.check(
        "cookie/list", #"{"url":"https://x.a.example/d"}"#,
        is:
          #"{"cookies":[{"name":"b","value":"1","domain":".a.example","path":"/d","expires":null,"#
          + #""secure":true,"httpOnly":true}]}"#
      )
      await caller.check(
        "cookie/list", #"{"url":"x"}"#, is: "invalidParams: params.url: is not an absolute URL")
      await caller.check("cookie/remove", #"{"name":"b"}"#, is: #"{"removed":1}"#)
      await caller.check("cookie/remove", is: #"{"removed":1}"#)
    }
  }
}
