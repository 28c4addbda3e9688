internal import WatchwordPrimitives

/// Numbers that are not whole as option arguments.
enum Number {
  /// More than 0 of `unit`.
  static func positive(_ text: String, _ option: String, _ unit: String) throws(Failure) -> Double {
    guard let value = Double(text), value > 0, value.isFinite else {
      throw .usage("\(option) needs a number of \(unit) above 0, not \(DisplayText.escaped(text))")
    }
    return value
  }

  /// Seconds; nil for 0, which sets no limit.
  static func limit(_ text: String, _ option: String) throws(Failure) -> Double? {
    guard let value = Double(text), value >= 0, value.isFinite else {
      throw .usage("\(option) needs a number of seconds, not \(DisplayText.escaped(text))")
    }
    return value == 0 ? nil : value
  }
}
