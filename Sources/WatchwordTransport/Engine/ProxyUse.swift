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
  /// What libcurl says of a failure; it writes into this memory.
  private let reason = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))
  /// TLS handshakes on the connection that is being made; with an HTTPS proxy the first one is the proxy's.
  var handshakes = 0
  /// Whether the delegate was asked for the late credential.
  var isAuthorized = false
  /// Whether the delegate knows that there is a tunnel.
  var isTunnelNoted = false

  init(_ hop: ProxyHop, addresses: UnsafeMutablePointer<curl_slist>?) {
    self.hop = hop
    self.addresses = addresses
    reason.initialize(to: 0)
  }

  /// Lets libcurl say why there is no tunnel: its code for a line that it finds too long is that for a lost
  /// connection.
  func explain(on easy: UnsafeMutableRawPointer) -> CURLcode {
    transport_easy_set_pointer(easy, CURLOPT_ERRORBUFFER, reason)
  }

  /// Whether a line of the answer to CONNECT was too long for libcurl (16 KiB).
  var isLineTooLong: Bool { String(cString: reason).hasPrefix("CONNECT response too large") }

  func free() {
    fields.free()
    if let addresses { curl_slist_free_all(addresses) }
    reason.deallocate()
  }
}
