import Glibc
import Testing
import WatchwordJSON
import WatchwordTestSupport

/// A path under a rule, and whether the rule allows it (`Tests/Vectors/restricted_paths.json`).
struct RestrictedPath: Sendable, CustomTestStringConvertible {
  let pattern: String
  let path: String
  let isAllowed: Bool
  let testDescription: String

  static let all: [RestrictedPath] = {
    guard let file = try? parse(PathVectors.contents("restricted_paths.json")) else { return [] }
    return (file["cases"]?.elements ?? []).map { example in
      var isAllowed = false
      if case .bool(true) = example["allowed"] { isAllowed = true }
      let rule = example["rule"]?.text ?? ""
      return RestrictedPath(
        pattern: String(rule.drop { $0 != "." }.drop { $0 != "/" }), path: example["path"]?.text ?? "",
        isAllowed: isAllowed, testDescription: example["note"]?.text ?? "")
    }
  }()
}

/// Files in `Tests/Vectors`.
enum PathVectors {
  static func contents(_ name: String) -> [UInt8] {
    let tests = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    let file = open("/\(tests)/Vectors/\(name)", O_RDONLY)
    guard file >= 0 else { return [] }
    defer { close(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = read(file, &chunk, chunk.count), count > 0 { bytes += chunk[..<count] }
    return bytes
  }
}

extension JSONValue {
  var number: Int {
    if case .integer(let number) = self { Int(number) } else { 0 }
  }
}
