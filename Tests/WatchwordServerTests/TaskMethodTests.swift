import CLinux
import Glibc
import Testing
import WatchwordCore
import WatchwordJSON
import WatchwordReactor
import WatchwordTestSupport
import WatchwordTransport
import WatchwordVocabulary

@testable import WatchwordServer

/// `fetch` and `task/*`: what is asked, told and kept (messages.md 5.1 and 5.6).
struct TaskMethodTests {
  init() { LoopThread.started }

  @Test(arguments: [
    (#""url":"/x""#, "invalidParams: params.url: is not an absolute URL"),
    (#""url":"ftp://a.example/""#, "invalidParams: params.url: must be http or https"),
    (
      #""url":"http://a.example/","task":"""#,
      "invalidParams: params.task: must be 1 to 128 letters, digits, dots, underscores or hyphens"
    ),
    (
      #""url":"http://a.example/","body":{"descriptor":0}"#,
      "invalidParams: params.body.descriptor: no such descriptor came with the message, or it is used twice"
    ),
    (
      #""url":"http://a.example/","output":{"descriptor":0}"#,
      "invalidParams: params.output.descriptor: no such descriptor came with the message, or it is used twice"
    ),
    (#""url":"http://a.example/","session":"b""#, "sessionNotFound: no session b"),
    (
      #""url":"http://a.example/","headers":[["X\\n","x"]]"#,
      "invalidParams: params.headers[0][0]: is not a header field name"
    ),
  ])
  @ReactorActor func aFetchIsCheckedFirst(_ text: String, _ expected: String) async throws {
    try await DaemonScene.call { caller, scene in
      let found = await caller.say("fetch", "{\(text)}")
      #expect(found == expected)
      #expect(scene.exchange == nil && scene.daemon.tasks.isEmpty && scene.daemon.budget.total < 100_000)
    }
  }

  @Test @ReactorActor func onlyAllowedOriginsAreFetched() async throws {
    try await DaemonScene.call { caller, scene in
      _ = await caller.ask(
        "session/open", #"{"name":"a","configuration":{"addresses":{"allowOrigins":["http://a.example"]}}}"#)
      await caller.check(
        "fetch", #"{"session":"a","url":"http://b.example/"}"#,
        is: "addressRefused: the session does not allow http://b.example:80")
      let task = await caller.send("fetch", #"{"session":"a","url":"http://a.example/"}"#)
      await DaemonScene.until { scene.exchange != nil }
      scene.exchange?.respond(204)
      #expect(await caller.reply(to: task)["status"] == .integer(204))
    }
  }

  @Test @ReactorActor func soManyFieldsAreSent() async throws {
    try await DaemonScene.call { caller, scene in
      let own = (1...10).map { #"["X-S\#($0)","1"]"# }.joined(separator: ",")
      _ = await caller.ask("session/open", #"{"name":"a","configuration":{"headers":[\#(own)]}}"#)
      func fields(_ count: Int) -> String {
        let fields = (1...count).map { #"["X-\#($0)","1"]"# }.joined(separator: ",")
        return #"{"session":"a","url":"http://a.example/","headers":[\#(fields)]}"#
      }
      let most = RequestFault.maximumFields - 2
      await caller.check(
        "fetch", fields(most - 9),
        is: "invalidParams: params.headers: with the session's, more than \(most) fields")
      _ = await caller.send("fetch", fields(most - 10))
      await DaemonScene.until { scene.exchange != nil }
      #expect(scene.exchange?.request.headers.count ?? 0 >= most)
    }
  }

  @Test @ReactorActor func aTaskIsToldStepByStep() async throws {
    try await DaemonScene.call { caller, scene in
      await caller.check(
        "task/start", #"{"url":"http://a.example/x?q","task":"up","body":{"text":"abc"},"method":"POST"}"#,
        is: #"{"task":"up"}"#)
      await caller.check(
        "task/start", #"{"url":"http://a.example/","task":"up"}"#,
        is: "taskIdentifierInUse: params.task: up is in use")
      await caller.check(
        "task/list",
        is:
          #"{"tasks":[{"task":"up","session":"default","url":"http://a.example/x?q","method":"POST","#
          + #""state":"running","detached":false,"bytesReceived":0}]}"#
      )
      await caller.check("task/describe", #"{"task":"up"}"#, has: #""state":"running""#, "?q")
      let other = try scene.connect()
      await other.check(
        "task/describe", #"{"task":"up"}"#,
        is:
          #"{"task":"up","session":"default","url":"http://a.example/x","method":"POST","#
          + #""state":"running","detached":false,"bytesReceived":0}"#
      )
      await other.check("task/describe", #"{"task":"down"}"#, is: "taskNotFound: no task down")
      await caller.check("task/suspend", #"{"task":"up"}"#, is: #"{"task":"up"}"#)
      await caller.check("task/describe", #"{"task":"up"}"#, has: #""state":"suspended""#)
      await caller.check("task/resume", #"{"task":"up"}"#, is: #"{"task":"up"}"#)
      await caller.check(
        "redirect/reply", #"{"task":"up","request":null}"#,
        is: "redirectNotPending: task up is not waiting for a redirect's answer")
      scene.exchange?.sent(3)
      scene.exchange?.respond(200, [HeaderField("X", "y")], body: "hello")
      let sent = await caller.notification("task/didSendBodyData")
      #expect(sent?["bytesSent"] == .integer(3) && sent?["totalBytes"] == .integer(3))
      let head = await caller.notification("task/didReceiveResponse")
      #expect(head?["status"] == .integer(200) && head?["task"]?.text == "up")
      let end = await caller.notification("task/didFinish")
      #expect(end?["body"]?["text"]?.text == "hello")
      await caller.check("task/describe", #"{"task":"up"}"#, is: "taskNotFound: no task up")
      await caller.check("task/cancel", #"{"task":"up"}"#, is: "taskNotFound: no task up")
    }
  }

  @Test @ReactorActor func aCancelledTaskSaysSo() async throws {
    try await DaemonScene.call { caller, scene in
      _ = await caller.ask("task/start", #"{"url":"http://a.example/"}"#)
      await caller.check("task/cancel", #"{"task":"t1"}"#, is: #"{"task":"t1"}"#)
      let end = await caller.notification("task/didFinish")
      #expect(end?["error"]?["data"]?["kind"]?.text == "taskCancelled")
      await caller.check("task/start", #"{"url":"http://a.example/","task":"t3"}"#, is: #"{"task":"t3"}"#)
      // The next generated name is taken.
      await caller.check("task/start", #"{"url":"http://a.example/"}"#, is: #"{"task":"t4"}"#)
    }
  }

  @Test @ReactorActor func aRedirectIsAskedAboutAndAnswered() async throws {
    try await DaemonScene.call { caller, scene in
      for (number, answer, expected) in [
        (1, #"{"url":"http://a.example/z"}"#, "/z"), (2, "{}", "/y"),
      ] {
        _ = await caller.ask(
          "session/open", #"{"name":"a","configuration":{"redirects":{"policy":"ask"}}}"#)
        _ = await caller.ask("task/start", #"{"url":"http://a.example/","session":"a"}"#)
        scene.exchange?.respond(302, [HeaderField("Location", "/y")])
        let asked = await caller.notification("task/willRedirect")
        #expect(asked?["request"]?["url"]?.text == "http://a.example/y", "\(number)")
        let task = asked?["task"]?.text ?? ""
        await caller.check(
          "redirect/reply", #"{"task":"\#(task)","request":{"url":"x"}}"#,
          has: "invalidParams: params.request.url")
        await caller.check(
          "redirect/reply", #"{"task":"\#(task)","request":\#(answer)}"#, is: #"{"task":"\#(task)"}"#)
        await DaemonScene.until { scene.exchange?.request.url.path == expected }
        scene.exchange?.respond(200)
        #expect(await caller.notification("task/didFinish")?["redirects"]?.elements.count == 1)
      }
    }
  }

  /// Rule messages.md 5.6.2: it is kept for every connection of a named session, else for the task's own.
  @Test @ReactorActor func theResultOfADetachedTaskIsKept() async throws {
    try await DaemonScene.call { caller, scene in
      let own = await caller.ask("session/open")["session"]?.text ?? ""
      for (session, task) in [("default", "n"), (own, "p")] {
        _ = await caller.ask(
          "task/start",
          #"{"url":"http://a.example/?q","task":"\#(task)","session":"\#(session)","detached":true}"#)
        scene.exchange?.respond(200, body: "kept")
        _ = await caller.notification("task/didFinish")
      }
      let other = try scene.connect()
      await other.check(
        "task/describe", #"{"task":"n"}"#, has: #""url":"http://a.example/","#, #""text":"kept""#,
        #""detached":true"#)
      await other.check("task/describe", #"{"task":"p"}"#, is: "taskNotFound: no task p")
      await caller.check("task/describe", #"{"task":"p"}"#, has: #""state":"finished""#)
      #expect(scene.daemon.results.count == 2)
      #expect(scene.daemon.results.ofNamedSessions.map(\.name.text) == ["n"])
      _ = await caller.ask("task/start", #"{"url":"http://a.example/","task":"n","detached":true}"#)
      scene.exchange?.finish(.timedOut(.request))
      _ = await caller.notification("task/didFinish")
      await other.check("task/describe", #"{"task":"n"}"#, has: #""kind":"timedOut""#)
      #expect(scene.daemon.results.count == 2)
    }
  }

  @Test @ReactorActor func aDetachedTaskOutlivesItsConnection() async throws {
    try await DaemonScene.call { caller, scene in
      _ = await caller.ask("task/start", #"{"url":"http://a.example/","task":"n","detached":true}"#)
      caller.close()
      await DaemonScene.until { scene.daemon.peers.isEmpty }
      #expect(scene.daemon.tasks.count == 1 && scene.daemon.isUsed)
      scene.exchange?.respond(200, body: "kept")
      let other = try scene.connect()
      await other.check("task/describe", #"{"task":"n"}"#, has: #""text":"kept""#)
    }
  }

  @Test @ReactorActor func aBodyComesAsAStream() async throws {
    try await DaemonScene.call { caller, scene in
      let task = await caller.send("fetch", #"{"url":"http://a.example/","output":"stream"}"#)
      await DaemonScene.until { scene.exchange != nil }
      scene.exchange?.receive(200)
      #expect(scene.exchange?.receive(body: "abc") == .taken)
      #expect(scene.exchange?.receive(body: "de") == .taken)
      scene.exchange?.finish()
      let reply = await caller.reply(to: task)
      #expect(reply["body"]?["size"] == .integer(5))
      let first = await caller.notification("task/didReceiveData")
      let second = await caller.notification("task/didReceiveData")
      #expect(first?["offset"] == .integer(0) && second?["offset"] == .integer(3))
    }
  }

  @Test @ReactorActor func aStreamWaitsForItsReader() async throws {
    try await DaemonScene.call { caller, scene in
      let task = await caller.send("fetch", #"{"url":"http://a.example/","output":"stream"}"#)
      await DaemonScene.until { scene.exchange != nil }
      scene.exchange?.receive(200)
      let part = String(repeating: "x", count: 100_000)
      var count = 0
      while count < 100, scene.exchange?.receive(body: part) == .taken { count += 1 }
      #expect(count > 5 && count < 40)
      #expect(scene.exchange?.calls.contains("resume") == false)
      for _ in 0..<count { _ = await caller.notification("task/didReceiveData") }
      await DaemonScene.until { scene.exchange?.calls.contains("resume") == true }
      scene.exchange?.finish()
      #expect(await caller.reply(to: task)["body"]?["size"] == .integer(Int64(count * 100_000)))
    }
  }

  @Test @ReactorActor func aBodyIsReadFromAndWrittenToDescriptors() async throws {
    let folder = try TemporaryFolder()
    let (input, output) = (
      open(try folder.write("12345", to: "in"), O_RDONLY), open(try folder.write("", to: "out"), O_WRONLY)
    )
    defer {
      close(input)
      close(output)
    }
    lseek(input, 2, SEEK_SET)
    try await DaemonScene.call { caller, scene in
      let text =
        #"{"url":"http://a.example/","method":"PUT","body":{"descriptor":0},"output":{"descriptor":1}}"#
      let task = caller.send("fetch", text, descriptors: [input, output])
      await DaemonScene.until { scene.exchange != nil }
      scene.exchange?.respond(200, body: "done")
      #expect(await caller.reply(to: task)["body"]?["size"] == .integer(4))
      #expect(folder.read("out") == "done")
      await caller.check(
        "fetch", text, descriptors: [input],
        is:
          "invalidParams: params.output.descriptor: no such descriptor came with the message, or it is "
          + "used twice"
      )
      await caller.check(
        "fetch", text, descriptors: [output, output],
        is: "descriptorUnusable: params.body.descriptor: is not open for reading")
      let twice =
        #"{"url":"http://a.example/","method":"PUT","body":{"descriptor":0},"output":{"descriptor":0}}"#
      await caller.check(
        "fetch", twice, descriptors: [input],
        is:
          "invalidParams: params.output.descriptor: no such descriptor came with the message, or it is "
          + "used twice"
      )
      let resume = #"{"url":"http://a.example/","output":{"descriptor":0,"resumeIfRange":"\"e\""}}"#
      var ends: [Int32] = [-1, -1]
      try #require(pipe(&ends) == 0)
      await caller.check(
        "fetch", resume, descriptors: [ends[1]],
        is: "descriptorUnusable: params.output.resumeIfRange: only a regular file can be resumed")
      close(ends[0])
      close(ends[1])
    }
  }
}
