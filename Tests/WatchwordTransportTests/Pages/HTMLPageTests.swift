import Testing
import WatchwordCore
import WatchwordVocabulary

@testable import WatchwordTransport

/// What libxml2 makes of real and broken pages.
@Suite struct HTMLPageTests {
  @Test func aLoginFormIsFoundAmongOthers() throws {
    let form = try usable(
      """
      <!doctype html><html><head><title>x</title><script>if (a<b) document.write("<form>")</script></head><body>
      <form action=/search><input name=q><input name=user></form>
      <form id="login" class="big form" action="/session?a=1&amp;b=2" method="POST">
        <input type="hidden" name="csrf" value="a&quot;b&#x26;c"><p><label>User <input name="user" value="guest"></label>
        <div><input type=password name=password><input type=checkbox name=keep checked><input type=checkbox name=no></div>
        <input type=submit name=go value="Log in"><input type=submit name=cancel><input type=file name=f>
        <input name=off disabled value=1><button name=b type=button>x</button>
      </form><form method=post><input name=user><input name=password><input name=other></form>
      """)
    #expect(form.action == "/session?a=1&b=2")
    #expect(
      form.entries == [
        .given(name: "csrf", value: "a\"b&c"), .user(name: "user"), .password(name: "password"),
        .given(name: "keep", value: "on"), .given(name: "go", value: "Log in"), .given(name: "f", value: ""),
      ])
  }

  @Test func listsAndTextsArePostedAsTheyAre() throws {
    let form = try usable(
      """
      <form method=post><input name=user><input name=password>
      <select name=domain><option value=a>A<option value=b selected>B<optgroup label=x><option>C</optgroup></select>
      <textarea name=note>
      two
       lines &amp; <b>more</b></textarea><select name=site><option>  Main
         office </select></form>
      """)
    #expect(
      form.entries.dropFirst(2) == [
        .given(name: "domain", value: "b"), .given(name: "note", value: "two\r\n lines & more"),
        .given(name: "site", value: "Main office"),
      ])
  }

  @Test func controlsOutsideOfTheirFormBelongToIt() throws {
    let form = try usable(
      """
      <input form=login name=token value=1><form id=login method=post><input name=user></form>
      <div><input form=login name=password type=password><button form=login name=go value=in>In</button></div>
      """)
    #expect(
      form.entries == [
        .given(name: "token", value: "1"), .user(name: "user"), .password(name: "password"),
        .given(name: "go", value: "in"),
      ])
  }

  @Test(arguments: [
    ("<form method=get><input name=user><input name=password></form>", LoginFormFault.notPosted),
    ("<form><input name=user><input name=password></form>", .notPosted),
    (
      "<form method=post enctype=multipart/form-data><input name=user><input name=password>",
      .unsupportedEncoding
    ),
    (
      "<form method=post><input name=user><input name=password>"
        + String(repeating: "<input type=hidden name=n>", count: 300), .tooLarge
    ),
  ])
  func aFormThatCannotBePostedSaysWhy(_ page: String, _ fault: LoginFormFault) {
    #expect(read(page).form == .unusable(fault))
  }

  @Test(arguments: [
    "", "<form method=post><input name=user></form><input name=password>", "<p>welcome</p>",
    "\u{0}\u{1}<<<>>>&&&;",
    "<!-- <form method=post><input name=user><input name=password></form> -->",
    String(repeating: "<div>", count: 100_000) + "<form method=post><input name=user><input name=password>",
    "<p " + (0..<40_000).map { "a\($0) " }.joined()
      + "><form method=post><input name=user><input name=password>",
  ])
  func whatHasNoLoginFormHasNone(_ page: String) { #expect(read(page).form == nil) }

  @Test func tablesAndMissingEndTagsDoNotLoseFields() throws {
    let form = try usable(
      "<table><form method=post action=a><tr><td><input name=user><td><input name=password></tr><tr><td><input type=hidden name=t value=1>"
    )
    #expect(
      form.entries == [.user(name: "user"), .password(name: "password"), .given(name: "t", value: "1")])
  }

  @Test func aPageThatWasCutMayLackFields() {
    let cut = "<form method=post><input name=user><input name=password>"
    #expect(read(cut, isWhole: false).form == .unusable(.tooLarge))
    #expect(read(cut + "</form><p>", isWhole: false).form != .unusable(.tooLarge))
    #expect(read("<form method=post><input name=q>", isWhole: false).form == nil)
  }

  @Test func textIsReadInItsEncoding() throws {
    let latin =
      Array("<form method=post><input name=user><input name=password><input name=x value=".utf8) + [
        0xFC, 0x3E,
      ]
    let expected = LoginForm.Field.given(name: "x", value: "ü")
    for type in ["text/html; charset=iso-8859-1", "text/html; Charset=\"latin1\"", "text/html"] {
      #expect(try usable(read(latin, type)).entries.last == expected)
    }
    let page = "<form method=post><input name=user><input name=password><input name=x value=ü>"
    #expect(try usable(page).entries.last == expected)
    #expect(try usable(read(Array(page.utf8), "text/html; charset=no-such")).entries.last == expected)
  }

  @Test func aSelectorFindsItsElement() throws {
    let page = "<html><body class='a signed-out'><div><form id=login></form></div></body></html>"
    #expect(read(page, selector: "body.signed-out form#login").isSelected)
    #expect(read(page, selector: "div > form").isSelected)
    #expect(!read(page, selector: "body > form").isSelected)
  }

  private func read(_ page: String, isWhole: Bool = true, selector: String? = nil) -> PageReading {
    read(Array(page.utf8), "text/html", isWhole: isWhole, selector: selector)
  }

  private func read(
    _ page: [UInt8], _ contentType: String?, isWhole: Bool = true, selector: String? = nil
  ) -> PageReading {
    HTMLPage.read(
      page, contentType: contentType, isWhole: isWhole,
      PageQuestion(userField: "user", passwordField: "password", selector: selector.flatMap(Selector.init)))
  }

  private func usable(_ page: String) throws -> LoginForm { try usable(read(page)) }

  private func usable(_ reading: PageReading) throws -> LoginForm {
    guard case .usable(let form)? = reading.form else {
      Issue.record("\(String(describing: reading.form))")
      return LoginForm(action: nil, entries: [])
    }
    return form
  }
}
