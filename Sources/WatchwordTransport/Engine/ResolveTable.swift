internal import CTransport
internal import WatchwordCore
internal import WatchwordVocabulary

/// The addresses that a session's configuration assigns to names: lines for `CURLOPT_RESOLVE`, one list per host and
/// port, so that an exchange costs the same regardless of their number.
final class ResolveTable {
  private var lists: [String: UnsafeMutablePointer<curl_slist>] = [:]

  init(_ entries: [(hostAndPort: String, address: String)]) throws(EngineFault) {
    for entry in entries {
      let isAddress = URLHost.isAddress(entry.address)
      guard isAddress, let colon = entry.hostAndPort.lastIndex(of: ":"),
        let port = UInt16(entry.hostAndPort[entry.hostAndPort.index(after: colon)...]), port != 0,
        let host = try? URLHost.normalize(String(entry.hostAndPort[..<colon])),
        // libcurl has no entries for IPv6 addresses, and uses the last of two contradictory ones.
        !host.contains(":"), lists["\(host):\(port)"] == nil
      else { throw .resolveEntry(entry.hostAndPort) }
      let address = entry.address.contains(":") ? "[\(entry.address)]" : entry.address
      guard let list = curl_slist_append(nil, "\(host):\(port):\(address)") else { throw .outOfMemory }
      lists["\(host):\(port)"] = list
    }
  }

  deinit {
    for list in lists.values { curl_slist_free_all(list) }
  }

  /// The lines of both, for the caller to free; nil: the resolver is asked.
  func copy(for origins: [Origin]) -> UnsafeMutablePointer<curl_slist>? {
    var result: UnsafeMutablePointer<curl_slist>?
    for origin in origins {
      guard let line = line(for: origin), let longer = curl_slist_append(result, line.pointee.data) else {
        continue
      }
      result = longer
    }
    return result
  }

  /// Nil: the resolver is asked.
  func line(for origin: Origin) -> UnsafeMutablePointer<curl_slist>? {
    lists.isEmpty ? nil : lists["\(origin.host):\(origin.port)"]
  }
}
