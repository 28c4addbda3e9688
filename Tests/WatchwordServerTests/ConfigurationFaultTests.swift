import Testing

@testable import WatchwordServer

/// What is wrong with a configuration file, and where (administrator.md 15.1).
struct ConfigurationFaultTests {
  /// The faults of a file with this text, without its path.
  private static func faults(_ text: String, isOwn: Bool = false) throws -> [String] {
    let folder = try TemporaryFolder()
    let path = try folder.write(text, to: "config.json")
    return ConfigurationFile.faults(of: isOwn ? .own(path) : .given(path)).map {
      String($0.text.dropFirst(path.utf8.count + 2))
    }
  }

  @Test(arguments: [
    (#"{}"#, ""),
    (#"{"access":"host"}"#, ""),
    (#"[]"#, "not a JSON object"),
    (
      #"{"logLevel":"loud"}"#,
      "logLevel: must be one of trace, debug, info, notice, warning, error, critical, at line 1, column 2"
    ),
    (#"{"logLevle":"info"}"#, "logLevle: unknown member, at line 1, column 2; did you mean logLevel?"),
    (#"{"pkcs11Modules":["/x.so","/x.so"]}"#, ""),
    (#"{"historyFile":"x"}"#, "historyFile: must be an absolute path, at line 1, column 2"),
    (#"{"historyFile":"/x"}"#, ""),
    (#"{"historyFile":"/x\u0000"}"#, "null character near line 1, column 25"),
    (#"{"historyJournal":"x"}"#, "historyJournal: must be an absolute path of a socket, at line 1, column 2"),
    (#"{"historyJournal":"/x\u0000"}"#, "null character near line 1, column 28"),
    (#"{"historyJournal":"/x"}"#, ""),
    (#"{"pkcs11Modules":["/x\u0000"]}"#, "null character near line 1, column 28"),
    (
      #"{"vault":{"systemdCredential":"a/b"}}"#,
      "vault.systemdCredential: must be a credential's name, not a path, at line 1, column 11"
    ),
    (
      #"{"vault":{"systemdCredential":".."}}"#,
      "vault.systemdCredential: must be a credential's name, not a path, at line 1, column 11"
    ),
    (
      #"{"vault":{"systemdCredential":"."}}"#,
      "vault.systemdCredential: must be a credential's name, not a path, at line 1, column 11"
    ),
    (
      #"{"vault":{"systemdCredential":""}}"#,
      "vault.systemdCredential: must be a credential's name, not a path, at line 1, column 11"
    ),
    (#"{"vault":{"systemdCredential":"...","secretService":false}}"#, ""),
    (#"{"agent":{"idleLockSeconds":0.1,"lockOnSuspend":true}}"#, ""),
    (
      #"{"agent":{"idleLockSeconds":0.09}}"#,
      "agent.idleLockSeconds: must be from 0.1 to 315360000.0, at line 1, column 11"
    ),
    (
      #"{"credentialSources":{"":{"kind":"file","path":"/x"}}}"#,
      "credentialSources.: must be a name of 1 to 128 bytes, at line 1, column 23"
    ),
    (
      #"{"credentialSources":{"a":{"kind":"file","path":"x"}}}"#,
      "credentialSources.a.path: must be an absolute path, at line 1, column 42"
    ),
    (
      #"{"credentialSources":{"a.b":{"kind":"file","path":"/x","user":1}}}"#,
      "credentialSources.a.b.user: must be a string, not number, at line 1, column 56"
    ),
    (
      #"{"credentialSources":{"a":{"kind":"file","path":"/x","origins":["https://a.example/d"]}}}"#,
      "credentialSources.a.origins[0]: must be a scheme, a host and perhaps a port, and nothing more, at "
        + "line 1, column 54"
    ),
    (
      #"{"credentialSources":{"a":{"kind":"gitHelper","command":[]}}}"#,
      "credentialSources.a.command: is missing, at line 1, column 47"
    ),
    (
      #"{"credentialSources":{"a":{"kind":"gitHelper","command":["x"]}}}"#,
      "credentialSources.a.command: must begin with an absolute path, at line 1, column 47"
    ),
    (
      #"{"credentialSources":{"a":{"kind":"gitHelper","command":["/x","\u0000"]}}}"#,
      "null character near line 1, column 70"
    ),
    (#"{"credentialSources":{"a":{"kind":"gitHelper","command":["/x","y"],"report":true}}}"#, ""),
    (
      #"{"credentialSources":{"a":{"kind":"gitHelper","comand":["/x"]}}}"#,
      "credentialSources.a.command: is missing, at line 1, column 23; did you mean it by comand?"
    ),
    (#"{"restrictedSockets":[{"path":"/s","rules":[{"origin":"https://a.example"}]}]}"#, ""),
    (
      #"{"restrictedSockets":[{"path":"/s/","rules":[{"origin":"https://a.example"}]}]}"#,
      "restrictedSockets[0].path: must be an absolute path of a socket, at line 1, column 24"
    ),
    (
      #"{"restrictedSockets":[{"path":"s","rules":[{"origin":"https://a.example"}]}]}"#,
      "restrictedSockets[0].path: must be an absolute path of a socket, at line 1, column 24"
    ),
    (
      #"{"restrictedSockets":[{"path":"/s","rules":[]}]}"#,
      "restrictedSockets[0].rules: is empty, at line 1, column 36"
    ),
    (
      #"{"restrictedSockets":[{"path":"/s","session":"private-1","#
        + #""rules":[{"origin":"https://a.example"}]}]}"#,
      "restrictedSockets[0].session: must not begin with private-, at line 1, column 36"
    ),
  ])
  func aFaultSaysWhereItIs(_ text: String, _ expected: String) throws {
    let found = try Self.faults(text).joined(separator: " | ")
    #expect(found == expected)
  }

  @Test(arguments: [
    (
      #"{"access": "user" , "pkcs11Modules": ["x.so"], "x": 1}"#,
      "pkcs11Modules: must be absolute paths, at line 1, column 21 | x: unknown member, at line 1, column 48"
    ),
    (
      #"{"x": 1, "y" : 2 ,"z":3}"#,
      "x: unknown member, at line 1, column 2 | y: unknown member, at line 1, column 10 | z: unknown "
        + "member, at line 1, column 19"
    ),
    (
      #"{"restrictedSockets":[{"path":"s","rules":[]}],"agent":{"idle":1,"lockOnSuspend":2}}"#,
      "restrictedSockets[0].path: must be an absolute path of a socket, at line 1, column 24 | "
        + "agent.idle: unknown member, at line 1, column 57 | agent.lockOnSuspend: must be a boolean, "
        + "not number, at line 1, column 66"
    ),
    (
      #"{"credentialSources":{"a":{"kind":"file","path":"x"},"b":{"kind":"file","path":"y"}}}"#,
      "credentialSources.a.path: must be an absolute path, at line 1, column 42 | "
        + "credentialSources.b.path: must be an absolute path, at line 1, column 73"
    ),
    (
      #"{"credentialSources":{"a":{"kind":"file","path":"x"},"a.path":{"kind":"x"}}}"#,
      "credentialSources.a.path: must be an absolute path, at line 1, column 42 | "
        + "credentialSources.a.path: must be an absolute path, at line 1, column 54"
    ),
    (
      #"{"credentialSources":{"a":{"kind":"file","path":"/x","uzer":1,"zz":2}}}"#,
      "credentialSources.a.uzer: unknown member, at line 1, column 54; did you mean user? | "
        + "credentialSources.a.zz: unknown member, at line 1, column 63"
    ),
    (
      #"{"a\"b":1,"logLevel":7}"#,
      #"a"b: unknown member, at line 1, column 2 | logLevel: must be a string, not number, at line 1, "#
        + #"column 11"#
    ),
    (
      #"{"access":[[1,{"}":"]"}],2],"logLevel":"x"}"#,
      "access: must be a string, not array, at line 1, column 2 | logLevel: must be one of trace, debug, "
        + "info, notice, warning, error, critical, at line 1, column 29"
    ),
    (
      #"{"historyFile":"\\\"x","logLevel":"x"}"#,
      "historyFile: must be an absolute path, at line 1, column 2 | logLevel: must be one of trace, "
        + "debug, info, notice, warning, error, critical, at line 1, column 24"
    ),
    (
      #"{"restrictedSockets":[{"path":"/a","rules":[{"origin":"https://a.example"}]},{"path":"/a","#
        + #""rules":[{"origin":"https://a.example"}]}]}"#,
      "restrictedSockets[1].path: is there twice, at line 1, column 79"
    ),
    (
      #"{"restrictedSockets":[{"path":"/a","rules":[{"origin":"https://a.example"}]},{"path":"/b"}]}"#,
      "restrictedSockets[1].rules: is missing, at line 1, column 2"
    ),
    (
      #"{"restrictedSockets":[{"path":"/s","session":"settings-1","#
        + #""rules":[{"origin":"https://a.example"}]}]}"#,
      "restrictedSockets[0].session: must not begin with settings-, at line 1, column 36"
    ),
    (
      #"{"historyFile":"x","access":7,"agent":7}"#,
      "historyFile: must be an absolute path, at line 1, column 2 | access: must be a string, not "
        + "number, at line 1, column 20 | agent: must be an object, not number, at line 1, column 31"
    ),
    (#"{"logLevel":"info""#, "the JSON text ends too early"),
  ])
  func everyFaultThatDependsOnNoOtherIsSaid(_ text: String, _ expected: String) throws {
    let found = try Self.faults(text).joined(separator: " | ")
    #expect(found == expected)
  }

  /// Rule 15.1.3.
  @Test(arguments: [
    (true, "access: only a file that --configuration names may let other uids connect"), (false, ""),
  ])
  func onlyAGivenFileLetsOthersIn(isOwn: Bool, expected: String) throws {
    let found = try Self.faults(#"{"access":"host"}"#, isOwn: isOwn).joined()
    #expect(found.hasPrefix(expected) && found.isEmpty == expected.isEmpty)
  }

  private static let oauth = #""kind":"oauth","tokenEndpoint":"https://id.example/t","clientIdentifier":"c""#

  @Test(arguments: [
    (
      #""grant":"clientCredentials""#,
      "credentialSources.a.clientSecretFile: is missing, at line 1, column 23"
    ),
    (
      #""grant":"clientCredentials","clientSecretFil":"/s""#,
      "credentialSources.a.clientSecretFile: is missing, at line 1, column 23; did you mean it by "
        + "clientSecretFil?"
    ),
    (#""grant":"clientCredentials","clientSecretFile":"/s""#, ""),
    (
      #""grant":"clientCredentials","clientSecretFile":"s""#,
      "credentialSources.a.clientSecretFile: must be an absolute path, at line 1, column 133"
    ),
    (
      #""grant":"clientCredentials","clientSecretFile":"/s","refreshTokenFile":"/r""#,
      "credentialSources.a.refreshTokenFile: is for another grant, at line 1, column 157"
    ),
    (
      #""grant":"clientCredentials","clientSecretFile":"/s","deviceEndpoint":"https://id.example/d""#,
      "credentialSources.a.deviceEndpoint: is for another grant, at line 1, column 157"
    ),
    (#""grant":"refreshToken""#, "credentialSources.a.refreshTokenFile: is missing, at line 1, column 23"),
    (#""grant":"refreshToken","refreshTokenFile":"/r""#, ""),
    (
      #""grant":"refreshToken","refreshTokenFile":"/r","scope":"a  b""#,
      "credentialSources.a.scope: must be words of ASCII with one space between them, at line 1, column 152"
    ),
    (#""grant":"refreshToken","refreshTokenFile":"/r","audience":"a b""#, ""),
    (
      #""grant":"refreshToken","refreshTokenFile":"/r","resource":["https://a.example/","x"]"#,
      "credentialSources.a.resource: must be absolute URIs of ASCII without a fragment, at line 1, column 152"
    ),
    (#""grant":"deviceCode""#, "credentialSources.a.deviceEndpoint: is missing, at line 1, column 23"),
    (#""grant":"deviceCode","deviceEndpoint":"https://id.example/d""#, ""),
    (#""grant":"deviceCode","deviceEndpoint":"http://127.0.0.1/d""#, ""),
    (
      #""grant":"deviceCode","deviceEndpoint":"http://id.example/d""#,
      "credentialSources.a.deviceEndpoint: must be https, or http on a loopback address, at line 1, "
        + "column 126"
    ),
    (
      #""grant":"deviceCode","deviceEndpoint":"https://joe@id.example/d""#,
      "credentialSources.a.deviceEndpoint: must not have userinfo or a fragment, at line 1, column 126"
    ),
    (
      #""grant":"deviceCode","deviceEndpoint":"https://id.example/d#""#,
      "credentialSources.a.deviceEndpoint: must not have userinfo or a fragment, at line 1, column 126"
    ),
  ])
  func aTokenSourceHasWhatItsGrantNeeds(_ text: String, _ expected: String) throws {
    let found = try Self.faults(#"{"credentialSources":{"a":{\#(Self.oauth),\#(text)}}}"#).joined()
    #expect(found == expected)
  }

  @Test(arguments: [
    (#""#, ""),
    (#","user":"u""#, "synchronization.passwordFile: is missing, at line 1, column 2"),
    (#","passwordFile":"/p""#, "synchronization.user: is missing, at line 1, column 2"),
    (
      #","uzer":"u","passwordFile":"/p""#,
      "synchronization.user: is missing, at line 1, column 2; did you mean it by uzer?"
    ),
    (#","user":"u","passwordFile":"/p""#, ""),
    (#","certificate":"/c""#, "synchronization.privateKey: is missing, at line 1, column 2"),
    (#","privateKey":"/k""#, "synchronization.certificate: is missing, at line 1, column 2"),
    (#","certificate":"/c","privateKey":"/k""#, ""),
    (#","endpoints":[]"#, "synchronization.endpoints: is missing, at line 1, column 50"),
    (
      #","endpoints":["https://e.example/x"]"#,
      "synchronization.endpoints[0]: must be a scheme, a host and perhaps a port, and nothing more, at "
        + "line 1, column 50"
    ),
    (
      #","endpoints":["http://e.example"]"#,
      "synchronization.endpoints: must be https, or http on a loopback address, at line 1, column 50"
    ),
    (#","endpoints":["http://127.0.0.1:1","https://e.example"]"#, ""),
    (
      #","prefix":"a""#,
      "synchronization.prefix: must begin with / and have visible characters of ASCII only, the last not "
        + "/, at line 1, column 70"
    ),
    (
      #","prefix":"/a/""#,
      "synchronization.prefix: must begin with / and have visible characters of ASCII only, the last not "
        + "/, at line 1, column 70"
    ),
    (
      #","prefix":"/""#,
      "synchronization.prefix: must begin with / and have visible characters of ASCII only, the last not "
        + "/, at line 1, column 70"
    ),
    (
      #","prefix":"/a b""#,
      "synchronization.prefix: must begin with / and have visible characters of ASCII only, the last not "
        + "/, at line 1, column 70"
    ),
    (#","prefix":"/a!~""#, ""),
  ])
  func aStoreOfTheFleetIsNamedInWhole(_ text: String, _ expected: String) throws {
    var members = #""keyFile":"/k""#
    if !text.contains("endpoints") { members += #","endpoints":["https://e.example"]"# }
    if !text.contains("prefix") { members += #","prefix":"/p""# }
    let found = try Self.faults(#"{"synchronization":{\#(members)\#(text)}}"#).joined()
    #expect(found == expected)
  }
}
