internal import CTransport
internal import WatchwordCore
internal import WatchwordReactor

/// What one exchange needs for its proxy; its memory is libcurl's until the easy handle is freed.
@ReactorActor
final class ProxyUse {
  let hop: ProxyHop
  let fields = RequestFields(credentialField: "Proxy-Authorization: ")
  /// For `CURLOPT_RESOLVE` or, with an open tunnel, `CURLOPT_CONNECT_TO`.
  let addresses: UnsafeMutablePointer<curl_slist>?
  /// TLS handshakes on the connection that is being made; with an HTTPS proxy the first one is the proxy's.
  var handshakes = 0
  /// Whether the delegate was asked for the late credential.
  var isAuthorized = false
  /// Whether the delegate knows that there is a tunnel.
  var isTunnelNoted = false

  init(_ hop: ProxyHop, addresses: UnsafeMutablePointer<curl_slist>?) {
    self.hop = hop
    self.addresses = addresses
  }

  func free() {
    fields.free()
    if let addresses { curl_slist_free_all(addresses) }
  }
}
