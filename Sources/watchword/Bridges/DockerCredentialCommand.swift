internal import WatchwordJSON
internal import WatchwordMessages
internal import WatchwordOptions
internal import WatchwordVocabulary

/// `watchword docker-credential`, also as `docker-credential-watchword`: docker's credential helper.
///
/// docker reads errors on standard output.
struct DockerCredentialCommand: Command {
  static let name = "docker-credential"
  static let summary = "keep docker's credentials as its helper"
  static let synopsis = "[options] get|store|erase|list|version"
  static let about = """
    A credential helper of docker, podman and skopeo, which run it as docker-credential-watchword: a link of this
    name to this program. What docker login stores is kept in the vault, limited to the registry's API, and
    given back to docker.
    """
  static let example = "ln -s \"$(command -v watchword)\" ~/.local/bin/docker-credential-watchword"

  /// What docker and skopeo look for.
  private static let absence = "credentials not found in native keychain"
  /// The user of an identity token, by docker's convention: not sent to the registry, but exchanged for
  /// others.
  private static let tokenUser = "<token>"
  /// No server has it, so that no fetch sends an identity token as a password.
  private static let tokenRealm = "docker identity token"

  static var options: [Option<DockerCredentialCommand>] {
    [Option(nil, "session", "NAME", "the session [default]") { $0.session = $1 }]
  }

  var daemon = DaemonTarget()
  private var session: String?
  private var operation: String?

  mutating func take(operand: String) throws(Failure) {
    guard operation == nil else { throw .usage("only one operation is allowed") }
    operation = operand
  }

  mutating func run() throws(Failure) -> ExitCode {
    guard let operation else {
      throw .usage("the operation is missing", hint: "docker gives it to its helpers")
    }
    do throws(Failure) {
      switch operation {
      case "get": try get()
      case "store": try store()
      case "erase": try erase()
      case "list": try list()
      case "version": StandardOutput.write("docker-credential-watchword (watchword) v\(Version.text)\n")
      default: throw Failure("unknown operation \(DisplayText.escaped(operation))")
      }
      return .success
    } catch {
      StandardOutput.write("\(error.message ?? "failed")\n")
      return .failure
    }
  }

  private func get() throws(Failure) {
    let (name, server) = try namedServer()
    let store = try ReadableStore(try daemon.connect(), url: server.url, session: session)
    guard let user = try store.users(path: server.path).last,
      let found = try store.read(.password, user: user, path: server.path)
    else { throw Failure(Self.absence) }
    var writer = JSONWriter()
    writer.beginObject()
    writer.key("ServerURL")
    writer.string(name)
    writer.key("Username")
    writer.string(user)
    writer.key("Secret")
    found.secret.withBytes { writer.stringBytes($0) }
    writer.endObject()
    writer.buffer.append(UInt8(ascii: "\n"))
    writer.buffer.withUnsafeBytes { StandardOutput.writeAll($0) }
  }

  private func store() throws(Failure) {
    let input = try Self.input()
    guard let object = input.withBytes({ try? JSONParser().parse($0) })?.object else {
      throw Failure("the input is no JSON object")
    }
    guard let name = object["ServerURL"]?.text, !name.isEmpty else {
      throw Failure("no credentials server URL")
    }
    guard let user = object["Username"]?.text, !user.isEmpty else {
      throw Failure("no credentials username")
    }
    guard let secret = object["Secret"]?.secret else { throw Failure("no credentials secret") }
    let server = try Self.server(name)
    let store = try ReadableStore(try daemon.connect(), url: server.url, session: session)
    try store.store(
      user: user, secret, realm: user == Self.tokenUser ? Self.tokenRealm : nil, path: server.path,
      expires: nil, persistence: .permanent)
    // docker knows one user of a registry.
    try store.remove(keeping: user, [.password]) { $0 == server.path }
  }

  private func erase() throws(Failure) {
    let (_, server) = try namedServer()
    let store = try ReadableStore(try daemon.connect(), url: server.url, session: session)
    try store.remove([.password]) { $0 == server.path }
  }

  private func list() throws(Failure) {
    var users: [String: String] = [:]
    for credential in try ReadableStore.list(try daemon.connect(), session: session) {
      guard let name = DockerServer.name(of: credential), let user = credential.user else {
        continue
      }
      users[name] = user
    }
    var writer = JSONWriter()
    writer.beginObject()
    for (name, user) in users.sorted(by: { $0.key < $1.key }) {
      writer.key(escaping: name)
      writer.string(user)
    }
    writer.endObject()
    writer.buffer.append(UInt8(ascii: "\n"))
    writer.buffer.withUnsafeBytes { StandardOutput.writeAll($0) }
  }

  private static func input() throws(Failure) -> Secret {
    try SecretReader.all(from: try InputFile.open("-"), named: "standard input")
  }

  /// The registry that standard input names, and its name as docker wrote it.
  private func namedServer() throws(Failure) -> (String, DockerServer) {
    let input = try Self.input()
    let text = input.withBytes { String(validating: $0, as: UTF8.self) }
    let trimmed = (text ?? "").split(whereSeparator: \.isWhitespace)
    guard trimmed.count == 1, let name = trimmed.first else { throw Failure("no credentials server URL") }
    return (String(name), try Self.server(String(name)))
  }

  private static func server(_ name: String) throws(Failure) -> DockerServer {
    guard let server = DockerServer(name) else {
      throw Failure("\(DisplayText.escaped(name, longest: 200)) is no registry")
    }
    return server
  }
}

/// A registry as docker names it, and where its credential is kept: an origin and a path.
///
/// docker names a registry by its host, Docker Hub by `https://index.docker.io/v1/`, and podman a part of one
/// by `host/namespace`. The path tells docker's credentials from those of others, and limits them to the
/// registry's API.
struct DockerServer {
  /// The origin, as a URL.
  let url: String
  let path: String

  /// Nil for what is no registry: another scheme, userinfo, a query, a control character.
  init?(_ name: String) {
    var rest = Substring(name)
    var scheme = "https"
    var isURL = false
    for prefix in ["https", "http"] where name.hasPrefix(prefix + "://") {
      (scheme, isURL) = (prefix, true)
      rest = name.dropFirst(prefix.count + 3)
      break
    }
    let host = rest.prefix { $0 != "/" }
    let path = rest.dropFirst(host.count).split(separator: "/").joined(separator: "/")
    guard isURL || !name.containsBytes(of: "://"), GitAttributes.isHost(host),
      !path.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7F || "?#%\\".utf8.contains($0) })
    else { return nil }
    url = "\(scheme)://\(host)/"
    let isVersioned = isURL && ["v1", "v2"].contains(path.prefix { $0 != "/" })
    self.path = path.isEmpty ? "/v2" : isVersioned ? "/\(path)" : "/v2/\(path)"
  }

  /// The name of the registry that a listed credential is for; nil for a credential that docker did not
  /// store.
  static func name(of credential: Sent.StoredCredential) -> String? {
    guard let path = ReadableStore.path(of: credential) else { return nil }
    let origin = SpaceText.origin(of: credential.protectionSpace)
    guard !path.hasPrefix("/v1") else { return path == "/v1" ? "\(origin)/v1/" : nil }
    guard path == "/v2" || path.hasPrefix("/v2/") else { return nil }
    let name = origin.hasPrefix("https://") ? String(origin.dropFirst(8)) : origin
    return name + path.dropFirst(3)
  }
}
