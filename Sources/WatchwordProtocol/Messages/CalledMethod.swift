package import WatchwordJSON

/// What a request names as its method.
package enum CalledMethod: Sendable, Equatable {
  case known(MethodName)
  /// A name that no method has.
  case unknown(String)

  /// Nil for what is no text.
  package init?(_ value: JSONNode) {
    guard let count = value.textCount else { return nil }
    let candidates = count < CalledMethod.byLength.count ? CalledMethod.byLength[count] : []
    let method = value.withText { text in candidates.first { text.elementsEqual($0.name) }?.method } ?? nil
    self = method.map { .known($0) } ?? .unknown(value.text ?? "")
  }

  /// Nearly every name is told apart by its length alone, without a `String` of it.
  private static let byLength: [[(name: [UInt8], method: MethodName)]] = {
    let all = MethodName.allCases.map { (name: Array($0.rawValue.utf8), method: $0) }
    let longest = all.map(\.name.count).max() ?? 0
    return (0...longest).map { length in all.filter { $0.name.count == length } }
  }()
}
