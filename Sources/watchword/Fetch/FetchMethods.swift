internal import WatchwordJSON

/// The authentication methods that curl's `--negotiate` and `--ntlm` limit a fetch to.
struct FetchMethods {
  var usesNegotiate = false
  var usesNTLM = false
  /// curl's `-u :`: the tickets of the daemon's account are sent to the URLs' origins.
  var usesTickets = false
  /// The origins of the URLs.
  private var origins: [String] = []

  var isSet: Bool { usesNegotiate || usesNTLM }

  /// The methods that this command is asked about.
  var names: [String] { (usesNegotiate ? ["negotiate"] : []) + (usesNTLM ? ["ntlm"] : []) }

  /// - Parameter url: with a scheme and without a user.
  mutating func complete(for url: String) throws(Failure) {
    guard !usesTickets || usesNegotiate else {
      throw .usage("-u : needs --negotiate", hint: "without --negotiate, -u takes a user")
    }
    let origin = URLText.origin(of: url)
    if !origins.contains(origin) { origins.append(origin) }
  }

  /// Writes the member `methods` of a session's configuration.
  func write(to writer: inout JSONWriter) {
    writer.key("methods")
    writer.beginObject()
    writer.key("disabled")
    writer.beginArray()
    if !usesNegotiate { writer.string("negotiate" as StaticString) }
    for method in ["bearer", "digest", "basic"] as [StaticString] { writer.string(method) }
    if !usesNTLM { writer.string("ntlm" as StaticString) }
    writer.endArray()
    if usesTickets {
      writer.key("negotiate")
      writer.beginObject()
      writer.key("ambientOrigins")
      writer.beginArray()
      for origin in origins { writer.string(origin) }
      writer.endArray()
      writer.endObject()
    }
    writer.endObject()
  }
}
