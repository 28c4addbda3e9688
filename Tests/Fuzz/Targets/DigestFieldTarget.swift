internal import WatchwordCore
internal import WatchwordVocabulary

/// The values of `Repr-Digest` and `Content-Digest`, a line each, and a body after the last line.
enum DigestFieldTarget {
  @Sendable static func run(_ input: UnsafeRawBufferPointer) {
    let lines = InputReader(input).lines
    for line in lines {
      guard let field = DigestField(line) else { continue }
      require(!field.members.isEmpty, "a field without a member")
      require(Set(field.members.map(\.algorithm)).count == field.members.count, "an algorithm twice")
      for member in field.members {
        require(member.algorithm == member.algorithm.lowercased(), "an algorithm in capitals")
        require(member.value.count <= line.utf8.count, "a value that is not in the field")
      }
      require(
        ExpectedDigest.list(in: field).count <= field.members.count, "a digest that is not in the field")
    }
    let names = ["Repr-Digest", "Content-Digest"]
    let headers = lines.enumerated().map { HeaderField(names[$0.offset % 2], $0.element) }
    _ = IntegrityCheck.begin(
      ResponseHead(status: 200, headers: headers), to: "GET", caller: [], continuation: nil)
  }
}
