internal import WatchwordDiagnosis
internal import WatchwordJSON
internal import WatchwordOptions
internal import WatchwordVocabulary

/// `watchword doctor`: finds the usual mistakes and says what to do.
struct DoctorCommand: Command {
  static let name = "doctor"
  static let summary = "find the usual mistakes, and say what to do"
  static let synopsis = "[options]"
  static let about = """
    Looks at the socket and its folder, the daemon and its version, locks and the vault, the clock, the
    certificate authorities, the proxies and Kerberos tickets of this environment, the versions of libcurl
    and OpenSSL, and at what the daemon's configuration file turns off. Nothing is changed, no daemon is started, and no network is used.

    The exit code is 1 when there is a problem. --json prints all findings, without secrets.
    """
  static let example = "watchword doctor"

  static var options: [Option<DoctorCommand>] {
    [Option(nil, "json", "all findings as JSON on one line") { $0.isJSON = true }]
  }

  var daemon = DaemonTarget(mayStart: false, isStarter: false)
  private var isJSON = false

  mutating func run() throws(Failure) -> ExitCode {
    let findings = Diagnosis.findings(HostLook.facts(daemon))
    StandardOutput.write(isJSON ? Self.json(findings) + "\n" : Self.text(findings))
    return findings.contains { $0.severity == .problem } ? .failure : .success
  }

  private static func text(_ findings: [Finding]) -> String {
    let text = findings.map { finding in
      let mark: String =
        switch finding.severity {
        case .good: "ok"
        case .note: "note"
        case .problem: "PROBLEM"
        }
      let advice = finding.advice.map { "         \(DisplayText.escaped($0, longest: 500))\n" } ?? ""
      let padding = String(repeating: " ", count: 9 - mark.utf8.count)
      return
        "\(mark)\(padding)\(finding.topic): \(DisplayText.escaped(finding.text, longest: 500))\n\(advice)"
    }.joined()
    let problems = findings.count { $0.severity == .problem }
    return text + (problems == 0 ? "no problem found\n" : "\(Quantity.count(problems, "problem")) found\n")
  }

  private static func json(_ findings: [Finding]) -> String {
    JSONText.of(
      .object([
        "findings": .array(
          findings.map { finding in
            .object([
              "severity": .string(finding.severity.rawValue), "topic": .string(finding.topic),
              "text": .string(finding.text), "advice": finding.advice.map { .string($0) } ?? .null,
            ])
          })
      ]))
  }
}
