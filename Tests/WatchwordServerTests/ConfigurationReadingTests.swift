import Glibc
import Testing
import WatchwordReactor
import WatchwordTestSupport

@testable import WatchwordServer

/// Which file is read, and what counts beside it (administrator.md 15.1).
@Suite(.serialized) struct ConfigurationReadingTests {
  init() { LoopThread.started }

  private static func fault(_ place: ConfigurationPlace) -> String? {
    do throws(ConfigurationFault) {
      _ = try ConfigurationFile(place)
      return nil
    } catch {
      return error.text
    }
  }

  /// The defaults count without a file, in an empty one, and beside other members.
  @Test(arguments: [nil, "{}", #"{"agent":{},"vault":{}}"#, #"{"logLevel":"info"}"#])
  func whatIsLeftOutHasItsDefault(_ text: String?) throws {
    let folder = try TemporaryFolder()
    if let text { try folder.write(text, to: "config.json") }
    let file = try ConfigurationFile(.own(folder.path(of: "config.json")))
    #expect((file.members == nil) == (text == nil))
    let settings = file.settings
    #expect(settings.access == .user && !settings.agent.lockOnSuspend && settings.vault.secretService)
    #expect(settings.agent.idleLockSeconds == nil && settings.credentialSources.isEmpty)
    #expect(settings.restrictedSockets.isEmpty && settings.synchronization == nil)
  }

  @Test func whatIsGivenCounts() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(
      #"{"access":"host","agent":{"lockOnSuspend":true,"idleLockSeconds":9},"vault":{"secretService":false},"#
        + #""credentialSources":{"a":{"kind":"gitHelper","command":["/x"],"report":true},"#
        + #""b":{"kind":"gitHelper","command":["/x"],"origins":[]},"#
        + #""c":{"kind":"file","path":"/x","origins":["https://a.example"]}}}"#, to: "config.json")
    let settings = try ConfigurationFile(.given(path)).settings
    #expect(settings.access == .host && settings.agent.lockOnSuspend && !settings.vault.secretService)
    #expect(settings.agent.idleLockSeconds == 9)
    let told = settings.credentialSources.mapValues { source in
      if case .gitHelper(let helper) = source.kind { helper.isTold } else { false }
    }
    #expect(told == ["a": true, "b": false, "c": false])
    // An empty list bounds nothing.
    let bounds = settings.credentialSources.mapValues { $0.origins?.count }
    #expect(bounds == ["a": nil, "b": nil, "c": 1])
  }

  /// Rule 15.1.3: the account's own file counts where it exists.
  @Test func onlyTheOwnFileMayBeMissing() throws {
    let folder = try TemporaryFolder()
    let path = folder.path(of: "config.json")
    #expect(Self.fault(.own(path)) == nil)
    #expect(Self.fault(.given(path)) == "\(path): No such file or directory")
    try folder.write("", to: "f")
    #expect(Self.fault(.own(folder.path(of: "f/config.json"))) == nil)
    #expect(Self.fault(.given(folder.path(of: "f/config.json")))?.hasSuffix("Not a directory") == true)
    symlink("loop", folder.path(of: "loop"))
    #expect(Self.fault(.own(folder.path(of: "loop"))) != nil)
  }

  @Test func aFileOfOthersIsNotRead() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("{}", to: "config.json")
    for mode: mode_t in [0o620, 0o602] {
      chmod(path, mode)
      #expect(
        Self.fault(.given(path)) == "\(path): others may write to it; chmod go-w makes it yours alone")
    }
    chmod(path, 0o644)
    #expect(Self.fault(.given(path)) == nil)
    #expect(Self.fault(.given(folder.path)) == "\(folder.path): is not a regular file")
    // Root alone can give a file away.
    guard geteuid() == 0, chown(path, 1, 1) == 0 else { return }
    #expect(Self.fault(.given(path)) == "\(path): belongs to another user")
  }

  @Test func aFileHasSoManyBytes() throws {
    let folder = try TemporaryFolder()
    let most = 1024 * 1024
    let text = { (count: Int) in "{" + String(repeating: " ", count: count - 2) + "}" }
    #expect(Self.fault(.given(try folder.write(text(most - 1), to: "f"))) == nil)
    let path = try folder.write(text(most), to: "f")
    #expect(Self.fault(.given(path)) == "\(path): larger than \(most) bytes")
  }

  @Test func soManyFaultsAreSaid() throws {
    let folder = try TemporaryFolder()
    let members = (0..<70).map { #""x\#($0)":1"# }.joined(separator: ",")
    let path = try folder.write("{\(members)}", to: "config.json")
    let faults = ConfigurationFile.faults(of: .given(path))
    #expect(faults.count == 64)
    #expect(faults.map(\.offset) == faults.map(\.offset).sorted())
  }

  @Test(arguments: [1, 128, 129])
  func aNameOfASourceHasABound(_ count: Int) throws {
    let folder = try TemporaryFolder()
    let name = String(repeating: "n", count: count)
    let path = try folder.write(
      #"{"credentialSources":{"\#(name)":{"kind":"file","path":"/x"}}}"#, to: "config.json")
    #expect((Self.fault(.given(path)) == nil) == (count <= 128))
  }

  /// What has to wait for the next start is said.
  @Test(arguments: [
    (#""access":"host""#, "access changes"), (#""historyFile":"/h""#, "historyFile changes"),
    (#""historyJournal":"/h""#, "historyJournal changes"),
    (
      #""restrictedSockets":[{"path":"/s","rules":[{"origin":"https://a.example"}]}]"#,
      "restrictedSockets change"
    ),
    (#""vault":{"systemdCredential":"x"}"#, "vault changes"),
    (#""vault":{"secretService":true}"#, "vault changes"),
    (
      #""synchronization":{"endpoints":["https://e.example"],"prefix":"/p","keyFile":"/k"}"#,
      "synchronization changes"
    ), (#""agent":{"idleLockSeconds":5}"#, ""), (#""logLevel":"notice""#, ""),
  ])
  @ReactorActor func aReloadSaysWhatItDoesNotChange(_ member: String, _ expected: String) async throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("{}", to: "config.json")
    try await DaemonScene.call({ $0.configuration = .given(path) }) { caller, scene in
      // The daemon of a test does not use the Secret Service.
      let other = member.contains("vault") ? "" : #","vault":{"secretService":false}"#
      try folder.write("{\(member)\(other)}", to: "config.json")
      await caller.check("server/reload", is: #"{"reloaded":true}"#)
      let warnings = scene.log.filter { $0.hasSuffix("with the next start only") }
      #expect(warnings == (expected.isEmpty ? [] : ["\(expected) with the next start only"]))
      await caller.check("server/configuration", has: #""isRead":true,"isGiven":true"#)
    }
  }
}
