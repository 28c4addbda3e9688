/// The usual mistakes, found in facts about a host.
package enum Diagnosis {
  /// In the order in which a person would look.
  package static func findings(_ facts: HostFacts) -> [Finding] {
    socket(facts) + files(facts) + daemon(facts) + clock(facts) + roots(facts) + proxies(facts)
      + kerberos(facts) + libraries(facts) + configuration(facts)
  }

  private static func socket(_ facts: HostFacts) -> [Finding] {
    guard let path = facts.socketPath else {
      return [
        Finding(
          .problem, "socket", "neither XDG_RUNTIME_DIR nor HOME says where the daemon listens",
          advice: "set HOME, or name the socket with --socket")
      ]
    }
    switch facts.reach {
    case .answered: return [Finding(.good, "socket", "a daemon answers at \(path)")]
    case .nobodyListens: return [nobody(facts, at: path)]
    case .foreign(let uid):
      return [
        Finding(
          .problem, "socket", "the process at \(path) runs as uid \(uid) and would see every secret",
          advice: "name the socket of your own daemon with --socket")
      ]
    case .failed(let reason):
      return [
        Finding(
          .problem, "socket", "no connection to \(path): \(reason)",
          advice: "the folders above it must let you in")
      ]
    }
  }

  private static func nobody(_ facts: HostFacts, at path: String) -> Finding {
    let name = facts.socketIsNamedBy ?? "the environment"
    if !facts.isDefaultPath {
      return Finding(
        .problem, "socket", "no daemon listens on \(path), which \(name) names",
        advice: "leave \(name) out, or start one there: watchwordd --socket \(path)")
    }
    if !facts.mayStart {
      return Finding(
        .problem, "socket", "no daemon runs, and WATCHWORD_NO_START forbids to start one",
        advice: "unset WATCHWORD_NO_START, or start watchwordd")
    }
    if !facts.hasProgram {
      return Finding(
        .problem, "socket", "no daemon runs, and watchwordd is neither beside this program nor in PATH",
        advice: "install watchwordd beside watchword")
    }
    return Finding(.note, "socket", "no daemon runs; the next fetch starts one at \(path)")
  }

  private static func files(_ facts: HostFacts) -> [Finding] {
    guard let path = facts.socketPath else { return [] }
    var findings: [Finding] = []
    let folder = String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
    if let file = facts.folder {
      if file.uid != facts.ownUID, file.uid != 0 {
        findings.append(
          Finding(
            .problem, "modes", "\(folder) belongs to uid \(file.uid)",
            advice: "remove it, or name a socket in a folder of your own"))
      } else if file.uid == facts.ownUID, file.mode & 0o077 != 0 {
        findings.append(
          Finding(
            .problem, "modes",
            "\(folder) is open to others\(facts.reach == .answered ? "" : ", and no daemon starts in it")",
            advice: facts.isDefaultPath
              ? "chmod 700 \(folder)" : "name a socket in a folder of your own, with mode 0700"))
      }
    }
    if let vault = facts.vaultPath, let file = facts.vault, file.mode & 0o077 != 0 {
      findings.append(
        Finding(.problem, "modes", "\(vault) is open to others", advice: "chmod 600 \(vault)"))
    }
    if let file = facts.socket, !file.isSocket {
      findings.append(
        Finding(.problem, "modes", "\(path) is no socket", advice: "give that file another name"))
    }
    return findings
  }

  private static func daemon(_ facts: HostFacts) -> [Finding] {
    guard let daemon = facts.daemon else { return [] }
    var findings: [Finding] = []
    if daemon.version != facts.ownVersion {
      findings.append(
        Finding(
          .problem, "version", "the daemon has version \(daemon.version), this command \(facts.ownVersion)",
          advice: "watchword shutdown ends it; the next command starts the installed one"))
    } else {
      findings.append(Finding(.good, "version", "the daemon has version \(daemon.version), as this command"))
    }
    if daemon.isLocked {
      findings.append(
        Finding(
          .problem, "lock", "the agent is locked, and no fetch has a credential", advice: "watchword unlock"))
    }
    findings += vault(daemon)
    for source in daemon.failingSources {
      findings.append(
        Finding(
          .problem, "sources", "source \(source.name): \(source.error)",
          advice: "watchwordd.log, or the journal of the unit, has the reason"))
    }
    findings += suspendLock(daemon.suspendLock)
    if daemon.pendingChallenges > 0 {
      findings.append(
        Finding(
          .note, "challenges", "challenges that wait for an answer: \(daemon.pendingChallenges)",
          advice: "watchword answer"))
    }
    return findings
  }

  private static let goodVaults = [
    "none": "there is no vault: nothing permanent has been kept yet", "open": "the vault is open",
    "forgotten": "the vault is closed, and opened when it is needed",
  ]

  private static func vault(_ daemon: HostFacts.Daemon) -> [Finding] {
    let reason = daemon.vaultReason.map { ": \($0)" } ?? ""
    switch daemon.vaultState {
    case "locked":
      return [
        Finding(
          .problem, "vault", "the vault is locked\(reason)",
          advice: daemon.vaultReason == nil
            ? "watchword unlock" : "unlock that, or watchword vault passphrase")
      ]
    case "unavailable":
      return [
        Finding(
          .problem, "vault", "the vault is unavailable\(reason)",
          advice: "the owner of its folder must be the daemon's, with mode 0700 and room on the disk")
      ]
    default:
      guard daemon.unreadableRecords > 0 else {
        return goodVaults[daemon.vaultState].map { [Finding(.good, "vault", $0)] } ?? []
      }
      return [
        Finding(
          .problem, "vault", "records of the vault that cannot be opened: \(daemon.unreadableRecords)",
          advice: "watchword vault check; a backup brings them back: watchword credentials import")
      ]
    }
  }

  private static func suspendLock(_ state: String) -> [Finding] {
    let reasons = [
      "noInhibitor": "logind does not wait for it", "noLogind": "no logind answers",
      "noBus": "there is no system bus", "noLibrary": "libsystemd is missing",
    ]
    return reasons[state].map {
      [
        Finding(
          .problem, "lock", "the agent is to lock when the machine sleeps, and \($0)",
          advice: "agent.lockOnSuspend in the configuration file asks for it")
      ]
    } ?? []
  }

  private static func clock(_ facts: HostFacts) -> [Finding] {
    guard let installed = facts.installed else { return [] }
    guard facts.now < installed else {
      return [Finding(.good, "clock", "the clock is not behind the time at which this program was installed")]
    }
    return [
      Finding(
        .problem, "clock", "the clock is behind the time at which this program was installed",
        advice: "set it (timedatectl set-ntp true): certificates are not valid yet, and tickets are refused")
    ]
  }

  private static func roots(_ facts: HostFacts) -> [Finding] {
    let missing = facts.rootVariables.filter { $0.exists == false }.map { variable in
      Finding(
        .problem, "roots", "\(variable.name) names \(variable.value), which is not there",
        advice: "unset \(variable.name), then watchword shutdown: the daemon has it from its start")
    }
    guard missing.isEmpty, facts.rootVariables.isEmpty else { return missing }
    guard facts.rootPlaces == 0 else {
      return [Finding(.good, "roots", "certificate authorities are installed")]
    }
    return [
      Finding(
        .problem, "roots", "no certificate authorities are installed: every https server is refused",
        advice: "apt install ca-certificates, or --cacert FILE")
    ]
  }

  private static let proxySchemes = ["http", "https", "socks4", "socks4a", "socks5", "socks5h"]

  private static func proxies(_ facts: HostFacts) -> [Finding] {
    facts.proxyVariables.flatMap { variable -> [Finding] in
      let name = variable.name
      guard name != "HTTP_PROXY" else {
        let isShadowed = facts.proxyVariables.contains { $0.name == "http_proxy" }
        return isShadowed
          ? []
          : [
            Finding(
              .note, "proxies", "HTTP_PROXY does not count: a server sets it for CGI programs",
              advice: "http_proxy counts")
          ]
      }
      guard name.lowercased() != "no_proxy" else { return [] }
      let parts = variable.value.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false)
      let hasScheme = parts.count == 3 && parts[0].last == ":" && parts[1].isEmpty
      let authority = hasScheme ? parts[2] : variable.value[...]
      if hasScheme, !proxySchemes.contains(parts[0].dropLast().lowercased()) {
        return [
          Finding(
            .problem, "proxies", "\(name) names a proxy of an unknown kind",
            advice: "it is one of \(proxySchemes.joined(separator: ", "))")
        ]
      }
      let user = authority.lastIndex(of: "@").map { authority[..<$0] }
      if user?.contains(":") == true {
        return [
          Finding(
            .problem, "proxies", "\(name) has a password, which every process of yours can read",
            advice: "take it out, and keep it with watchword credentials set --proxy -u USER URL")
        ]
      }
      return [
        Finding(
          .note, "proxies", "\(name) names a proxy",
          advice:
            "watchword fetch and watchword.requests use it, and so does a daemon that was started with it: watchword explain URL says which"
        )
      ]
    }
  }

  private static func kerberos(_ facts: HostFacts) -> [Finding] {
    guard facts.hasKerberosConfiguration else { return [] }
    guard let cache = facts.ticketCache, cache.exists == false else { return [] }
    return [
      Finding(
        .note, "kerberos", "there are no Kerberos tickets at \(cache.value)",
        advice: "kinit gets them; --negotiate -u : sends them")
    ]
  }

  /// The oldest versions that the daemon starts with.
  private static let oldestVersions = ["libcurl": [7, 88, 1], "OpenSSL": [3]]

  private static func libraries(_ facts: HostFacts) -> [Finding] {
    facts.libraries.map { library in
      let oldest = oldestVersions[library.name] ?? []
      let text = "\(library.name) has version \(library.version)"
      guard numbers(of: library.version).lexicographicallyPrecedes(oldest) else {
        return Finding(.good, "libraries", text)
      }
      let needed = oldest.map(String.init).joined(separator: ".")
      return Finding(
        .problem, "libraries", "\(text), and the daemon needs \(needed)",
        advice: "upgrade the system's packages")
    }
  }

  /// Of a version as Debian writes it, `1:7.88.1-10+deb12u14`.
  private static func numbers(of version: String) -> [Int] {
    let upstream = version.split(separator: ":").last?.prefix { $0.isNumber || $0 == "." } ?? ""
    return upstream.split(separator: ".").map { Int($0) ?? 0 }
  }

  private static func configuration(_ facts: HostFacts) -> [Finding] {
    guard let configuration = facts.configuration else { return [] }
    let path = configuration.path
    if let fault = configuration.fault {
      return [
        Finding(
          .problem, "configuration", "\(path): \(fault)",
          advice:
            "watchword config check names every fault. No daemon starts with them; one that runs goes on with what it read before, until watchword reload"
        )
      ]
    }
    return configuration.rules.map { Finding(.note, "configuration", "\(path): \($0)") }
  }
}

/// What `watchword doctor` says about one topic.
package struct Finding: Sendable, Equatable {
  package enum Severity: String, Sendable {
    case good
    /// Nothing is wrong, but it explains what a person may wonder about.
    case note
    case problem
  }

  package let severity: Severity
  /// One word, such as `socket`.
  package let topic: String
  /// Lower case, without a full stop. Values of the host are in it as they are: a terminal gets it escaped.
  package let text: String
  /// What to do; nil when there is nothing to do.
  package let advice: String?

  package init(_ severity: Severity, _ topic: String, _ text: String, advice: String? = nil) {
    self.severity = severity
    self.topic = topic
    self.text = text
    self.advice = advice
  }
}
