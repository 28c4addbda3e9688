internal import WatchwordVocabulary

/// Writes Digest's request field (RFC 7616 §3.4): which parameters are quoted, and how.
///
/// Servers compare realm, nonce and opaque with the values that they sent, so these return with the same
/// octets; a quotation mark and a backslash get back the backslash that escaped them.
enum DigestFields {
  /// Everything before the target; the same for every exchange with one nonce.
  static func prefix(challenge: DigestChallenge, user: String) -> [UInt8] {
    var line: [UInt8] = []
    line += "Digest ".utf8
    append(user: user, challenge: challenge, to: &line)
    append(", realm", challenge.realm.octets, to: &line)
    append(", nonce", challenge.nonce.octets, to: &line)
    if let token = challenge.algorithmToken { line += ", algorithm=\(token)".utf8 }
    if let opaque = challenge.opaque { append(", opaque", opaque.octets, to: &line) }
    line += ", uri=\"".utf8
    return line
  }

  /// The whole field value.
  static func value(prefix: [UInt8], ticket: DigestTicket, response: HashValue) -> Secret {
    let quality: StaticString? =
      switch ticket.quality {
      case .auth: ", qop=auth, nc="
      case .authInt: ", qop=auth-int, nc="
      case nil: nil
      }
    let client: StaticString = ", cnonce=\""
    let answer: StaticString = ", response=\""
    var count = prefix.count + QuotedString.count(of: ticket.target) + 1
    if let quality {
      count += quality.utf8CodeUnitCount + 8 + client.utf8CodeUnitCount
      count += QuotedString.count(of: ticket.clientNonce) + 1
    }
    count += answer.utf8CodeUnitCount + 2 * response.count + 1
    return Secret(count: count) { target in
      var writer = AuthorizationWriter(target)
      writer.append(prefix)
      writer.append(quoting: ticket.target)
      writer.append(UInt8(ascii: "\""))
      if let quality {
        writer.append(quality)
        ticket.withNonceCountDigits { writer.append($0) }
        writer.append(client)
        writer.append(quoting: ticket.clientNonce)
        writer.append(UInt8(ascii: "\""))
      }
      writer.append(answer)
      writer.append(hexadecimal: response)
      writer.append(UInt8(ascii: "\""))
    }
  }

  /// The user's name: hashed if the server requests it (RFC 7616 §3.4.4); non-ASCII as an extended value (RFC
  /// 8187) if the challenge shows support for RFC 7616, else plain UTF-8, since older servers, Apache among
  /// them, read only `username`, as UTF-8.
  private static func append(user: String, challenge: DigestChallenge, to line: inout [UInt8]) {
    if challenge.userhash, var hash = Hash(challenge.algorithm.hash) {
      hash.update(user)
      hash.update(":")
      hash.update(challenge.realm.octets)
      append("username", hash.finish().hexadecimal.utf8, to: &line)
      line += ", userhash=true".utf8
    } else if challenge.speaksRFC7616, !user.utf8.allSatisfy(UTF8.isASCII) {
      line += "username*=UTF-8''".utf8
      for byte in user.utf8 { appendExtended(byte, to: &line) }
    } else {
      append("username", user.utf8, to: &line)
    }
  }

  /// Writes `attr-char` of RFC 8187 §3.2.1 as it is, everything else percent-encoded.
  private static func appendExtended(_ byte: UInt8, to line: inout [UInt8]) {
    let isMarked = byte == UInt8(ascii: "*") || byte == UInt8(ascii: "'") || byte == UInt8(ascii: "%")
    if FieldSyntax.isTokenCharacter(byte), !isMarked {
      line.append(byte)
    } else {
      line.append(UInt8(ascii: "%"))
      line += Hexadecimal.upperPair(byte)
    }
  }

  /// A parameter whose value is a quoted string (RFC 9110 §5.6.4).
  private static func append(_ name: String, _ value: some Sequence<UInt8>, to line: inout [UInt8]) {
    line += name.utf8
    line += "=\"".utf8
    QuotedString.write(value) { line.append($0) }
    line.append(UInt8(ascii: "\""))
  }
}

extension DigestChallenge {
  /// Whether the challenge uses a feature that RFC 7616 introduced.
  fileprivate var speaksRFC7616: Bool { isUTF8 || userhash || algorithm.hash != .md5 }
}
