internal import CLinux
internal import Glibc
internal import WatchwordMessages
internal import WatchwordOptions
internal import WatchwordVocabulary

/// The session a fetch runs in, and the settings that only a session can have.
struct FetchSession {
  /// Which session it is.
  enum Place {
    case named(String)
    /// The one that is named after the settings: another fetch with the same options is not prompted again.
    case bySettings
    /// Ends with the fetch.
    case ownPrivate
  }

  var name: String?
  var isPrivate = false
  /// Whether the command was given a token, which is for this fetch only: another one may be given another
  /// token.
  var hasGivenToken = false
  var followsRedirects = false
  var methods = FetchMethods()
  /// A PEM file of roots that replace the system's.
  var authorities: String?
  /// The same of curl's variables; a session that is named has its own settings.
  private var bundle: String? { authorities ?? (name == nil ? RootsEnvironment.bundle : nil) }
  /// A PEM file of revocation lists.
  var revocationLists: String?
  /// Whether the server has to send a good OCSP response.
  var requiresStaple = false
  var pins = FetchPins()
  /// Whether the fetch accepts what fails verification: no credential may come from a session that knows the
  /// servers.
  var isInsecure = false
  /// A file with a client certificate, and one with its key.
  var certificate: String?
  var key: String?
  /// Which files these are; nil when nothing tells, or the session must not keep the certificate.
  private var identityName: String?
  var netrc: NetrcFile?
  /// Files of cookies that the session begins with.
  var cookieFiles: [String] = []
  /// Whether those of the files that would end with the program that wrote them are left out.
  var leavesSessionCookies = false
  private var addresses: [(name: String, value: String)] = []

  /// `HOST:PORT:ADDRESS`, the address in brackets or not.
  mutating func resolve(_ text: String) throws(Failure) {
    let parts = text.split(separator: ":", maxSplits: 2)
    guard parts.count == 3, UInt16(parts[1]) != nil else { throw .usage("--resolve takes HOST:PORT:ADDRESS") }
    let address = parts[2].hasPrefix("[") ? parts[2].dropFirst().dropLast() : parts[2]
    let key = "\(parts[0]):\(parts[1])"
    addresses.removeAll { $0.name == key }
    addresses.append((key, String(address)))
  }

  /// - Parameter persistence: how long answers and the client certificate are kept; nil for the defaults.
  /// curl's `FILE:PASSPHRASE` is refused: the command asks for the passphrase.
  mutating func setCertificate(_ text: String) throws(Failure) {
    if let colon = text.utf8.lastIndex(of: UInt8(ascii: ":")), access(OctetText.cString(text), F_OK) != 0 {
      let file = String(text[..<colon])
      guard access(OctetText.cString(file), F_OK) != 0 else {
        throw .usage(
          ReadableSecret.text("passphrase"),
          hint: "--cert \(DisplayText.escaped(file)) asks for it, at the terminal or with --askpass")
      }
    }
    certificate = text
  }

  func check(persistence: Persistence?) throws(Failure) {
    if certificate != nil, persistence == .synchronizable {
      throw .usage(
        "--persistence synchronizable and --cert exclude each other",
        hint: "no key is shared with other hosts")
    }
    if certificate != nil, name != nil, persistence == Persistence.none {
      throw .usage(
        "--persistence none goes with --cert only without --session",
        hint: "a session keeps the certificate that it is given")
    }
    if key != nil, certificate == nil { throw .usage("--key goes with --cert") }
    if isPrivate, name != nil { throw .usage("--private and --session exclude each other") }
    if !pins.isEmpty, name != nil {
      throw .usage(
        "--pinnedpubkey and --session exclude each other",
        hint: "the keys are a setting of their own session")
    }
  }

  /// Looks at the files of the client certificate, before they are read.
  ///
  /// - Parameter persistence: how long the certificate is kept; nil for the default.
  mutating func nameIdentity(persistence: Persistence?) {
    guard let certificate, persistence != Persistence.none else { return }
    identityName = IdentityFile.name(ofFiles: [certificate] + (key.map { [$0] } ?? []))
  }

  var place: Place {
    if let name { return .named(name) }
    // Cookies of a file and a token belong to this fetch: another one with the same options would send them.
    if isPrivate || !cookieFiles.isEmpty || hasGivenToken { return .ownPrivate }
    if certificate != nil { return identityName == nil ? .ownPrivate : .bySettings }
    return hasSettings || isInsecure || !pins.isEmpty ? .bySettings : .named("default")
  }

  var isOfSettings: Bool {
    if case .bySettings = place { true } else { false }
  }

  /// What the options choose of the way to servers, as a challenge has it: no other program has set it in
  /// this session.
  var ownWays: [String] {
    if case .named = place { [] } else { ["roots", "addresses", "proxy"] }
  }

  /// What tells the session from another one with the same settings; nil: nothing.
  var variant: String? {
    guard isOfSettings else { return nil }
    let parts = [
      isInsecure ? "insecure" : nil,
      identityName.map { "certificate " + $0 },
    ].compactMap { $0 }
    return parts.isEmpty ? nil : parts.joined(separator: "; ")
  }

  /// Whether the session, when it is there already, may have the client certificate.
  var mayHaveIdentity: Bool {
    isOfSettings && identityName != nil
  }

  private var hasSettings: Bool { bundle != nil || hasOptions }

  private var hasOptions: Bool {
    netrc != nil || methods.isSet || authorities != nil || checksRevocation || !addresses.isEmpty
  }

  private var checksRevocation: Bool { revocationLists != nil || requiresStaple }

  /// Whether `session/open` has anything to say about settings, or makes a session.
  var isConfigured: Bool {
    switch place {
    case .named: hasSettings
    case .bySettings, .ownPrivate: true
    }
  }

  /// The same by options alone. A variable of the environment is for whatever it can be used for.
  var isConfiguredByOptions: Bool {
    isOfSettings ? hasOptions || !pins.isEmpty || certificate != nil : isConfigured
  }

  /// Gives the session its client certificate, whose file is read before anything is sent.
  func identity(askpass: String?) throws(Failure) -> IdentityGiver? {
    guard let certificate else { return nil }
    return IdentityGiver(
      file: try IdentityFile(certificate: certificate, key: key), name: key ?? certificate, askpass: askpass,
      passphrase: nil, hint: "--askpass PROGRAM gives it")
  }

  /// What the settings' files hold.
  struct Files {
    fileprivate let authorities: String?
    fileprivate let revocationLists: String?
    fileprivate let netrc: Secret?

    /// Bytes that they take in a message, about.
    var size: Int {
      (authorities?.utf8.count ?? 0) + (revocationLists?.utf8.count ?? 0) + 2 * (netrc?.count ?? 0)
    }
  }

  /// The cookies of the files.
  func readCookies() throws(Failure) -> [Request.CookieToSet] {
    var cookies: [Request.CookieToSet] = []
    for file in cookieFiles {
      cookies += try CookieFile.read(file, keepsSessionCookies: !leavesSessionCookies)
    }
    return cookies
  }

  /// The PEM texts, read before anything is sent.
  func readFiles() throws(Failure) -> Files {
    Files(
      authorities: try bundle.map(PEMFile.text), revocationLists: try revocationLists.map(PEMFile.text),
      netrc: try netrc?.text())
  }

  /// The member `configuration` of `session/open`.
  func configuration(_ files: Files) -> Request.SessionConfiguration {
    Request.SessionConfiguration(
      methods: methods.isSet ? methods.configuration : nil,
      tls: bundle != nil || checksRevocation || !pins.isEmpty ? tls(files) : nil,
      addresses: addresses.isEmpty ? nil : Request.SessionConfigurationAddresses(resolve: addresses),
      netrc: files.netrc.map(Self.netrc))
  }

  private static func netrc(_ contents: Secret) -> Request.SessionConfigurationNetrc {
    let isText = contents.withBytes { UTF8Text.fault(in: $0) } == nil
    return Request.SessionConfigurationNetrc(
      text: isText ? contents : nil, base64: isText ? nil : contents.base64)
  }

  private func tls(_ files: Files) -> Request.SessionConfigurationTls {
    Request.SessionConfigurationTls(
      roots: files.authorities.map {
        Request.SessionConfigurationTlsRoots(certificates: $0, exclusive: true)
      },
      pins: pins.configuration,
      revocation: requiresStaple ? "stapleRequired" : nil, revocationLists: files.revocationLists)
  }
}

/// The netrc file of `-n` and `--netrc-file`: this program reads it, the daemon gets its octets, and says
/// what in it is wrong.
struct NetrcFile {
  let path: String
  /// Whether it may be missing, as with `--netrc-optional`.
  let isOptional: Bool

  /// `.netrc` in the home folder.
  static var ofHome: String { "\(Environment.value(of: "HOME") ?? "")/.netrc" }

  /// Its octets; nil if it may be missing and is.
  ///
  /// A file that others may read or that is another user's is refused: its passwords are no secrets.
  func text() throws(Failure) -> Secret? {
    let name = DisplayText.escaped(path)
    guard let file = Descriptor.opened(path, O_RDONLY) else {
      if isOptional, errno == ENOENT { return nil }
      throw Failure("\(name) cannot be read: \(Output.lastError)", exitCode: .inputFailed)
    }
    var status = stat()
    guard fstat(file.number, &status) == 0 else {
      throw Failure("\(name) cannot be read: \(Output.lastError)", exitCode: .inputFailed)
    }
    guard status.st_mode & 0o077 == 0 || status.st_mode & S_IFMT != S_IFREG else {
      throw Failure("\(name) can be read by other users", hint: "chmod 600 \(name)")
    }
    guard status.st_uid == geteuid() || status.st_uid == 0 || status.st_mode & S_IFMT != S_IFREG else {
      throw Failure("\(name) belongs to another user")
    }
    CoreDumps.forbid()
    return try SecretReader.all(from: file, named: path)
  }
}

/// The variables that name a PEM file of roots for curl.
enum RootsEnvironment {
  /// The system's, which the daemon trusts anyway: many installations name one of them for every program.
  private static let systemBundles = [
    "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/ca-bundle.pem",
    "/etc/ssl/cert.pem",
  ]

  /// As curl reads them (curl(1), ENVIRONMENT): the first that is set and not empty; nil when it names the
  /// system's.
  static var bundle: String? {
    let names = ["CURL_CA_BUNDLE", "SSL_CERT_FILE"]
    guard let path = names.lazy.compactMap({ Environment.value(of: $0) }).first else { return nil }
    return systemBundles.contains { isOneFile(path, $0) } ? nil : path
  }

  private static func isOneFile(_ path: String, _ other: String) -> Bool {
    var (information, another) = (stat(), stat())
    guard stat(path, &information) == 0, stat(other, &another) == 0 else { return false }
    return information.st_dev == another.st_dev && information.st_ino == another.st_ino
  }
}
