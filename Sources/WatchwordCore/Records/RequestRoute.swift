internal import WatchwordPrimitives
package import WatchwordVocabulary

/// How a request gets to its server, as far as a caller can choose it for each request (storage.md 9.2.7).
package struct RequestRoute: Sendable, Equatable {
  /// Nil: none, or the proxy itself gets the request.
  package var proxy: Proxy?
  /// Nil: the origin's own.
  package var host: NamedHost?

  package init(proxy: Proxy? = nil, host: NamedHost? = nil) {
    self.proxy = proxy
    self.host = host
  }
}

/// The server that a `Host` field names in place of its origin's (RFC 9110 §7.2): behind one address, and often behind one
/// certificate, there are servers of several owners.
package struct NamedHost: Sendable, Hashable {
  /// In lower case, with `\x` and two digits for each octet that is not of ASCII: equal texts are equal octets.
  package let text: String

  /// Nil when the field names the origin's host, with its port or without one.
  ///
  /// - Parameter field: its value; nil: no caller has chosen one.
  package init?(_ field: String?, at origin: Origin) {
    guard let field, !field.matchesASCIICase(of: origin.bracketedHost),
      !field.matchesASCIICase(of: "\(origin.bracketedHost):\(origin.port)")
    else { return nil }
    text = field.utf8.reduce(into: "") { text, octet in
      if octet < 0x80 {
        text.unicodeScalars.append(Unicode.Scalar(ASCIICase.lower(octet)))
      } else {
        text += "\\x" + String(octet, radix: 16)
      }
    }
  }
}
