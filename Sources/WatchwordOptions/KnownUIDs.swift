internal import Glibc

/// Which uids name an account for this process.
///
/// In a user namespace the kernel reports every uid that is not mapped there as one and the same, the
/// overflow uid (user_namespaces(7)). Where some uids are not mapped, it therefore identifies no account,
/// even if one has this number.
package struct KnownUIDs: Sendable, Equatable {
  /// Of this process; its namespace is mapped once.
  package static let ofProcess = KnownUIDs(
    map: contents(of: "/proc/self/uid_map"), overflow: contents(of: "/proc/sys/kernel/overflowuid"))

  /// A uid has 32 bits, and the last value is none.
  private static let count: UInt64 = 4_294_967_295
  private static let usualOverflow: UInt32 = 65534
  /// A map has at most 340 lines of 33 bytes.
  private static let longestFile = 16 << 10

  private let overflow: UInt32
  private let mapsEvery: Bool

  /// - Parameters:
  ///   - map: the text of `/proc/self/uid_map`; nil when it cannot be read.
  ///   - overflow: that of `/proc/sys/kernel/overflowuid`.
  package init(map: String?, overflow: String?) {
    self.overflow = overflow.flatMap { UInt32($0.trimmedASCII) } ?? KnownUIDs.usualOverflow
    mapsEvery = map.map { KnownUIDs.mappedCount($0) == KnownUIDs.count } ?? false
  }

  /// Whether it names one account.
  package func identifies(_ uid: UInt32) -> Bool { uid != .max && (mapsEvery || uid != overflow) }

  /// The ranges of a map do not overlap.
  private static func mappedCount(_ map: String) -> UInt64? {
    var sum: UInt64 = 0
    for line in map.utf8.split(separator: UInt8(ascii: "\n")) {
      let numbers = line.split(separator: UInt8(ascii: " ")).map {
        UInt64(String(decoding: $0, as: UTF8.self))
      }
      guard numbers.count == 3, let length = numbers[2], length <= count else { return nil }
      sum += length
    }
    return sum
  }

  private static func contents(of path: String) -> String? {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var text: [UInt8] = []
    var bytes = [UInt8](repeating: 0, count: 4096)
    while text.count < longestFile {
      let count = read(file, &bytes, bytes.count)
      guard count >= 0 else { return nil }
      if count == 0 { break }
      text += bytes.prefix(count)
    }
    return String(decoding: text, as: UTF8.self)
  }
}

extension String {
  fileprivate var trimmedASCII: String {
    String(decoding: utf8.filter { $0 > UInt8(ascii: " ") }, as: UTF8.self)
  }
}
