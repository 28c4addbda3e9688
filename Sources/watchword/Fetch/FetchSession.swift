internal import WatchwordMessages
internal import WatchwordPrimitives
internal import WatchwordSecret
internal import WatchwordVocabulary

/// The session a fetch runs in, and the settings that only a session can have.
struct FetchSession {
  var name: String?
  var isPrivate = false
  var followsRedirects = false
  var redirectLimit: Int?
  var methods = FetchMethods()
  var httpVersions: [String]?
  /// A PEM file of roots that replace the system's.
  var authorities: String?
  /// A PEM file of revocation lists.
  var revocationLists: String?
  /// Whether the server has to send a good OCSP response.
  var requiresStaple = false
  /// The oldest and the newest version of TLS; nil for the session's own.
  private var minimumTLS: String?
  private var maximumTLS: String?
  /// Whether pins are checked, which no other process's decision may come before.
  var isPinned = false
  /// A file with a client certificate, and one with its key.
  var certificate: String?
  var key: String?
  var netrc: NetrcFile?
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

  /// curl's `--tlsv1.2` and `--tlsv1.3`; every session speaks 1.2 or newer.
  mutating func requireTLS(_ version: String) { minimumTLS = version == "1.2" ? nil : version }

  /// curl's `--tls-max`.
  mutating func limitTLS(_ version: String) throws(Failure) {
    switch version {
    case "default", "1.3": maximumTLS = nil
    case "1.2": maximumTLS = version
    default: throw .usage("--tls-max is 1.2 or 1.3, not \(DisplayText.escaped(version))")
    }
  }

  /// - Parameter persistence: how long answers and the client certificate are kept; nil for the defaults.
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
    if minimumTLS != nil, maximumTLS != nil { throw .usage("--tlsv1.3 and --tls-max 1.2 exclude each other") }
    if isPinned, name != nil {
      throw .usage(
        "--pinnedpubkey and --session exclude each other",
        hint: "a decision of a shared session would take precedence over the pin")
    }
  }

  /// A setting that belongs to a session without saying which: it gets one of its own.
  var needsOwnSession: Bool { name == nil && (isPrivate || isPinned || certificate != nil || hasSettings) }

  private var hasSettings: Bool {
    netrc != nil || methods.isSet || redirectLimit != nil || httpVersions != nil || hasTLSSettings
      || !addresses.isEmpty
  }

  private var hasTLSSettings: Bool {
    authorities != nil || revocationLists != nil || requiresStaple || minimumTLS != nil || maximumTLS != nil
  }

  /// The name of the session, nil for a private one.
  var sharedName: String? { needsOwnSession ? nil : name ?? "default" }

  /// Whether `session/open` has anything to say about settings.
  var isConfigured: Bool { needsOwnSession || hasSettings }

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

  /// The PEM texts, read before anything is sent.
  func readFiles() throws(Failure) -> Files {
    Files(
      authorities: try Self.text(authorities), revocationLists: try Self.text(revocationLists),
      netrc: try netrc?.text())
  }

  private static func text(_ path: String?) throws(Failure) -> String? {
    guard let path else { return nil }
    let file = Secret(try InputFile.contents(of: path))
    guard let text = PEMBlocks.text(in: file, { _ in true }) else {
      throw Failure("\(DisplayText.escaped(path)): a PEM block is not ASCII")
    }
    // Without a block the daemon says what is wrong.
    return text
  }

  /// The member `configuration` of `session/open`.
  func configuration(_ files: Files) -> Request.SessionConfiguration {
    Request.SessionConfiguration(
      methods: methods.isSet ? methods.configuration : nil,
      tls: hasTLSSettings ? tls(files) : nil,
      redirects: redirectLimit.map { Request.SessionConfigurationRedirects(limit: $0) },
      httpVersions: httpVersions,
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
      minimumVersion: minimumTLS, maximumVersion: maximumTLS,
      revocation: requiresStaple ? "stapleRequired" : nil, revocationLists: files.revocationLists)
  }
}
