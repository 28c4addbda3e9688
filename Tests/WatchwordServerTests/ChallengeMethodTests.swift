import Testing
import WatchwordJSON
import WatchwordReactor
import WatchwordTestSupport
import WatchwordVocabulary

@testable import WatchwordServer

/// `challenge/*`: who is asked, and what answers (challenges.md 3 and 5).
struct ChallengeMethodTests {
  init() { LoopThread.started }

  @Test @ReactorActor func aChallengeIsAskedAndAnswered() async throws {
    try await DaemonScene.call { caller, scene in
      _ = await caller.ask("session/open", #"{"name":"a","delegate":{"tasks":["*"]}}"#)
      let task = await caller.send("fetch", #"{"url":"http://a.example/x?q","session":"a"}"#)
      await DaemonScene.until { scene.exchange != nil }
      scene.exchange?.respond(401, [HeaderField("WWW-Authenticate", #"Basic realm="r""#)])
      let asked = await caller.notification("task/didReceiveChallenge")
      let challenge = asked?["challenge"]?.text ?? ""
      #expect(asked?["url"]?.text == "http://a.example/x?q" && asked?["waiters"]?.elements.count == 1)
      await caller.check("challenge/list", has: challenge)
      let other = try scene.connect()
      await other.check("challenge/list", is: #"{"challenges":[]}"#)
      await other.check(
        "challenge/describe", #"{"challenge":"\#(challenge)"}"#,
        is: "challengeNotPending: no such challenge is pending")
      _ = await other.ask("session/open", #"{"name":"a","delegate":{"tasks":["*"]}}"#)
      await other.check("challenge/describe", #"{"challenge":"\#(challenge)"}"#, has: "http://a.example/x\",")
      await caller.check("explain", #"{"url":"http://a.example/x","session":"a"}"#, has: challenge)
      await caller.check(
        "explain", #"{"url":"http://b.example/x","session":"a"}"#, has: #""pendingChallenges":[]"#)
      await caller.check("task/list", #"{"session":"a"}"#, has: #""state":"waiting""#)
      let reply = #"{"challenge":"\#(challenge)","disposition":"useCredential","credential":"#
      await caller.check(
        "challenge/reply", reply + #"{"token":"x"}}"#,
        is:
          "credentialUnusable: the credential cannot answer this challenge: its kind does not fit the "
          + "authentication method"
      )
      await caller.check(
        "challenge/reply", reply + #"{"user":"joe","password":"pw","persistence":"permanent"}}"#,
        is:
          "storageUnavailable: nothing permanent can be kept: no --state-directory, STATE_DIRECTORY, "
          + "XDG_STATE_HOME or HOME says where"
      )
      await caller.check(
        "challenge/reply", #"{"challenge":"\#(challenge)","disposition":"useCredential","passphrase":"x"}"#,
        is: "invalidParams: params.passphrase: unknown member")
      await caller.check(
        "challenge/reply", reply + #"{"identity":"i-1"}}"#,
        is:
          "credentialUnusable: the credential cannot answer this challenge: its kind does not fit the "
          + "authentication method"
      )
      await caller.check(
        "challenge/reply", reply + #"{"user":"joe","password":"pw","persistence":"forSession"}}"#,
        is: #"{"accepted":true}"#)
      await caller.check(
        "challenge/reply", reply + #"{"user":"joe","password":"pw"}}"#,
        is: "challengeNotPending: no such challenge is pending")
      await DaemonScene.until { scene.engines[0].exchanges.count == 2 }
      #expect(scene.exchange?.authorization == "Basic am9lOnB3")
      scene.exchange?.respond(200, body: "in")
      #expect(await caller.reply(to: task)["body"]?["text"]?.text == "in")
      let settled = await caller.notification("challenge/didSettle")
      #expect(settled?["outcome"]?.text == "answered")
      await caller.check(
        "credential/history", #"{"origin":"http://a.example"}"#, has: #""outcome":"accepted""#,
        #""user":"joe""#)
      await caller.check("credential/history", #"{"user":"ann"}"#, is: #"{"entries":[]}"#)
      await caller.check("credential/history", #"{"origin":"http://b.example"}"#, is: #"{"entries":[]}"#)
      await caller.check("credential/history", #"{"limit":1,"user":"joe"}"#, has: "joe")
    }
  }
}
