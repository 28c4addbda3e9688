package import WatchwordCore
package import WatchwordJSON
internal import WatchwordVocabulary

extension SessionConfiguration {
  /// The whole configuration for display: without the values of header fields that carry a secret, and
  /// without the userinfo of proxies.
  package var shownValue: JSONValue {
    var shown = self
    shown.headers = SensitiveFields.hidden(in: headers)
    return shown.value(of: proxies.value { .string(ProxyList.textWithoutUserinfo(of: $0)) })
  }

  /// The whole configuration as a value, defaults filled in, secrets included.
  package var value: JSONValue { value(of: proxies.value { .secret($0) }) }

  /// Writes all of it, as `session/open` reads it: for the next daemon only.
  package func write(revealingSecretsTo writer: inout JSONWriter) {
    writer.value(value, revealsSecrets: true)
  }

  private func value(of proxies: JSONValue) -> JSONValue {
    .object([
      "credentialStorage": .string(credentialStorage.rawValue),
      "methods": methods.value,
      "challenges": .object([
        "deadlineSeconds": .real(challenges.deadlineSeconds),
        "unanswered": .string(challenges.unanswered.rawValue),
        "refusalBudget": .integer(Int64(challenges.refusalBudget)),
      ]),
      "tls": .object([
        "roots": tls.roots.map {
          .object(["certificates": .string($0), "exclusive": .bool(tls.rootsAreExclusive)])
        } ?? .null,
        "minimumVersion": .string(tls.minimumVersion.rawValue),
        "maximumVersion": .string(tls.maximumVersion.rawValue), "pins": tls.pins.value,
        "revocation": .string(tls.revocation.rawValue),
        "revocationLists": tls.revocationLists.map { .string($0) } ?? .null,
      ]),
      "proxies": proxies,
      "redirects": .object([
        "policy": .string(redirects.mode.rawValue), "limit": .integer(Int64(redirects.limit)),
        "allowDowngrade": .bool(redirects.allowsDowngrade),
      ]),
      "timeouts": .object([
        "connectSeconds": .real(timeouts.connectSeconds), "requestSeconds": .real(timeouts.requestSeconds),
        "resourceSeconds": .real(timeouts.resourceSeconds),
      ]),
      "headers": .array(
        headers.map { .array([.string($0.name), $0.shownValue]) }),
      "cookies": .string(cookies.rawValue), "cache": .string("none"),
      "idleSeconds": .real(idleSeconds), "connectionsPerHost": .integer(Int64(connectionsPerHost)),
      "httpVersions": .array(httpVersions.map { .string($0.rawValue) }),
      "limits": .object([
        "inlineBodyBytes": .integer(limits.inlineBodyBytes),
        "memoryBodyBytes": .integer(limits.memoryBodyBytes),
        "decodedBodyBytes": limits.decodedBodyBytes.map { .integer($0) } ?? .null,
      ]),
      "addresses": .object([
        "resolve": .object(
          JSONObject(
            addresses.resolve.map { JSONObject.Member(name: $0.hostAndPort, value: .string($0.address)) })),
        "allowOrigins": addresses.allowOrigins.map { .array($0.map { .string($0) }) } ?? .null,
        "refusePrivate": .bool(addresses.refusePrivate),
      ]),
      "netrc": netrc.map {
        .object($0.text.isUTF8 ? ["text": .secret($0.text)] : ["base64": .secret($0.text.base64)])
      } ?? .null,
      "forms": .array(forms.map(\.value)),
    ])
  }

  /// The paths of the members in which the two differ, such as `timeouts.requestSeconds`.
  package func differingMembers(from other: SessionConfiguration) -> [String] {
    SessionConfiguration.differences(value, other.value, path: "")
  }

  private static func differences(_ left: JSONValue, _ right: JSONValue, path: String) -> [String] {
    guard case .object(let left) = left, case .object(let right) = right,
      left.members.map(\.name) == right.members.map(\.name)
    else { return left == right ? [] : [path] }
    return zip(left.members, right.members).flatMap { left, right in
      differences(left.value, right.value, path: path.isEmpty ? left.name : "\(path).\(left.name)")
    }
  }
}

extension MethodPolicy {
  fileprivate var value: JSONValue {
    let orderValue: JSONValue =
      switch order {
      case .server: .string("serverOrder")
      case .list(let methods): .array(methods.map { .string($0.rawValue) })
      }
    return .object([
      "order": orderValue,
      "disabled": .array(disabled.map(\.rawValue).sorted().map { .string($0) }),
      "basicOverCleartext": .bool(basicOverCleartext), "strongestOnly": .bool(strongestOnly),
      "digest": .object(["preemptive": .string(digest.preemptive.rawValue)]),
      "negotiate": .object([
        "ambientOrigins": .array(negotiate.ambientOrigins.map { .string($0) }),
        "delegate": .bool(negotiate.delegates), "allowNTLM": .bool(negotiate.allowsNTLM),
      ]),
    ])
  }
}

extension SessionConfiguration.Proxies {
  fileprivate func value(_ url: (Secret) -> JSONValue) -> JSONValue {
    switch self {
    case .environment: .string("environment")
    case .none: .string("none")
    case .listed(let list):
      .object([
        "http": list.http.map(url) ?? .null, "https": list.https.map(url) ?? .null,
        "all": list.all.map(url) ?? .null, "except": .array(list.except.map { .string($0) }),
      ])
    }
  }
}

extension HeaderField {
  fileprivate var shownValue: JSONValue {
    if let secret, secret.isUTF8 { return .secret(secret) }
    if let secret { return .object(["base64": .secret(secret.base64)]) }
    return givenOctets.map { .object(["base64": .string(Base64.encode($0))]) } ?? .string(value)
  }
}
