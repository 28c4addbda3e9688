internal import WatchwordMessages
internal import WatchwordOptions
internal import WatchwordVocabulary

/// A command's reply to a challenge of another process.
enum ChallengeAnswer {
  case disposition(Disposition)
  case credential(Questioner.Answer)
  case kerberos(KerberosDescriptor)
  /// One of the administrator's sources, by name.
  case source(String)
  /// For a server's certificates; with the persistence of a choice on the terminal.
  case trust(TrustScope, Persistence?)
  /// A client certificate of the session, by its id.
  case identity(String)
  /// A client certificate in a file, whose key may need a passphrase.
  case certificate(IdentityGiver)
  /// Neither certificate nor password.
  case none

  var size: Int {
    guard case .credential(let credential) = self else { return 0 }
    return credential.secret.count * 6
  }

  /// What goes with the message.
  var descriptors: [Int32] {
    guard case .kerberos(let file) = self else { return [] }
    return file.descriptors
  }

  var disposition: Disposition {
    guard case .disposition(let disposition) = self else { return .useCredential }
    return disposition
  }

  /// The member `credential`, also of `credential/set`; nil: none.
  ///
  /// - Parameters:
  ///   - first: where it goes with the first request; nil: it waits for a challenge.
  ///   - prefix: of a key.
  func credential(
    _ persistence: Persistence?, _ first: FirstRequest? = nil, prefix: String? = nil
  ) -> Request.Credential? {
    switch self {
    case .disposition, .none: nil
    case .credential(let answer): answer.credential(persistence, first, prefix: prefix)
    case .kerberos(let file): file.credential(persistence)
    case .source(let name):
      Request.Credential(
        persistence: persistence, preemptive: first.map { _ in true }, limits: first?.limits, prefix: prefix,
        source: name)
    case .trust(let scope, let chosen): TrustReply.credential(scope, persistence ?? chosen)
    case .identity(let identifier): IdentityReply.credential(.text(identifier), persistence)
    case .certificate(let giver):
      IdentityReply.credential(.other(giver.file.material(passphrase: giver.passphrase)), persistence)
    }
  }
}

/// How `watchword answer` answers a CertificateRequest: by an option, or by asking the person.
struct CertificateAnswer {
  private var identity: String?
  private var certificate: String?
  private var key: String?

  static func options<Verb: Command>(
    _ answer: @escaping (inout Verb, (inout CertificateAnswer) -> Void) -> Void
  ) -> [Option<Verb>] {
    [
      Option(
        nil, "identity", "ID", "present this client certificate of the session; see watchword identities"
      ) {
        (verb, text) in answer(&verb) { $0.identity = text }
      },
      Option(
        "E", "cert", "FILE", "present this certificate: PEM, PKCS#12 or a pkcs11: URI", completion: .file
      ) {
        (verb, path) in answer(&verb) { $0.certificate = path }
      },
      Option(nil, "key", "FILE", "its key, if it is in another file: PEM or a pkcs11: URI", completion: .file)
      {
        (verb, path) in answer(&verb) { $0.key = path }
      },
    ]
  }

  /// How many answers the options give.
  var count: Int { (identity == nil ? 0 : 1) + (certificate == nil ? 0 : 1) }

  func check() throws(Failure) {
    if key != nil, certificate == nil { throw .usage("--key goes with --cert") }
  }

  /// - Parameter source: the source of a key's passphrase.
  func answer(
    to challenge: Sent.Challenge, _ source: SecretSource, through client: WatchwordClient
  ) throws(Failure) -> ChallengeAnswer {
    if let identity { return .identity(identity) }
    if let certificate {
      return .certificate(
        IdentityGiver(
          file: try IdentityFile(certificate: certificate, key: key), name: key ?? certificate,
          askpass: source.askpass, passphrase: try source.given()?.secret))
    }
    guard let question = IdentityQuestion() else {
      throw Failure(
        "no terminal for the prompt", hint: "--identity, --cert, --none or --cancel answers it",
        exitCode: .authenticationRefused)
    }
    let choice: IdentityQuestion.Choice
    do throws(ClientError) {
      let identities = try IdentityQuestion.fitting(challenge, through: client)
      choice = try question.ask(about: challenge, among: identities, through: nil)
    } catch {
      throw Failure(error)
    }
    switch choice {
    case .stored(let identifier): return .identity(identifier)
    case .file(let giver): return .certificate(giver)
    case .none: return .none
    case .cancel: return .disposition(.cancelAuthenticationChallenge)
    case .nothing, .settledElsewhere:
      throw Failure("not answered, the challenge is still pending", exitCode: .authenticationRefused)
    }
  }
}
