import Glibc
import WatchwordJSON

/// Files in `Tests/Vectors`.
enum VectorFile {
  /// The `cases` of a file of cases.
  static func cases(_ name: String) -> [JSONObject] {
    let tests = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    let bytes = contents("/\(tests)/Vectors/\(name)")
    let value = try? bytes.withUnsafeBytes { bytes throws(JSONError) in try JSONParser().parse(bytes) }
    guard case .object(let file) = value, case .array(let cases) = file["cases"] else { return [] }
    return cases.compactMap { if case .object(let example) = $0 { example } else { nil } }
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
