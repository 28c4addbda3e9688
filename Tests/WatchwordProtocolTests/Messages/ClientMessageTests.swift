import Testing
import WatchwordJSON
import WatchwordMessages
import WatchwordTestSupport
import WatchwordVocabulary

/// What a client writes of a request, and reads of what the daemon sends.
@Suite struct ClientMessageTests {
  @Test func membersThatAreNilAreNotSent() {
    #expect(
      written(Self.removal(user: "a").write)
        == #"{"protectionSpace":{"protocol":"https","host":"host.test","authenticationMethod":"basic"},"user":"a"}"#
    )
  }

  @Test func aMemberThatIsNullIsToldFromOneThatIsMissing() {
    #expect(written(Self.removal(path: .some(nil)).write).hasSuffix(#""path":null}"#))
    #expect(!written(Self.removal().write).contains("path"))
  }

  private static func removal(user: String? = nil, path: String?? = nil) -> Request.CredentialRemove {
    let space = Request.ProtectionSpaceKey(
      protocol: "https", host: "host.test", authenticationMethod: "basic")
    return Request.CredentialRemove(protectionSpace: space, user: user, path: path)
  }

  @Test func aSecretIsSentAsItIs() {
    let request = Request.AgentUnlock(passphrase: Secret("pass\"word".utf8))
    #expect(written(request.write) == #"{"passphrase":"pass\"word"}"#)
  }

  @Test func membersOfALaterVersionDoNotCount() throws {
    let removal: Sent.Removal = try read(#"{"removed":2,"later":{"a":[1]}}"#)
    #expect(removal.removed == 2)
  }

  @Test func aMissingMemberSaysAsLittleAsItCan() throws {
    let list: Sent.CredentialList = try read("{}")
    #expect(list.credentials.isEmpty)
  }

  @Test(
    arguments: [
      (#"[]"#, "must be an object, not array"),
      (#"{"credentials":{}}"#, "credentials must be an array, not object"),
      (#"{"credentials":[{"user":"a"},{"user":1}]}"#, "credentials[1].user must be a string, not number"),
      (
        #"{"credentials":[{"protectionSpace":{"port":"443"}}]}"#,
        "credentials[0].protectionSpace.port must be an integer, not string"
      ),
    ])
  func aMemberOfAnotherTypeIsRefusedWithItsPath(_ text: String, _ fault: String) throws {
    let value = try node(text)
    let read = Result { () throws(ReadFault) in try Sent.CredentialList(reading: value) }
    guard case .failure(let error) = read else {
      Issue.record("\(text) was read")
      return
    }
    #expect(error.text == fault)
  }

  @Test func aNotificationIsReadByItsName() throws {
    let body = try node(#"{"task":"t1","session":"default","bytesSent":1,"totalBytes":2}"#)
    guard case .taskDidSendBodyData(let progress) = try Notification("task/didSendBodyData", body) else {
      Issue.record("another notification")
      return
    }
    #expect(progress.task == "t1" && progress.bytesSent == 1)
  }

  @Test func aNotificationOfALaterVersionKeepsItsName() throws {
    guard case .other(let method) = try Notification("task/didLater", try node("[]")) else {
      Issue.record("another notification")
      return
    }
    #expect(method == "task/didLater")
  }

  /// JSON-RPC lets parameters be left out; those of a known notification cannot be.
  @Test func aNotificationWithoutParametersIsReadByItsName() throws {
    guard case .other("task/didLater") = try Notification("task/didLater", nil) else {
      Issue.record("another notification")
      return
    }
    let fault = #expect(throws: ReadFault.self) { try Notification("task/didSendBodyData", nil) }
    #expect(fault?.text == "params is missing")
  }

  private func read<Value: Readable>(_ text: String) throws -> Value { try Value(reading: try node(text)) }
}
