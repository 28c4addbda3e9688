internal import WatchwordClient
internal import WatchwordJSON

/// The session a fetch runs in, and the settings that only a session can have.
struct FetchSession {
  var name: String?
  var isPrivate = false
  var followsRedirects = false
  var redirectLimit: Int?
  var httpVersions: [String]?
  /// A PEM file of roots that replace the system's.
  var authorities: String?
  private var addresses: [(key: String, address: String)] = []

  /// `HOST:PORT:ADDRESS`, the address in brackets or not.
  mutating func resolve(_ text: String) throws(Failure) {
    let parts = text.split(separator: ":", maxSplits: 2)
    guard parts.count == 3, UInt16(parts[1]) != nil else { throw .usage("--resolve takes HOST:PORT:ADDRESS") }
    let address = parts[2].hasPrefix("[") ? parts[2].dropFirst().dropLast() : parts[2]
    let key = "\(parts[0]):\(parts[1])"
    addresses.removeAll { $0.key == key }
    addresses.append((key, String(address)))
  }

  func check() throws(Failure) {
    if isPrivate, name != nil { throw .usage("--private and --session exclude each other") }
  }

  /// A setting that belongs to a session without saying which: it gets one of its own.
  var needsOwnSession: Bool {
    name == nil
      && (isPrivate || redirectLimit != nil || httpVersions != nil || authorities != nil
        || !addresses.isEmpty)
  }

  /// The name of the session, nil for a private one.
  var sharedName: String? { needsOwnSession ? nil : name ?? "default" }

  /// Whether `session/open` has anything to say about settings.
  var isConfigured: Bool {
    needsOwnSession || redirectLimit != nil || httpVersions != nil || authorities != nil || !addresses.isEmpty
  }

  /// The PEM text, read before anything is sent.
  func readAuthorities() throws(Failure) -> String? {
    guard let authorities else { return nil }
    return String(decoding: try InputFile.contents(of: authorities), as: UTF8.self)
  }

  /// Writes the member `configuration` of `session/open`.
  func write(to writer: inout JSONWriter, authorities: String?) {
    writer.key("configuration")
    writer.beginObject()
    if let redirectLimit {
      writer.key("redirects")
      writer.beginObject()
      writer.key("limit")
      writer.integer(redirectLimit)
      writer.endObject()
    }
    if let httpVersions {
      writer.key("httpVersions")
      writer.beginArray()
      for version in httpVersions { writer.string(version) }
      writer.endArray()
    }
    if let authorities {
      writer.key("tls")
      writer.beginObject()
      writer.key("roots")
      writer.beginObject()
      writer.key("certificates")
      writer.string(authorities)
      writer.key("exclusive")
      writer.bool(true)
      writer.endObject()
      writer.endObject()
    }
    if !addresses.isEmpty {
      writer.key("addresses")
      writer.beginObject()
      writer.key("resolve")
      writer.beginObject()
      for (key, address) in addresses {
        writer.key(key)
        writer.string(address)
      }
      writer.endObject()
      writer.endObject()
    }
    writer.endObject()
  }
}
