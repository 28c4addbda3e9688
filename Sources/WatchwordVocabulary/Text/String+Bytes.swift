internal import Glibc

extension String {
  /// Whether both texts have the same bytes.
  ///
  /// Swift's `==` compares as Unicode does: it takes `é` in one scalar and in two for equal, and may
  /// normalize megabytes to find out.
  @inlinable package func hasBytes(of other: String) -> Bool {
    // Nearly always the length tells them apart, without a call.
    utf8.count == other.utf8.count && isSame(as: other)
  }

  /// Whether the text begins with the bytes of the other one.
  package func hasPrefixBytes(of prefix: String) -> Bool {
    let isPrefix = utf8.withContiguousStorageIfAvailable { bytes in
      prefix.utf8.withContiguousStorageIfAvailable { others -> Bool in
        guard let first = bytes.baseAddress, let second = others.baseAddress else { return others.isEmpty }
        return bytes.count >= others.count && memcmp(first, second, others.count) == 0
      }
    }
    return (isPrefix ?? nil) ?? utf8.starts(with: prefix.utf8)
  }

  /// Whether the bytes of the other text are somewhere in this one.
  ///
  /// The standard library's `contains` of a text is in its module for regular expressions, which would be a
  /// tenth of the command.
  package func containsBytes(of other: String) -> Bool {
    var (text, other) = (self, other)
    return text.withUTF8 { bytes in
      other.withUTF8 { others in
        guard let start = bytes.baseAddress, let wanted = others.baseAddress, !others.isEmpty else {
          return others.isEmpty
        }
        guard bytes.count >= others.count else { return false }
        return (0...bytes.count - others.count).contains { memcmp(start + $0, wanted, others.count) == 0 }
      }
    }
  }

  @usableFromInline func isSame(as other: String) -> Bool {
    let isSame = utf8.withContiguousStorageIfAvailable { bytes in
      other.utf8.withContiguousStorageIfAvailable { others -> Bool in
        guard let first = bytes.baseAddress, let second = others.baseAddress else { return true }
        return bytes.count == others.count && memcmp(first, second, bytes.count) == 0
      }
    }
    return (isSame ?? nil) ?? utf8.elementsEqual(other.utf8)
  }
}
