import CTransport
import Glibc
import WatchwordJSON

/// Files in `Tests/Vectors`.
enum VectorFile {
  /// The `cases` of a file of cases.
  static func cases(_ name: String) -> [JSONObject] { members(contents(path(name)), "cases") }

  /// An array of objects in a file of gzip.
  static func compressedMembers(_ name: String, _ member: String) -> [JSONObject] {
    members(decompressed(contents(path(name))), member)
  }

  private static func path(_ name: String) -> String {
    let tests = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    return "/\(tests)/Vectors/\(name)"
  }

  private static func members(_ bytes: [UInt8], _ member: String) -> [JSONObject] {
    let file = bytes.withUnsafeBytes { try? JSONParser().parse($0) }
    return (file?[member]?.array ?? []).compactMap(\.object).map(JSONObject.init)
  }

  private static func decompressed(_ bytes: [UInt8]) -> [UInt8] {
    guard
      let decoder = transport_decoder_create(
        TRANSPORT_GZIP, transport_decoder_memory(context: nil) { _, _ in true })
    else { return [] }
    defer { transport_decoder_free(decoder) }
    var bytes = bytes
    var decoded: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    bytes.withUnsafeMutableBufferPointer { bytes in
      var input = transport_span(bytes: bytes.baseAddress, count: bytes.count)
      chunk.withUnsafeMutableBufferPointer { chunk in
        var count = 0
        repeat {
          var output = transport_span(bytes: chunk.baseAddress, count: chunk.count)
          guard transport_decoder_step(decoder, &input, &output) else { return }
          count = chunk.count - output.count
          decoded += chunk[..<count]
        } while count > 0
      }
    }
    return decoded
  }

  static func contents(_ path: String) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return [] }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = read(descriptor, &chunk, chunk.count)
      guard count > 0 else { return bytes }
      bytes += chunk[..<count]
    }
  }

  static func base64(_ text: String) -> [UInt8] {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    var result: [UInt8] = []
    var bits = 0
    var value = 0
    for character in text.utf8 {
      guard let digit = alphabet.firstIndex(of: character) else { continue }
      value = value << 6 | digit
      bits += 6
      guard bits >= 8 else { continue }
      bits -= 8
      result.append(UInt8(truncatingIfNeeded: value >> bits))
      value &= (1 << bits) - 1
    }
    return result
  }
}
