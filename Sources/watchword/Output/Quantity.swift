/// Formats sizes and durations for people.
enum Quantity {
  /// `1 session`, `2 sessions`.
  static func count(_ count: Int, _ noun: String, plural: String? = nil) -> String {
    "\(count) \(count == 1 ? noun : plural ?? noun + "s")"
  }

  static func bytes(_ count: Int) -> String {
    guard count >= 1024 else { return "\(count) B" }
    var value = Double(count)
    var unit = "B"
    for next in ["KiB", "MiB", "GiB", "TiB"] where value >= 1024 {
      value /= 1024
      unit = next
    }
    return "\(tenths(value)) \(unit)"
  }

  static func seconds(_ seconds: Double) -> String {
    guard seconds >= 1 else { return "\(Int(max(seconds, 0) * 1000)) ms" }
    let whole = seconds < 4e9 ? Int(seconds) : Int(4e9)
    switch whole {
    case ..<60: return "\(whole) s"
    case ..<3600: return "\(whole / 60) min \(whole % 60) s"
    case ..<86400: return "\(whole / 3600) h \(whole / 60 % 60) min"
    default: return "\(whole / 86400) d \(whole / 3600 % 24) h"
    }
  }

  private static func tenths(_ value: Double) -> String {
    let tenths = Int((value * 10).rounded())
    return "\(tenths / 10).\(tenths % 10)"
  }
}
