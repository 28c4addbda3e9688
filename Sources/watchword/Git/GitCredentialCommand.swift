internal import Glibc
internal import WatchwordClient
internal import WatchwordJSON
internal import WatchwordPrimitives
internal import WatchwordSecret

/// `watchword git-credential`: git's credential helper, in the direction that gives no secret away.
struct GitCredentialCommand: Command {
  static let name = "git-credential"
  static let summary = "take credentials from git as its helper"
  static let synopsis = "[options] get|store|erase"
  static let about = """
    A credential helper of git (gitcredentials(7)). What git has used with success is stored in a session, so
    that a fetch from the same server raises no challenge; what git was refused is removed. The daemon gives
    no secret away: get tells git the user, and git asks for the password or asks its next helper.
    """
  static let example = "git config --global --add credential.helper '!watchword git-credential'"

  static var options: [Option<GitCredentialCommand>] {
    [
      Option(nil, "session", "NAME", "the session [default]") { $0.space.session = $1 },
      Option(
        nil, "persistence", "WHICH", "keep it forSession (the default)",
        completion: .words(Persistence.forStorage)
      ) { (command, text) throws(Failure) in
        command.persistence = try Persistence.checked(text, among: Persistence.forStorage)
      },
    ]
  }

  var daemon = DaemonOptions()
  private var space = SpaceOptions()
  private var persistence: String?
  private var operation: String?

  mutating func take(operand: String) throws(Failure) {
    guard operation == nil else { throw .usage("only one operation is allowed") }
    operation = operand
  }

  mutating func run() throws(Failure) -> ExitCode {
    guard let operation else { throw .usage("the operation is missing", hint: "git gives it to its helpers") }
    // git may have more operations one day, and wants them to be ignored.
    guard ["get", "store", "erase"].contains(operation) else { return .success }
    let attributes = GitAttributes(
      try SecretReader.all(from: try InputFile.open("-"), named: "standard input"))
    guard let url = attributes.url else { return .success }
    try space.take(url: url)
    switch operation {
    case "store": try store(attributes)
    case "erase": try erase(attributes)
    default: try tellUser(attributes)
    }
    return .success
  }

  /// The user is not a secret: git then asks for the password only.
  private func tellUser(_ attributes: GitAttributes) throws(Failure) {
    guard attributes.user == nil, let client = try running() else { return }
    let origin = try space.origin(client)
    let session = space.session
    let list = try client.ask("credential/list") { SessionScope.write(session, to: &$0) }
    let known = (list["credentials"]?.elements ?? []).first { credential in
      SpaceText.origin(of: credential["protectionSpace"] ?? .null, showsPort: true) == origin.text
        && credential["isDefault"]?.flag == true && credential["user"]?.text != nil
    }
    guard let user = known?["user"]?.text, user.utf8.allSatisfy({ $0 >= 0x20 }) else { return }
    StandardOutput.write("username=\(user)\n")
  }

  private func store(_ attributes: GitAttributes) throws(Failure) {
    let isBearer = attributes.authenticationType.map { $0.asciiLowercased == "bearer" } ?? false
    let secret = isBearer ? attributes.credential : attributes.password
    guard !attributes.isEphemeral, let secret, isBearer || attributes.user != nil else { return }
    var seconds: Int64?
    if let expires = attributes.expires {
      let left = expires.subtractingReportingOverflow(Int64(time(nil)))
      guard !left.overflow, left.partialValue > 0 else { return }
      seconds = min(left.partialValue, 315_360_000)
    }
    let client = try daemon.connect()
    if let session = space.session {
      // As for a fetch: a missing session is created.
      try client.ask("session/open") {
        $0.key("name")
        $0.string(session)
      }
    }
    let origin = try space.origin(client)
    let (session, persistence) = (space.session, persistence)
    try client.ask("credential/set", reserving: secret.count * 6) { writer in
      SessionScope.write(session, to: &writer)
      SpaceOptions.write(origin, realm: nil, method: isBearer ? "bearer" : "default", to: &writer)
      writer.key("credential")
      writer.beginObject()
      if isBearer {
        writer.key("token")
      } else {
        writer.key("user")
        writer.string(attributes.user ?? "")
        writer.key("password")
      }
      secret.withBytes { writer.stringBytes($0) }
      if let persistence {
        writer.key("persistence")
        writer.string(persistence)
      }
      GitCredentialCommand.writeLimits(attributes.path, seconds, to: &writer)
      writer.endObject()
    }
  }

  /// With `credential.useHttpPath`, git means one repository.
  private static func writeLimits(_ path: String?, _ seconds: Int64?, to writer: inout JSONWriter) {
    guard path != nil || seconds != nil else { return }
    writer.key("limits")
    writer.beginObject()
    if let path {
      writer.key("pathPrefixes")
      writer.beginArray()
      writer.string("/" + path)
      writer.endArray()
    }
    if let seconds {
      writer.key("lifetimeSeconds")
      writer.integer(Int(seconds))
    }
    writer.endObject()
  }

  private func erase(_ attributes: GitAttributes) throws(Failure) {
    guard let client = try running() else { return }
    let origin = try space.origin(client)
    let session = space.session
    for method in ["default", "bearer"] {
      try client.ask("credential/remove") { writer in
        SessionScope.write(session, to: &writer)
        SpaceOptions.write(origin, realm: nil, method: method, to: &writer)
        guard let user = attributes.user else { return }
        writer.key("user")
        writer.string(user)
      }
    }
  }

  /// Nil when no daemon runs: then there is nothing to tell or to remove.
  private func running() throws(Failure) -> WatchwordClient? {
    var daemon = daemon
    daemon.mayStart = false
    do throws(Failure) {
      return try daemon.connect()
    } catch {
      guard error.exitCode == .noDaemon else { throw error }
      return nil
    }
  }
}
