import Testing
import WatchwordCore

/// `scheme :token68 name=<value> …`, parameters by name, challenges parted by ` | `.
func notation(of challenges: [RawChallenge]) -> String {
  challenges.map { challenge in
    let token = challenge.token68.map { [":" + $0] } ?? []
    let parameters = challenge.parameters.sorted { $0.name < $1.name }.map { "\($0.name)=<\($0.value)>" }
    return ([challenge.scheme] + token + parameters).joined(separator: " ")
  }.joined(separator: " | ")
}

@Suite struct ChallengeHeaderParserTests {
  @Test(arguments: ChallengeVectors.consensus.indices)
  func agreesWithOtherImplementations(index: Int) {
    let vector = ChallengeVectors.consensus[index]
    let challenges = ChallengeHeaderParser.parse(vector.fields)
    if let expected = vector.expected {
      #expect(notation(of: challenges) == expected, "\(vector.name)")
    } else {
      #expect(challenges.allSatisfy { Offer($0) == nil }, "\(vector.name)")
    }
  }

  /// What RFC 9110 §11 and §5.6 say, case by case.
  static let grammar: [(field: String, expected: String)] = [
    (#"BASIC REALM="Staff""#, "basic realm=<Staff>"),
    (#"Basic realm='staff'"#, "basic realm=<'staff'>"),
    (#"Basic realm="%41\u0020=?utf-8?q?x?=""#, "basic realm=<%41u0020=?utf-8?q?x?=>"),
    (#"Basic realm="a\"b\\c""#, #"basic realm=<a"b\c>"#),
    (#"Basic realm="""#, "basic realm=<>"),
    ("Basic realm=\"a\tb\"", "basic realm=<a\tb>"),
    ("Basic realm=\"käse\"", "basic realm=<käse>"),
    ("Basic\trealm\t=\t\"x\"\t", "basic realm=<x>"),
    ("Basic\r\n realm=\"x\",\r\n\tcharset=\"UTF-8\"", "basic charset=<UTF-8> realm=<x>"),
    ("Basic realm=\"two\r\n lines\"", "basic realm=<two lines>"),
    ("Basic\n realm=x", "basic realm=<x>"),
    (#"Basic , realm="x""#, "basic realm=<x>"),
    (#"Basic, realm="x""#, "basic realm=<x>"),
    (#"Basic realm="x", n="1",, a=b,,,c=d,"#, "basic a=<b> c=<d> n=<1> realm=<x>"),
    (
      #"New realm="x", type=1, title="Say \"a, b\"", Basic realm="y""#,
      #"new realm=<x> title=<Say "a, b"> type=<1> | basic realm=<y>"#
    ),
    (#"New realm="x", basic=foo, Basic realm="y""#, "new basic=<foo> realm=<x> | basic realm=<y>"),
    (
      #"New realm="Basic realm=\"inner\", Basic realm=inner", Basic realm="y""#,
      #"new realm=<Basic realm="inner", Basic realm=inner> | basic realm=<y>"#
    ),
    ("Negotiate, NTLM, Basic realm=x", "negotiate | ntlm | basic realm=<x>"),
    (
      "Negotiate abc=, NTLM abc==,Bearer realm=x, error=invalid_token",
      "negotiate :abc= | ntlm :abc== | bearer error=<invalid_token> realm=<x>"
    ),
    ("NTLM a-._~+/Z09", "ntlm :a-._~+/Z09"),
    ("NTLM TlRM===", "ntlm :TlRM==="),
    ("Other abc =def", "other abc=<def>"),
    ("Basic realm=", "basic :realm="),
    ("!#$%&'*+-.^_`|~ a=b", "!#$%&'*+-.^_`|~ a=<b>"),
    ("  ,\t, ", ""),
    ("Basic realm*=UTF-8''x", "basic realm*=<UTF-8''x>"),
  ]

  @Test(arguments: grammar.indices)
  func readsTheGrammar(index: Int) {
    let (field, expected) = Self.grammar[index]
    #expect(notation(of: ChallengeHeaderParser.parse([field])) == expected, "\(field)")
  }

  /// Fields outside the grammar: what has one reading is read, and nothing is taken from inside a quoted string. Of Basic
  /// the name is enough.
  static let malformed: [(field: String, expected: String)] = [
    (#"Basic realm="x"#, "basic"),
    (#"Basic realm="x\"#, "basic"),
    (#"Basic realm="x\"Digest realm="y""#, "basic"),
    (#"New title="a, Basic realm="y""#, ""),
    (#"New a="b" Basic realm="y""#, "new a=<b> | basic realm=<y>"),
    (#"New a=b c=d"#, "new a=<b> c=<d>"),
    (#"New a="b"c"#, ""),
    (#"New a=b;c=d, Basic realm="y""#, "new a=<b> c=<d> | basic realm=<y>"),
    ("New a=, Basic realm=y", "new :a= | basic realm=<y>"),
    ("New a =, Basic realm=y", "basic realm=<y>"),
    ("New a==b, Basic realm=y", "basic realm=<y>"),
    ("New abc==, realm=x", ""),
    ("New abc== def", ""),
    ("New abc def=ghi", ""),
    ("realm=x", ""),
    ("=x", ""),
    (#""Basic realm=x""#, ""),
    ("Basic/2 realm=x", ""),
    ("Negotiate ***", ""),
    (#"Basic realm=\x"#, "basic"),
    ("Basic realm=käse", "basic realm=<käse>"),
    ("Basic realm=\"a\u{0}b\"", "basic"),
    ("Basic realm=\"a\u{0}, Digest realm=\"y\"", "basic"),
    ("Basic realm=\"a\rb\"", "basic"),
    ("Basic realm=\"a\r\nb\"", "basic"),
    ("Basic realm=\"a\u{7F}b\"", "basic"),
    ("Basic realm=\"a\\\u{1}b\"", "basic"),
    ("Basic\u{B}realm=x", ""),
    (#"Basic realm="x", Digest realm="y"#, "basic realm=<x>"),
    (#"Basic realm="x", New one two three"#, "basic realm=<x>"),
    (#"Basic realm="x", qop="y"#, "basic realm=<x>"),
    (#"Basic realm="x", ???"#, "basic realm=<x>"),
    (#"Negotiate abc=, NTLM ***"#, "negotiate :abc="),
  ]

  @Test(arguments: malformed.indices)
  func malformedFieldYieldsNoPhantom(index: Int) {
    let (field, expected) = Self.malformed[index]
    #expect(notation(of: ChallengeHeaderParser.parse([field])) == expected, "\(field)")
  }

  @Test func malformedFieldLeavesTheOthersAlone() {
    let fields = [#"Basic realm="x"#, #"Digest realm="y""#, "=", "Bearer"]
    #expect(notation(of: ChallengeHeaderParser.parse(fields)) == "basic | digest realm=<y> | bearer")
  }

  @Test func parametersDoNotCrossFields() {
    #expect(notation(of: ChallengeHeaderParser.parse(["Basic", "realm=x"])) == "basic")
  }

  @Test func challengeThatNamesAParameterTwiceIsLeftOut() {
    let field = #"Basic realm="x", Digest realm="a", nonce=1, Realm="b", Bearer realm="y""#
    #expect(notation(of: ChallengeHeaderParser.parse([field])) == "basic realm=<x> | bearer realm=<y>")
  }

  /// Fields on which clients differ, and what this one does; the inputs are those of the suites named.
  static let divergent: [(field: String, expected: String, choice: String)] = [
    (#"Basic realm="foo bar"#, "basic", "unterminated: no realm; chromium (BSD-3-Clause) takes the rest"),
    (#"Digest qop=auth-int, algorithm=md5, realm="foo"#, "", "left out: the realm is hashed"),
    (
      "NTLM  SGVsbG8sIFdvcmxkCg===", "ntlm :SGVsbG8sIFdvcmxkCg===",
      "padding kept as sent: the grammar bounds it not; chromium (BSD-3-Clause) trims it"
    ),
    ("Basic", "basic", "read, and answerable: chromium (BSD-3-Clause) answers it with an empty realm"),
    (#"Basic realm="foo",realm="bar""#, "", "left out as RFC 9110 §11.2 has it; chromium takes the last"),
    (#"Digest nonce="xyz""#, "digest nonce=<xyz>", "read, but no offer: challenges without realm are none"),
    ("Other abc==, realm=myrealm", "", "malformed: left out; okhttp (Apache-2.0) keeps the token"),
    (
      #"Basic reALm = "Second realm",charset="#, "basic realm=<Second realm>",
      "a fault after the realm; corelibs (Apache-2.0) keeps it, too"
    ),
    (#"Basic charset="utf-8""#, "basic charset=<utf-8>", "read, as `Basic` alone; corelibs leaves it out"),
    (
      #"Basic realm="Oh no,basic REALM="World's okayest realm", param="""#, "basic",
      "no second-guessing of quotes: that is where phantoms come from; corelibs does"
    ),
    ("", "", "an empty field holds nothing; http-auth (MIT) calls it malformed"),
    (
      "Digest realm=testrealm, algorithm=MD5, algorithm=MD5, nonce=1, nonce=2", "",
      "left out; curl takes the last nonce and answers"
    ),
    (
      #"Digest realm="a", nonce="b" Digest realm="c", nonce="d""#,
      "digest nonce=<b> realm=<a> | digest nonce=<d> realm=<c>",
      "nothing else can follow a quoted string; Firefox answers one of them"
    ),
    ("near Bearer realm=x", "", "two names before the first parameter"),
  ]

  @Test(arguments: divergent.indices)
  func choosesWhereClientsDiffer(index: Int) {
    let (field, expected, choice) = Self.divergent[index]
    #expect(notation(of: ChallengeHeaderParser.parse([field])) == expected, "\(field): \(choice)")
  }
}
