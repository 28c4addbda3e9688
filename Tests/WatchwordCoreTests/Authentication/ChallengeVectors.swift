/// Challenge fields and what other implementations and the RFCs make of them.
///
/// Facts from the named test suites, in the notation of `notation(of:)`; each group names source and licence.
/// A nil result means that nothing in the fields may be answered.
enum ChallengeVectors {
  typealias Vector = (name: String, fields: [String], expected: String?)

  /// Cases on which the implementations agree, and the RFCs with them.
  static let consensus: [Vector] = [
    // chromium/chromium net/http/http_auth_challenge_tokenizer_unittest.cc @300c5516a5a1; BSD-3-Clause
    (
      "chromium-tok-multiple", [#"Digest algorithm=md5, realm="Oblivion", qop=auth-int"#],
      "digest algorithm=<md5> qop=<auth-int> realm=<Oblivion>"
    ),
    // chromium net/http/http_auth_handler_basic_unittest.cc; BSD-3-Clause
    ("chromium-basic-realm", [#"Basic realm="test_realm""#], "basic realm=<test_realm>"),
    // chromium net/http/http_auth_handler_digest_unittest.cc; BSD-3-Clause
    (
      "chromium-digest-realm-unquoted", [#"Digest nonce="xyz", realm=ThunderBluff"#],
      "digest nonce=<xyz> realm=<ThunderBluff>"
    ),
    ("chromium-digest-empty-realm", [#"Digest realm="", nonce="xyz""#], "digest nonce=<xyz> realm=<>"),
    (
      "chromium-digest-qop-case", [#"Digest nonce="xyz", realm="Oblivion", qop="aUth""#],
      "digest nonce=<xyz> qop=<aUth> realm=<Oblivion>"
    ),
    (
      "chromium-digest-opaque-unquoted", [#"Digest nonce="xyz", realm="Thunder Bluff", opaque=foobar"#],
      "digest nonce=<xyz> opaque=<foobar> realm=<Thunder Bluff>"
    ),
    (
      "chromium-digest-domain",
      [#"Digest nonce="xyz", realm="Thunder Bluff", domain="http://intranet.example.com/protection""#],
      "digest domain=<http://intranet.example.com/protection> nonce=<xyz> realm=<Thunder Bluff>"
    ),
    // chromium net/http/http_auth_unittest.cc; BSD-3-Clause
    ("chromium-choose-negotiate-ntlm", ["Negotiate", "NTLM"], "negotiate | ntlm"),
    // square/okhttp okhttp/src/jvmTest/kotlin/okhttp3/HeadersChallengesTest.kt @1682d9bac8c0; Apache-2.0
    (
      "okhttp-digest-correct",
      [
        #"Digest realm="myrealm", nonce="fjalskdflwejrlaskdfjlaskdjflaksjdflkasdf", qop="auth", stale="FALSE""#
      ], "digest nonce=<fjalskdflwejrlaskdfjlaskdjflaksjdflkasdf> qop=<auth> realm=<myrealm> stale=<FALSE>"
    ),
    (
      "okhttp-digest-order1",
      [
        #"Digest qop="auth", realm="myrealm", nonce="fjalskdflwejrlaskdfjlaskdjflaksjdflkasdf", stale="FALSE""#
      ], "digest nonce=<fjalskdflwejrlaskdfjlaskdjflaksjdflkasdf> qop=<auth> realm=<myrealm> stale=<FALSE>"
    ),
    (
      "okhttp-digest-order2",
      [
        #"Digest qop="auth", nonce="fjalskdflwejrlaskdfjlaskdjflaksjdflkasdf", realm="myrealm", stale="FALSE""#
      ], "digest nonce=<fjalskdflwejrlaskdfjlaskdjflaksjdflkasdf> qop=<auth> realm=<myrealm> stale=<FALSE>"
    ),
    (
      "okhttp-digest-missing-realm",
      [
        #"Digest qop="auth", underrealm="myrealm", nonce="fjalskdflwejrlaskdfjlaskdjflaksjdflkasdf", stale="FALSE""#
      ],
      "digest nonce=<fjalskdflwejrlaskdfjlaskdjflaksjdflkasdf> qop=<auth> stale=<FALSE> underrealm=<myrealm>"
    ),
    (
      "okhttp-digest-spaces",
      [
        #"Digest qop="auth",    realm="myrealm", nonce="fjalskdflwejrlaskdfjlaskdjflaksjdflkasdf", stale="FALSE""#
      ], "digest nonce=<fjalskdflwejrlaskdfjlaskdjflaksjdflkasdf> qop=<auth> realm=<myrealm> stale=<FALSE>"
    ),
    (
      "okhttp-digest-spaces-first",
      [
        #"Digest    realm="myrealm", nonce="fjalskdflwejrlaskdfjlaskdjflaksjdflkasdf", qop="auth", stale="FALSE""#
      ], "digest nonce=<fjalskdflwejrlaskdfjlaskdjflaksjdflkasdf> qop=<auth> realm=<myrealm> stale=<FALSE>"
    ),
    (
      "okhttp-digest-camel2",
      [
        #"DIgEsT rEaLm="myrealm", nonce="fjalskdflwejrlaskdfjlaskdjflaksjdflkasdf", qop="auth", stale="FALSE""#
      ], "digest nonce=<fjalskdflwejrlaskdfjlaskdjflaksjdflkasdf> qop=<auth> realm=<myrealm> stale=<FALSE>"
    ),
    ("okhttp-digest-bare", ["Digest"], "digest"),
    ("okhttp-basic", [#"Basic realm="protected area""#], "basic realm=<protected area>"),
    ("okhttp-separators-first", [" ,  , Basic realm=myrealm"], "basic realm=<myrealm>"),
    ("okhttp-spaces-eq", [#"Basic realm = "myrealm""#], "basic realm=<myrealm>"),
    (
      "okhttp-same-scheme-two-realms", [#"Basic realm = "myrealm",Basic realm=myotherrealm"#],
      "basic realm=<myrealm> | basic realm=<myotherrealm>"
    ),
    ("okhttp-multi-sep", [#"Digest,,,, Basic ,,realm="myrealm""#], "digest | basic realm=<myrealm>"),
    (
      "okhttp-comma-in-quotes", [#",Digest,,,, Basic ,,,realm="my, realm,""#],
      "digest | basic realm=<my, realm,>"
    ),
    ("okhttp-token68", ["Other abc=="], "other :abc=="),
    // apache/httpcomponents-client TestAuthChallengeParser.java @86c313b2876a; Apache-2.0
    ("apachehc-blanks", ["   Basic  realm = blah   "], "basic realm=<blah>"),
    (
      "apachehc-two-token68", ["This  xxxxxxxxxxxxxxxxxxxxxx, That yyyyyyyyyyyyyyyyyyyyyy  "],
      "this :xxxxxxxxxxxxxxxxxxxxxx | that :yyyyyyyyyyyyyyyyyyyyyy"
    ),
    (
      "apachehc-comma-in-quotes",
      [#"Basic realm=blah, param1 = "this, param2=that", Basic realm="\"yada,,,,\"""#],
      #"basic param1=<this, param2=that> realm=<blah> | basic realm=<"yada,,,,">"#
    ),
    ("apachehc-bare", ["This"], "this"),
    ("apachehc-valid1", ["blah blah"], "blah :blah"),
    // apache/httpcomponents-client TestDigestScheme.java @86c313b2876a; Apache-2.0
    (
      "apachehc-digest-paramcase",
      [
        #"Digest Realm="-", nonce="YjYuNGYyYmJhMzUuY2I5ZDhlZDE5M2ZlZDM 1Mjk3NGJkNTIyYjgyNTcwMjQ=", opaque="98700A3D9CE17065E2246B41035C6609", qop="auth""#
      ],
      "digest nonce=<YjYuNGYyYmJhMzUuY2I5ZDhlZDE5M2ZlZDM 1Mjk3NGJkNTIyYjgyNTcwMjQ=> opaque=<98700A3D9CE17065E2246B41035C6609> qop=<auth> realm=<->"
    ),
    // swiftlang/swift-corelibs-foundation Tests/Foundation/TestURLProtectionSpace.swift @761b621da93a; Apache-2.0 WITH Swift-exception
    ("corelibs-ntlm-realm", [#"NTLM realm="""#], "ntlm realm=<>"),
    ("corelibs-nt-lm", ["NT LM realm="], nil),
    ("corelibs-empty", [""], ""),
    ("corelibs-maybe", ["maybe challenge, maybe not"], "maybe :challenge | maybe :not"),
    (
      "corelibs-mixed",
      [#"Digest realm="Unsupported", Basic, basic realm =    "First \" realm", Basic realm="Second realm""#],
      #"digest realm=<Unsupported> | basic | basic realm=<First " realm> | basic realm=<Second realm>"#
    ),
    (
      "corelibs-notreal", [#"not real, Basic realm="Second realm""#], "not :real | basic realm=<Second realm>"
    ),
    ("corelibs-garbage", ["fdsfds"], "fdsfds"),
    // aio-libs/aiohttp tests/test_client_middleware_digest_auth.py @495e778360d1; Apache-2.0
    (
      "aiohttp-all", [#"Digest realm="test", nonce="abc", qop="auth", opaque="xyz", algorithm=MD5"#],
      "digest algorithm=<MD5> nonce=<abc> opaque=<xyz> qop=<auth> realm=<test>"
    ),
    (
      "aiohttp-no-opaque", [#"Digest realm="test", nonce="abc", qop="auth""#],
      "digest nonce=<abc> qop=<auth> realm=<test>"
    ),
    (
      "aiohttp-second-scheme-must-not-overwrite",
      [#"Digest realm="protected", nonce="n1", qop="auth", Basic realm="other""#],
      "digest nonce=<n1> qop=<auth> realm=<protected> | basic realm=<other>"
    ),
    (
      "aiohttp-unquoted", ["Digest realm=example.com, nonce=12345, qop=auth"],
      "digest nonce=<12345> qop=<auth> realm=<example.com>"
    ),
    (
      "aiohttp-commas", [#"Digest realm="ex,ample", nonce=12345, qop="auth", domain="/test""#],
      "digest domain=</test> nonce=<12345> qop=<auth> realm=<ex,ample>"
    ),
    (
      "aiohttp-nospace", [#"Digest realm="test",nonce="123",qop="auth""#],
      "digest nonce=<123> qop=<auth> realm=<test>"
    ),
    ("aiohttp-empty", [""], ""),
    ("aiohttp-digest-empty", ["Digest "], "digest"),
    ("aiohttp-digest-malformed", ["Digest =invalid, format"], nil),
    (
      "aiohttp-domain-quote", [#"Digest realm="test", nonce="abc", domain="\"""#],
      #"digest domain=<"> nonce=<abc> realm=<test>"#
    ),
    // distribution/distribution internal/client/auth/challenge/authchallenge_test.go @0d6b721dc3ce; Apache-2.0
    (
      "distribution-bearer",
      [
        #"Bearer realm="https://auth.example.com/token",service="registry.example.com",other=fun,slashed="he\"\l\lo""#
      ],
      #"bearer other=<fun> realm=<https://auth.example.com/token> service=<registry.example.com> slashed=<he"llo>"#
    ),
    // scottlamb/http-auth src/parser.rs, src/digest.rs @6b3453ce6143; MIT OR Apache-2.0
    (
      "rust-sha256-and-md5-oneline",
      [
        #"Digest realm="http-auth@example.org", qop="auth, auth-int", algorithm=SHA-256, nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS", Digest realm="http-auth@example.org", qop="auth, auth-int", algorithm=MD5, nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS""#
      ],
      "digest algorithm=<SHA-256> nonce=<7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v> opaque=<FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS> qop=<auth, auth-int> realm=<http-auth@example.org> | digest algorithm=<MD5> nonce=<7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v> opaque=<FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS> qop=<auth, auth-int> realm=<http-auth@example.org>"
    ),
    // nfroidure/http-auth-utils src/mechanisms/*.test.ts @1371fd483bf1; MIT
    (
      "http-auth-utils-bearer-error",
      [
        #"Bearer realm="perlinpinpin", error="invalid_request", error_description="The access token expired""#
      ], "bearer error=<invalid_request> error_description=<The access token expired> realm=<perlinpinpin>"
    ),
    (
      "http-auth-utils-digest-unquoted",
      [
        #"Digest realm="testrealm@host.com", qop=auth, algorithm=MD5, nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093""#
      ],
      "digest algorithm=<MD5> nonce=<dcd98b7102dd2f0e8b11d0f600bfb0c093> qop=<auth> realm=<testrealm@host.com>"
    ),
    // curl/curl tests/data/test69 @5c61e168698a; curl (MIT-like)
    ("curl-test69", ["Basic", "Wild-and-crazy", "NTLM"], "basic | wild-and-crazy | ntlm"),
    // curl/curl tests/data/test273 @5c61e168698a; curl (MIT-like)
    (
      "curl-test273",
      [#"Digest realm="testrealm", nonce="1053604145""#, #"Digest realm="testrealm", nonce="1053604145""#],
      "digest nonce=<1053604145> realm=<testrealm> | digest nonce=<1053604145> realm=<testrealm>"
    ),
    // curl/curl tests/data/test388 @5c61e168698a; curl (MIT-like)
    (
      "curl-test388",
      [#"Digest realm="testrealm", algorithm=MD5, nonce="999999", stale=true, qop="crazy, auth""#],
      "digest algorithm=<MD5> nonce=<999999> qop=<crazy, auth> realm=<testrealm> stale=<true>"
    ),
    // curl/curl tests/data/test1204 @5c61e168698a; curl (MIT-like)
    (
      "curl-test1204", [#"X-MobileMe-AuthToken realm="Newcastle", Basic realm="fun fun  fun""#],
      "x-mobileme-authtoken realm=<Newcastle> | basic realm=<fun fun  fun>"
    ),
    // RFC 7617 section 2.1; IETF Trust (code components BSD)
    ("rfc-7617-charset", [#"Basic realm="foo", charset="UTF-8""#], "basic charset=<UTF-8> realm=<foo>"),
    // RFC 7616 section 3.9.1; IETF Trust (code components BSD)
    (
      "rfc-7616-digest",
      [
        #"Digest realm="http-auth@example.org", qop="auth, auth-int", algorithm=SHA-256, nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS""#,
        #"Digest realm="http-auth@example.org", qop="auth, auth-int", algorithm=MD5, nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS""#,
      ],
      "digest algorithm=<SHA-256> nonce=<7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v> opaque=<FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS> qop=<auth, auth-int> realm=<http-auth@example.org> | digest algorithm=<MD5> nonce=<7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v> opaque=<FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS> qop=<auth, auth-int> realm=<http-auth@example.org>"
    ),
    // RFC 6750 section 3; IETF Trust (code components BSD)
    ("rfc-6750-bearer", [#"Bearer realm="example""#], "bearer realm=<example>"),
    // RFC 4559 section 5; IETF Trust (code components BSD)
    ("rfc-4559-negotiate", ["Negotiate"], "negotiate"),
    (
      "rfc-4559-negotiate-token", ["Negotiate a87421000492aa874209af8bc028"],
      "negotiate :a87421000492aa874209af8bc028"
    ),
  ]
}
