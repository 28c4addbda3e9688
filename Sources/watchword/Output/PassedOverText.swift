internal import WatchwordMessages

/// Why a credential does not count for a request, for a person.
enum PassedOverText {
  static func reason(of credential: Sent.ExplainedCredential) -> String {
    switch credential.reason {
    case "limits": "its limits do not allow this URL or method"
    // An older daemon names no other reason.
    case nil, "callersWay":
      "not given over these roots, addresses, proxies or accepted certificates, or to this Host"
    case "refused": "it was refused here; watchword credentials retry sends it once more"
    default: "it does not count here"
    }
  }
}
