import CTransport
import Glibc
import Testing
import WatchwordCore
import WatchwordJSON
import WatchwordVocabulary

/// A chain of x509-limbo and what is said of it there.
struct LimboCase: Sendable, CustomTestStringConvertible {
  let identifier: String
  let tier: String
  let isValid: Bool
  private let roots: String
  private let chain: [String]
  private let lists: String
  private let host: String
  private let isAddress: Bool
  private let time: Int

  var testDescription: String { identifier }

  /// A moment at which certificates without a time of their own were valid.
  private static let defaultTime = 1_782_864_000

  static let all: [LimboCase] = VectorFile.compressedMembers("limbo.json.gz", "testcases")
    .map(LimboCase.init)

  private init(_ example: JSONObject) {
    identifier = example["id"]?.text ?? ""
    tier = example["tier"]?.text ?? ""
    isValid = example["expected_result"]?.text == "SUCCESS"
    roots = (example["roots"]?.texts ?? []).joined()
    chain = example["chain"]?.texts ?? []
    lists = (example["crls"]?.texts ?? []).joined()
    var name: JSONObject?
    if case .object(let object)? = example["peer_name"] { name = object }
    host = name?["value"]?.text ?? ""
    isAddress = name?["kind"]?.text == "IP"
    time = example["validation_time"]?.text.flatMap(LimboCase.seconds) ?? LimboCase.defaultTime
  }

  /// What default evaluation finds; nil when the chain is not certificates.
  func evaluate() -> [TrustFault]? {
    guard let chain = ChainUnderTest(presented: chain, roots: roots, lists: lists) else { return nil }
    X509_STORE_CTX_set_time(chain.context, 0, time)
    return chain.evaluate(host: host, isAddress: isAddress)
  }

  /// Of `2024-01-01T00:00:00+00:00`.
  private static func seconds(_ text: String) -> Int? {
    let numbers = text.split(whereSeparator: { "-T:.+".contains($0) }).compactMap { Int32($0) }
    guard numbers.count >= 6 else { return nil }
    var parts = tm()
    (parts.tm_year, parts.tm_mon, parts.tm_mday) = (numbers[0] - 1900, numbers[1] - 1, numbers[2])
    (parts.tm_hour, parts.tm_min, parts.tm_sec) = (numbers[3], numbers[4], numbers[5])
    return timegm(&parts)
  }
}

extension JSONValue {
  fileprivate var text: String? { if case .string(let text) = self { text } else { nil } }

  fileprivate var texts: [String] {
    if case .array(let values) = self { values.compactMap(\.text) } else { [] }
  }
}
