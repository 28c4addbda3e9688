import Testing
import WatchwordDiagnosis

/// What is found in facts about a host.
@Suite struct DiagnosisTests {
  /// Without a mistake: a daemon of the same version at the default path.
  private static var sound: HostFacts {
    var facts = HostFacts()
    facts.ownUID = 1000
    facts.ownVersion = "1.2.3"
    facts.socketPath = "/run/user/1000/watchword/watchword.sock"
    facts.folder = HostFacts.File(uid: 1000, mode: 0o700, isSocket: false)
    facts.socket = HostFacts.File(uid: 1000, mode: 0o600, isSocket: true)
    facts.reach = .answered
    facts.daemon = HostFacts.Daemon()
    facts.daemon?.version = "1.2.3"
    facts.now = 2_000_000_000
    facts.installed = 1_900_000_000
    facts.rootPlaces = 1
    facts.libraries = [.init("libcurl", "7.88.1-10+deb12u14"), .init("OpenSSL", "3.5.1-1")]
    return facts
  }

  /// A change of sound facts, and the finding that it makes.
  private struct Mistake: CustomTestStringConvertible {
    let topic: String
    let text: String
    let advice: String
    let severity: Finding.Severity
    let make: @Sendable (inout HostFacts) -> Void
    var testDescription: String { text }

    init(
      _ topic: String, _ text: String, _ advice: String, _ severity: Finding.Severity = .problem,
      _ make: @escaping @Sendable (inout HostFacts) -> Void
    ) {
      (self.topic, self.text, self.advice, self.severity, self.make) = (topic, text, advice, severity, make)
    }
  }

  private static let mistakes = [
    Mistake("socket", "neither XDG_RUNTIME_DIR nor HOME", "set HOME") { $0.socketPath = nil },
    Mistake("socket", "the next fetch starts one", "", .note) {
      ($0.reach, $0.daemon) = (.nobodyListens, nil)
    },
    Mistake("socket", "which WATCHWORD_SOCKET names", "leave WATCHWORD_SOCKET out") {
      ($0.reach, $0.daemon, $0.isDefaultPath) = (.nobodyListens, nil, false)
      $0.socketIsNamedBy = "WATCHWORD_SOCKET"
    },
    Mistake("socket", "WATCHWORD_NO_START forbids", "unset WATCHWORD_NO_START") {
      ($0.reach, $0.daemon, $0.mayStart) = (.nobodyListens, nil, false)
    },
    Mistake("socket", "watchwordd is neither beside", "install watchwordd") {
      ($0.reach, $0.daemon, $0.hasProgram) = (.nobodyListens, nil, false)
    },
    Mistake("socket", "runs as uid 5 and would see every secret", "--socket") {
      ($0.reach, $0.daemon) = (.foreign(uid: 5), nil)
    },
    Mistake("socket", "permission denied", "must let you in") {
      ($0.reach, $0.daemon) = (.failed(reason: "permission denied"), nil)
    },
    Mistake("modes", "is open to others", "chmod 700 /run/user/1000/watchword") {
      ($0.reach, $0.daemon) = (.nobodyListens, nil)
      $0.folder = HostFacts.File(uid: 1000, mode: 0o750, isSocket: false)
    },
    Mistake("modes", "is open to others", "name a socket in a folder of your own") {
      // As /tmp, which nobody should close.
      ($0.reach, $0.daemon) = (.failed(reason: "permission denied"), nil)
      ($0.isDefaultPath, $0.folder) = (false, HostFacts.File(uid: 1000, mode: 0o777, isSocket: false))
    },
    Mistake("modes", "belongs to uid 5", "remove it") {
      ($0.reach, $0.daemon) = (.nobodyListens, nil)
      $0.folder = HostFacts.File(uid: 5, mode: 0o700, isSocket: false)
    },
    Mistake("modes", "is no socket", "another name") {
      ($0.reach, $0.daemon) = (.nobodyListens, nil)
      $0.socket = HostFacts.File(uid: 1000, mode: 0o600, isSocket: false)
    },
    Mistake("version", "the daemon has version 1.0.0, this command 1.2.3", "watchword shutdown") {
      $0.daemon?.version = "1.0.0"
    },
    Mistake("lock", "the agent is locked", "watchword unlock") { $0.daemon?.isLocked = true },
    Mistake("lock", "there is no system bus", "lockOnSuspend") { $0.daemon?.suspendLock = "noBus" },
    Mistake("vault", "the vault is locked", "watchword unlock") { $0.daemon?.vaultState = "locked" },
    Mistake("vault", "locked: the keyring is", "unlock that") {
      $0.daemon?.vaultState = "locked"
      $0.daemon?.vaultReason = "the keyring is locked"
    },
    Mistake("vault", "unavailable: no space", "mode 0700") {
      $0.daemon?.vaultState = "unavailable"
      $0.daemon?.vaultReason = "no space"
    },
    Mistake("vault", "cannot be opened: 2", "vault check") { $0.daemon?.unreadableRecords = 2 },
    Mistake("sources", "source builds: unreachable", "watchwordd.log") {
      $0.daemon?.failingSources = [("builds", "unreachable")]
    },
    Mistake("challenges", "wait for an answer: 3", "watchword answer", .note) {
      $0.daemon?.pendingChallenges = 3
    },
    Mistake("clock", "behind the time", "set-ntp") { $0.now = 1_000_000_000 },
    Mistake("roots", "no certificate authorities", "ca-certificates") { $0.rootPlaces = 0 },
    Mistake("roots", "SSL_CERT_FILE names /none", "unset SSL_CERT_FILE") {
      $0.rootVariables = [.init("SSL_CERT_FILE", "/none", exists: false)]
    },
    Mistake("proxies", "http_proxy has a password", "credentials set --proxy") {
      $0.proxyVariables = [.init("http_proxy", "http://me:secret@proxy.test:3128/")]
    },
    Mistake("proxies", "all_proxy has a password", "credentials set --proxy") {
      $0.proxyVariables = [.init("all_proxy", "me:secret@proxy.test")]
    },
    Mistake("proxies", "unknown kind", "socks5h") { $0.proxyVariables = [.init("https_proxy", "ftp://x")] },
    Mistake("proxies", "HTTP_PROXY does not count", "http_proxy", .note) {
      $0.proxyVariables = [.init("HTTP_PROXY", "http://proxy.test")]
    },
    Mistake("proxies", "https_proxy names a proxy", "explain", .note) {
      $0.proxyVariables = [.init("https_proxy", "http://me@proxy.test:3128"), .init("no_proxy", "a:b@c")]
    },
    Mistake("kerberos", "no Kerberos tickets at FILE:/tmp/none", "kinit", .note) {
      $0.hasKerberosConfiguration = true
      $0.ticketCache = .init("KRB5CCNAME", "FILE:/tmp/none", exists: false)
    },
    Mistake("libraries", "libcurl has version 7.74.0-1.3, and the daemon needs 7.88.1", "upgrade") {
      $0.libraries = [.init("libcurl", "7.74.0-1.3")]
    },
    Mistake("libraries", "OpenSSL has version 1:1.1.1w, and the daemon needs 3", "upgrade") {
      $0.libraries = [.init("OpenSSL", "1:1.1.1w")]
    },
    Mistake("modes", "/run/user/1000/watchword is open to others", "chmod 700") {
      $0.folder = HostFacts.File(uid: 1000, mode: 0o777, isSocket: false)
    },
    Mistake("modes", "/state/vault.sqlite is open to others", "chmod 600 /state/vault.sqlite") {
      $0.vaultPath = "/state/vault.sqlite"
      $0.vault = HostFacts.File(uid: 1000, mode: 0o644, isSocket: false)
    },
    Mistake("configuration", "/c.json: a member twice", "watchword reload") {
      $0.configuration = .init(path: "/c.json", fault: "a member twice")
    },
    Mistake("configuration", "/c.json: http is refused", "", .note) {
      $0.configuration = .init(path: "/c.json", rules: ["http is refused"])
    },
  ]

  @Test func nothingIsFoundWhereNothingIsWrong() {
    let findings = Diagnosis.findings(Self.sound)
    #expect(findings.allSatisfy { $0.severity == .good && $0.advice == nil })
    #expect(Set(findings.map(\.topic)) == ["socket", "version", "vault", "clock", "roots", "libraries"])
  }

  @Test(arguments: mistakes.indices)
  private func aMistakeIsFoundAndNothingElse(_ index: Int) throws {
    let mistake = Self.mistakes[index]
    var facts = Self.sound
    mistake.make(&facts)
    let found = Diagnosis.findings(facts).filter { $0.severity != .good && $0.topic == mistake.topic }
    let finding = try #require(found.first)
    #expect(found.count == 1)
    #expect(finding.severity == mistake.severity)
    #expect(finding.text.contains(mistake.text))
    #expect((finding.advice ?? "").contains(mistake.advice))
    // A connection that failed is one itself.
    let others = Diagnosis.findings(facts).filter {
      $0.severity == .problem && $0 != finding && $0.topic != "socket"
    }
    #expect(others.isEmpty)
  }

  @Test func noFindingHasAPassword() {
    var facts = Self.sound
    facts.proxyVariables = ["http_proxy", "HTTPS_PROXY", "all_proxy", "HTTP_PROXY"].map {
      .init($0, "http://me:sentinel@proxy.test/")
    }
    for finding in Diagnosis.findings(facts) {
      #expect(!finding.text.contains("sentinel") && finding.advice?.contains("sentinel") != true)
    }
  }
}
