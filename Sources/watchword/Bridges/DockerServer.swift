internal import WatchwordClient
internal import WatchwordMessages
internal import WatchwordPrimitives

/// A registry as docker names it, and where its credential is kept: an origin and a path.
///
/// docker names a registry by its host, Docker Hub by `https://index.docker.io/v1/`, and podman a part of one by
/// `host/namespace`. The path tells docker's credentials from those of others, and limits them to the registry's API.
struct DockerServer {
  /// The origin, as a URL.
  let url: String
  let path: String

  /// Nil for what is no registry: another scheme, userinfo, a query, a control character.
  init?(_ name: String) {
    var rest = Substring(name)
    var scheme = "https"
    var isURL = false
    for prefix in ["https", "http"] where name.hasPrefix(prefix + "://") {
      (scheme, isURL) = (prefix, true)
      rest = name.dropFirst(prefix.count + 3)
      break
    }
    let host = rest.prefix { $0 != "/" }
    let path = rest.dropFirst(host.count).split(separator: "/").joined(separator: "/")
    guard isURL || !name.containsBytes(of: "://"), GitAttributes.isHost(host),
      !path.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7F || "?#%\\".utf8.contains($0) })
    else { return nil }
    url = "\(scheme)://\(host)/"
    let isVersioned = isURL && ["v1", "v2"].contains(path.prefix { $0 != "/" })
    self.path = path.isEmpty ? "/v2" : isVersioned ? "/\(path)" : "/v2/\(path)"
  }

  /// The name of the registry that a listed credential is for; nil for a credential that docker did not store.
  static func name(of credential: Sent.StoredCredential) -> String? {
    guard let path = ReadableStore.path(of: credential) else { return nil }
    let origin = SpaceText.origin(of: credential.protectionSpace)
    guard !path.hasPrefix("/v1") else { return path == "/v1" ? "\(origin)/v1/" : nil }
    guard path == "/v2" || path.hasPrefix("/v2/") else { return nil }
    let name = origin.hasPrefix("https://") ? String(origin.dropFirst(8)) : origin
    return name + path.dropFirst(3)
  }
}
