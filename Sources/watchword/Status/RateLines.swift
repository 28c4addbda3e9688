/// Rates and latencies, a line each: `fetches     12.4/s  ▁▂▃`, with a column for each of the last seconds.
struct RateLines {
  private static let nameColumns = 11
  private static let valueColumns = 11

  let history: StatusHistory
  let sparkline: Sparkline
  let columns: Int

  /// - Parameter count: where there is room for fewer, those that say most.
  func lines(atMost count: Int) -> [String] {
    // Each with its rank.
    let all = [
      (0, rate("fetches", \.fetches, Self.tenths)),
      (2, rate("bytes", \.bytes) { Quantity.bytes(Int(min($0, 1e15))) }),
      (3, rate("failures", \.failures, Self.tenths)),
      (6, rate("challenges", \.challenges, Self.tenths)),
      (4, latency("latency p50", 0.5)),
      (1, latency("latency p90", 0.9)),
      (5, latency("latency p99", 0.99)),
    ]
    return all.filter { $0.0 < count }.map(\.1)
  }

  private func rate(
    _ name: String, _ member: KeyPath<StatusHistory.Second, Double>, _ text: (Double) -> String
  ) -> String {
    line(name, text(history.rate(member)) + "/s", history.counts(member))
  }

  private func latency(_ name: String, _ part: Double) -> String {
    line(
      name, history.latency(ofPart: part).map(Self.duration) ?? "-", history.latencyPlaces(ofPart: part),
      largest: 1)
  }

  private func line(_ name: String, _ value: String, _ values: [Double], largest: Double? = nil) -> String {
    let gap = max(1, Self.nameColumns + Self.valueColumns - name.count - value.count)
    let start = name + String(repeating: " ", count: gap) + value + "  "
    return start + sparkline.text(of: values, columns: columns - start.count, largest: largest)
  }

  /// Of a fetch: most take milliseconds.
  private static func duration(_ seconds: Double) -> String {
    if seconds < 0.01 { return tenths(seconds * 1000) + " ms" }
    return seconds >= 1 && seconds < 10 ? tenths(seconds) + " s" : Quantity.seconds(seconds)
  }

  private static func tenths(_ value: Double) -> String {
    let tenths = Int((min(value, 1e12) * 10).rounded())
    return "\(tenths / 10).\(tenths % 10)"
  }
}
