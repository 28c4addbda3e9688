internal import CTransport
internal import WatchwordCore
internal import WatchwordVocabulary

/// The URL of an origin as libcurl has taken it apart, from which those of its exchanges are made: to take each URL
/// apart costs more than a tenth of what libcurl does for an exchange.
final class OriginURL {
  /// A URL for `CURLOPT_CURLU`, which libcurl only reads: several exchanges may have it.
  final class Parsed {
    let handle: OpaquePointer

    init(_ handle: OpaquePointer) { self.handle = handle }

    deinit { curl_url_cleanup(handle) }
  }

  private let base: Parsed

  init?(_ origin: Origin) {
    guard let handle = curl_url() else { return nil }
    base = Parsed(handle)
    let text = RequestURL(origin: origin, path: "/", query: nil).text
    guard curl_url_set(handle, CURLUPART_URL, text, 0) == CURLUE_OK else { return nil }
  }

  /// Nil when libcurl has to take the URL apart: it spells escapes in another way when it is given a part.
  func url(_ url: RequestURL) -> Parsed? {
    let escape = UInt8(ascii: "%")
    guard !url.path.utf8.contains(escape), !(url.query?.utf8.contains(escape) ?? false),
      let handle = transport_url_with_target(base.handle, url.path, url.query)
    else { return nil }
    return Parsed(handle)
  }
}
