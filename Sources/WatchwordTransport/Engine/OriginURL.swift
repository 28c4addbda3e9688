internal import CTransport
internal import WatchwordCore
internal import WatchwordVocabulary

/// The URL of an origin as libcurl has taken it apart, from which those of its exchanges are made: to take each URL
/// apart costs more than a tenth of what libcurl does for an exchange.
final class OriginURL {
  private let handle: OpaquePointer

  init?(_ origin: Origin) {
    guard let handle = curl_url() else { return nil }
    guard
      curl_url_set(handle, CURLUPART_URL, RequestURL(origin: origin, path: "/", query: nil).text, 0)
        == CURLUE_OK
    else {
      curl_url_cleanup(handle)
      return nil
    }
    self.handle = handle
  }

  deinit { curl_url_cleanup(handle) }

  /// For `CURLOPT_CURLU`; the caller frees it. Nil when libcurl has to take the URL apart: it spells escapes in another
  /// way when it is given a part.
  func url(_ url: RequestURL) -> OpaquePointer? {
    let escape = UInt8(ascii: "%")
    guard !url.path.utf8.contains(escape), !(url.query?.utf8.contains(escape) ?? false) else { return nil }
    return transport_url_with_target(handle, url.path, url.query)
  }
}
