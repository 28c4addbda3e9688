/// A command whose operand is one URL.
protocol URLCommand: Command {
  var url: String? { get set }
  /// What a URL without a scheme gets; http by default.
  static var scheme: String { get }
}

extension URLCommand {
  static var scheme: String { "http" }

  static var operandsAreOctets: Bool { true }

  mutating func take(operand: String) throws(Failure) {
    guard url == nil else { throw .usage("only one URL is allowed") }
    url = try URLText.argument(operand, scheme: Self.scheme)
  }
}
