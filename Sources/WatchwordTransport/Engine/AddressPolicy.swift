internal import CTransport
internal import Glibc
internal import WatchwordCore
internal import WatchwordVocabulary

/// Decides which addresses a session may connect to that refuses private ones.
///
/// Checks the address right before connecting, after name resolution, so that a name that resolves to another
/// address the second time (DNS rebinding) is refused too.
package enum AddressPolicy {
  /// Whether a host of an origin is an address, and a public one. What a name leads to, only its resolver
  /// knows.
  package static func isPublicAddress(_ host: String) -> Bool {
    var four = in_addr()
    if inet_pton(AF_INET, host, &four) == 1 { return isPublicIPv4(withUnsafeBytes(of: &four) { Array($0) }) }
    var six = in6_addr()
    return inet_pton(AF_INET6, host, &six) == 1 && isPublicIPv6(withUnsafeBytes(of: &six) { Array($0) })
  }

  static func isPublic(_ address: curl_sockaddr) -> Bool {
    var address = address
    return withUnsafeBytes(of: &address.addr) { bytes in
      switch address.family {
      case AF_INET: isPublicIPv4(bytes.dropFirst(4).prefix(4).map { $0 })
      case AF_INET6: isPublicIPv6(Array(bytes.dropFirst(8).prefix(16)))
      default: false
      }
    }
  }

  /// Without the special-purpose blocks of RFC 6890 and multicast.
  static func isPublicIPv4(_ bytes: [UInt8]) -> Bool {
    guard bytes.count == 4 else { return false }
    switch (bytes[0], bytes[1]) {
    case (0, _), (10, _), (127, _), (169, 254), (192, 168): return false
    case (100, 64...127), (172, 16...31), (198, 18...19): return false
    case (192, 0): return bytes[2] != 0 && bytes[2] != 2
    case (198, 51): return bytes[2] != 100
    case (203, 0): return bytes[2] != 113
    case (224..., _): return false
    default: return true
    }
  }

  /// Global unicast (2000::/3), without addresses that lead to a refused IPv4 address.
  static func isPublicIPv6(_ bytes: [UInt8]) -> Bool {
    guard bytes.count == 16 else { return false }
    // ::ffff:0:0/96, IPv4-mapped, and 64:ff9b::/96, translated on the way.
    let isMapped = bytes.prefix(10).allSatisfy { $0 == 0 } && bytes[10] == 0xFF && bytes[11] == 0xFF
    let isTranslated =
      Array(bytes.prefix(4)) == [0, 0x64, 0xFF, 0x9B] && bytes[4..<12].allSatisfy { $0 == 0 }
    if isMapped || isTranslated { return isPublicIPv4(Array(bytes.suffix(4))) }
    guard bytes[0] & 0xE0 == 0x20 else { return false }
    // 6to4 starts with the IPv4 address; Teredo and documentation addresses are refused.
    if bytes[0] == 0x20, bytes[1] == 0x02 { return isPublicIPv4(Array(bytes[2..<6])) }
    if Array(bytes.prefix(4)) == [0x20, 0x01, 0, 0] || Array(bytes.prefix(4)) == [0x20, 0x01, 0x0D, 0xB8] {
      return false
    }
    return true
  }
}

/// The addresses that a session's configuration assigns to names: lines for `CURLOPT_RESOLVE`, one list per
/// host and port, so that an exchange costs the same regardless of their number.
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
