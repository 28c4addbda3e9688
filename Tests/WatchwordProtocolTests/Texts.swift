import Glibc
import WatchwordJSON
import WatchwordProtocol
import WatchwordTestSupport
import WatchwordVocabulary

/// The parameters that `text` is; nil for an empty text.
func parameters(_ text: String) throws(JSONError) -> JSONNode? {
  text.isEmpty ? nil : try node(text)
}

/// The bytes of a file of the project, by its path from the top.
func projectFile(_ path: String) -> [UInt8] {
  let top = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
  let file = open("/\(top)/\(path)", O_RDONLY)
  guard file >= 0 else { return [] }
  defer { close(file) }
  var bytes: [UInt8] = []
  var chunk = [UInt8](repeating: 0, count: 1 << 16)
  while case let count = read(file, &chunk, chunk.count), count > 0 { bytes += chunk[..<count] }
  return bytes
}

/// What went wrong in `body`; nil when nothing did.
func fault(_ body: () throws -> Void) -> RPCError? {
  do {
    try body()
    return nil
  } catch {
    return error as? RPCError ?? RPCError.internalError("\(error)")
  }
}

/// The kind of an error and the path that it names: `invalidParams params.url`.
func place(_ error: RPCError?) -> String {
  guard let error else { return "taken" }
  guard case .string(let path) = error.details["path"] else { return error.kind.rawValue }
  return "\(error.kind.rawValue) \(path)"
}
