internal import WatchwordCore
internal import WatchwordTransport
internal import WatchwordVocabulary

/// A page of HTML, after a byte that says whether it was cut, and a line with a selector.
enum PageTarget {
  @Sendable static func run(_ input: UnsafeRawBufferPointer) {
    var reader = InputReader(input)
    let isWhole = reader.byte() & 1 == 0
    let line = reader.rest.prefix { $0 != UInt8(ascii: "\n") }
    let page = Array(reader.rest.dropFirst(line.count + 1))
    let selector = Selector(String(decoding: line, as: UTF8.self))
    let question = PageQuestion(userField: "user", passwordField: "password", selector: selector)
    let reading = HTMLPage.read(page, contentType: "text/html", isWhole: isWhole, question)
    require(
      reading == HTMLPage.read(page, contentType: "text/html", isWhole: isWhole, question),
      "a page that reads in two ways")
    guard case .usable(let form)? = reading.form else { return }
    require(form.entries.count <= 256, "more fields than are carried over")
    var (users, passwords) = (0, 0)
    for entry in form.entries {
      switch entry {
      case .user: users += 1
      case .password: passwords += 1
      case .given(let name, _): require(!name.isEmpty, "a field without a name")
      }
    }
    require(users == 1 && passwords == 1, "a form without its fields")
    let content = form.content(user: "reader", password: Secret("open sesame".utf8))
    content.withBytes { bytes in
      require(bytes.allSatisfy { $0 > 0x20 && $0 < 0x7F }, "a byte that is not encoded")
      require(
        bytes.filter { $0 == UInt8(ascii: "&") }.count == form.entries.count - 1, "a separator that is a text"
      )
    }
  }
}
