internal import Glibc
internal import WatchwordOptions
internal import WatchwordVocabulary

/// `watchword git-credential`: git's credential helper.
struct GitCredentialCommand: Command {
  static let name = "git-credential"
  static let summary = "keep git's credentials as its helper"
  static let synopsis = "[options] get|store|erase|capability"
  static let about = """
    A credential helper of git (gitcredentials(7)). What git has used with success is kept in the vault, given
    back to git, and used by fetches from the same server; what git was refused is removed. A password that
    answered a challenge is not given to git: git is told the user, and asks for the password.
    """
  static let example = "git config --global --add credential.helper '!watchword git-credential'"

  static var options: [Option<GitCredentialCommand>] {
    [
      Option(nil, "session", "NAME", "the session [default]") { $0.session = $1 },
      Option(
        nil, "persistence", "WHICH", "keep it permanent (the default) or forSession",
        completion: .words(Persistence.words(Persistence.forStorage))
      ) { (command, text) throws(Failure) in
        command.persistence = try Persistence.checked(text, among: Persistence.forStorage)
      },
    ]
  }

  var daemon = DaemonTarget()
  private var session: String?
  private var persistence = Persistence.permanent
  private var operation: String?

  mutating func take(operand: String) throws(Failure) {
    guard operation == nil else { throw .usage("only one operation is allowed") }
    operation = operand
  }

  mutating func run() throws(Failure) -> ExitCode {
    guard let operation else { throw .usage("the operation is missing", hint: "git gives it to its helpers") }
    if operation == "capability" {
      StandardOutput.write("version 0\ncapability authtype\n")
      return .success
    }
    // git may have more operations one day, and wants them to be ignored.
    guard ["get", "store", "erase"].contains(operation) else { return .success }
    let attributes = try GitAttributes(
      try SecretReader.all(from: try InputFile.open("-"), named: "standard input"))
    guard let url = attributes.url, operation != "store" || attributes.isStorable else { return .success }
    guard let client = try connected() else { return .success }
    let store = try ReadableStore(client, url: url, session: session)
    switch operation {
    case "store":
      guard let secret = attributes.secret else { break }
      try store.store(
        user: attributes.isToken ? nil : attributes.user, secret, path: attributes.absolutePath,
        expires: attributes.expires, persistence: persistence)
    case "erase": try erase(attributes, in: store)
    default: try get(attributes, from: store)
    }
    return .success
  }

  /// Nil when no daemon runs and none may be started: then there is nothing to tell or to keep.
  private func connected() throws(Failure) -> WatchwordClient? {
    do throws(Failure) {
      return try daemon.connect()
    } catch {
      guard error.exitCode == .noDaemon, !daemon.mayStart else { throw error }
      return nil
    }
  }

  private func get(_ attributes: GitAttributes, from store: ReadableStore) throws(Failure) {
    for method in attributes.methods {
      let user = method == .token ? nil : attributes.user
      guard let found = try store.read(method, user: user, path: attributes.absolutePath) else { continue }
      return try give(found)
    }
    guard attributes.user == nil, let user = try store.knownUser(),
      user.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F })
    else { return }
    StandardOutput.write("username=\(user)\n")
  }

  /// git's lines carry no control character.
  private func give(_ found: ReadableStore.Found) throws(Failure) {
    guard !found.secret.containsControlCharacter,
      found.user.map({ $0.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F } }) ?? true
    else { throw Failure("the credential has a control character, which git cannot take") }
    if let user = found.user {
      StandardOutput.write("username=\(user)\npassword=")
    } else {
      StandardOutput.write("capability[]=authtype\nauthtype=Bearer\ncredential=")
    }
    found.secret.withBytes { StandardOutput.writeAll($0) }
    StandardOutput.write("\n")
    guard let left = found.secondsLeft, left < 1e9 else { return }
    StandardOutput.write("password_expiry_utc=\(Int64(time(nil)) + Int64(left))\n")
  }

  /// What git was refused may have been replaced meanwhile, and stays then.
  private func erase(_ attributes: GitAttributes, in store: ReadableStore) throws(Failure) {
    guard let refused = attributes.secret else {
      try store.remove(user: attributes.user, where: attributes.isFor)
      return
    }
    let method: ReadableStore.Method = attributes.isToken ? .token : .password
    let user = method == .token ? nil : attributes.user
    guard let kept = try store.read(method, user: user, path: attributes.absolutePath),
      kept.secret == refused
    else { return }
    // The one for the path was read, if there is one.
    let path = attributes.absolutePath
    let isForPath = try store.holds(method, user: kept.user, path: path)
    try store.remove(user: kept.user, [method]) { $0 == (isForPath ? path : nil) }
  }
}

extension GitAttributes {
  /// What may answer git, the best first. A password is a user's; a server refuses what it does not offer.
  fileprivate var methods: [ReadableStore.Method] {
    guard takesTokens else { return [.password] }
    let isTokenFirst = offersBearer && (user == nil || !offersOther)
    let methods: [ReadableStore.Method] = isTokenFirst ? [.token, .password] : [.password, .token]
    guard offersBearer || offersOther else { return methods }
    return methods.filter { $0 == .token ? offersBearer : offersOther }
  }

  fileprivate var isToken: Bool { authenticationType?.matchesASCIICase(of: "bearer") ?? false }

  /// Of other authentication types there is nothing to keep.
  fileprivate var secret: Secret? {
    isToken ? credential : authenticationType == nil ? password : nil
  }

  fileprivate var isStorable: Bool {
    // An empty one is no answer: curl takes it for the tickets of the caller's account.
    secret?.isEmpty == false && !isEphemeral
      && (isToken || user != nil) && (expires.map { $0 > time(nil) } ?? true)
  }

  /// Whether it means a credential for this path, nil for the whole origin.
  fileprivate func isFor(_ path: String?) -> Bool { path == nil || path == absolutePath }

  /// With `credential.useHttpPath`, git means one repository.
  fileprivate var absolutePath: String? { path.map { $0.hasPrefix("/") ? $0 : "/" + $0 } }
}

/// What git says to a credential helper: `key=value` lines up to an empty one (git-credential(1)).
///
/// Secrets are cut out of the input in place. Keys that are not known are skipped, as git wants.
struct GitAttributes {
  private(set) var scheme: String?
  /// With its port, if it has one.
  private(set) var host: String?
  private(set) var path: String?
  private(set) var user: String?
  private(set) var password: Secret?
  /// Of a credential that is not a user and a password, as `Bearer`.
  private(set) var authenticationType: String?
  private(set) var credential: Secret?
  /// In seconds since 1970.
  private(set) var expires: Int64?
  /// Not to be stored.
  private(set) var isEphemeral = false
  /// Whether git takes `authtype` and `credential`, which it says since 2.46.
  private(set) var takesTokens = false
  /// Whether the server offers Bearer, and whether it offers anything else; git says so since 2.41.
  private(set) var offersBearer = false
  private(set) var offersOther = false

  /// - Throws: for a value with a control character or without a meaning in UTF-8: it is refused, not
  ///   repaired (CVE-2020-5260, CVE-2024-52006).
  init(_ input: Secret) throws(Failure) {
    try input.withBytes { bytes throws(Failure) in
      for line in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
        if line.isEmpty { break }
        guard let equals = line.firstIndex(of: UInt8(ascii: "=")) else { continue }
        let value = line[(equals + 1)...]
        let key = String(decoding: line[..<equals], as: UTF8.self)
        switch key {
        case "password": password = try Self.secret(value, key)
        case "credential": credential = try Self.secret(value, key)
        case "protocol", "host", "path", "username", "authtype", "password_expiry_utc", "ephemeral",
          "capability[]", "wwwauth[]":
          readAttribute(key, try Self.text(value, key))
        default: break
        }
      }
    }
    guard let host, !host.isEmpty, !Self.isHost(host) else { return }
    throw Failure("git names no host and port: \(DisplayText.escaped(host, longest: 200))")
  }

  /// Whether a text is a host, perhaps with a port: more would name another server, or a path of it.
  static func isHost(_ text: some StringProtocol) -> Bool {
    let signs = "-._~:[]".utf8
    return !text.isEmpty
      && text.utf8.allSatisfy {
        ASCIICase.isLetter($0) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || signs.contains($0)
      }
  }

  private static func secret(_ value: Slice<UnsafeRawBufferPointer>, _ key: String) throws(Failure) -> Secret
  {
    let secret = Secret(value)
    guard !secret.containsControlCharacter else { throw unsound(key) }
    return secret
  }

  private static func text(_ value: Slice<UnsafeRawBufferPointer>, _ key: String) throws(Failure) -> String {
    guard !value.contains(where: { $0 < 0x20 || $0 == 0x7F }),
      let text = String(validating: value, as: UTF8.self)
    else { throw unsound(key) }
    return text
  }

  private static func unsound(_ key: String) -> Failure {
    Failure("git's \(key) has a control character or is not UTF-8")
  }

  private mutating func readAttribute(_ key: String, _ value: String) {
    switch key {
    case "protocol": scheme = value
    case "host": host = value
    case "path": path = value
    case "username": user = value
    case "authtype": authenticationType = value
    case "password_expiry_utc": expires = Int64(value)
    case "ephemeral": isEphemeral = value == "1" || value == "true"
    case "capability[]": takesTokens = takesTokens || value == "authtype"
    case "wwwauth[]":
      let isBearer = String(value.prefix { $0 != " " }).matchesASCIICase(of: "bearer")
      offersBearer = offersBearer || isBearer
      offersOther = offersOther || !isBearer
    default: break
    }
  }

  /// The URL of the server; nil for what the daemon does not fetch from.
  var url: String? {
    guard let scheme, scheme == "http" || scheme == "https", let host, !host.isEmpty else { return nil }
    return "\(scheme)://\(host)/"
  }
}
