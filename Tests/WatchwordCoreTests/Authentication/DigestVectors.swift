/// Digest answers computed by other implementations, by the RFCs and, where said so, afresh after the RFC.
enum DigestVectors {
  struct Vector {
    let name: String
    let challenge: String
    let method: String
    let target: String
    let user: String
    let password: String
    let clientNonce: String?
    let quality: String?
    let response: String
    /// Further parameters of the field; `absent` lists those that must not be there.
    let also: [String: String]
  }

  static let all: [Vector] = [
    // RFC 2617 3.5; IETF Trust
    Vector(
      name: "rfc2617-3.5",
      challenge:
        #"Digest realm="testrealm@host.com", qop="auth,auth-int", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093", opaque="5ccc069c403ebaf9f0171e9517f40e41""#,
      method: "GET", target: "/dir/index.html", user: "Mufasa", password: "Circle Of Life",
      clientNonce: "0a4f113b", quality: "auth", response: "6629fae49393a05397450978507c4ef1",
      also: ["qop": "auth", "opaque": "5ccc069c403ebaf9f0171e9517f40e41"]),
    // RFC 7616 3.9.1; IETF Trust
    Vector(
      name: "rfc7616-3.9.1-md5",
      challenge:
        #"Digest realm="http-auth@example.org", qop="auth, auth-int", algorithm=MD5, nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS""#,
      method: "GET", target: "/dir/index.html", user: "Mufasa", password: "Circle of Life",
      clientNonce: "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ", quality: "auth",
      response: "8ca523f5e9506fed4657c9700eebdbec",
      also: ["opaque": "FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"]),
    Vector(
      name: "rfc7616-3.9.1-sha256",
      challenge:
        #"Digest realm="http-auth@example.org", qop="auth, auth-int", algorithm=SHA-256, nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS""#,
      method: "GET", target: "/dir/index.html", user: "Mufasa", password: "Circle of Life",
      clientNonce: "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ", quality: "auth",
      response: "753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1",
      also: ["opaque": "FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"]),
    // RFC 7616 3.9.2 with erratum 4897; scottlamb/http-auth; JsSIP; icholy/digest; IETF Trust / MIT OR Apache-2.0
    Vector(
      name: "rfc7616-3.9.2-erratum4897",
      challenge:
        #"Digest realm="api@example.org", qop="auth", algorithm=SHA-512-256, nonce="5TsQWLVdgBdmrQ0XsxbDODV+57QdFR34I9HAbC/RVvkK", opaque="HRPCssKJSGjCrkzDg8OhwpzCiGPChXYjwrI2QmXDnsOS", charset=UTF-8, userhash=true"#,
      method: "GET", target: "/doe.json", user: "Jäsøn Doe", password: "Secret, or not?",
      clientNonce: "NTg6RKcb9boFIAS3KrFK9BGeh+iDa/sm6jUMp2wds69v", quality: "auth",
      response: "3798d4131c277846293534c3edc11bd8a5e4cdcbff78b05db9d95eeb1cec68a5",
      also: [
        "username_hash": "793263caabb707a56211940d90411ea4a575adeccb7e360aeb624ed06ece9b0b",
        "userhash": "true",
      ]),
    // scottlamb/http-auth src/digest.rs (userhash turned off); MIT OR Apache-2.0
    Vector(
      name: "rfc7616-3.9.2-nouserhash",
      challenge:
        #"Digest realm="api@example.org", qop="auth", algorithm=SHA-512-256, nonce="5TsQWLVdgBdmrQ0XsxbDODV+57QdFR34I9HAbC/RVvkK", opaque="HRPCssKJSGjCrkzDg8OhwpzCiGPChXYjwrI2QmXDnsOS", charset=UTF-8, userhash=false"#,
      method: "GET", target: "/doe.json", user: "Jäsøn Doe", password: "Secret, or not?",
      clientNonce: "NTg6RKcb9boFIAS3KrFK9BGeh+iDa/sm6jUMp2wds69v", quality: "auth",
      response: "3798d4131c277846293534c3edc11bd8a5e4cdcbff78b05db9d95eeb1cec68a5",
      also: ["username*": "UTF-8''J%C3%A4s%C3%B8n%20Doe"]),
    // RFC 2069 2.4 with erratum 749; httpx; scottlamb/http-auth; BSD-3-Clause
    Vector(
      name: "rfc2069-2.4-erratum749",
      challenge:
        #"Digest realm="testrealm@host.com", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093", opaque="5ccc069c403ebaf9f0171e9517f40e41""#,
      method: "GET", target: "/dir/index.html", user: "Mufasa", password: "CircleOfLife", clientNonce: nil,
      quality: nil, response: "1949323746fe6a43ef61f9606e7febea",
      also: ["opaque": "5ccc069c403ebaf9f0171e9517f40e41", "absent": "qop,nc,cnonce"]),
    // own computation after RFC 7616 3.4.4 for the same challenge; -
    Vector(
      name: "apache-userhash-rfc",
      challenge: #"Digest realm="realm1", nonce="f2a3f18799759d4f1a1c068b92b573cb", userhash=true"#,
      method: "Simple", target: "/", user: "username", password: "password", clientNonce: nil, quality: nil,
      response: "e95a7ddf37c2eab009568b1ed134f89a",
      also: ["username_hash": "6b14c3c821ab83e9bb91455fd4cda28b"]),
    // scottlamb/http-auth src/digest.rs; MIT OR Apache-2.0
    Vector(
      name: "rust-md5-sess",
      challenge:
        #"Digest realm="http-auth@example.org", qop="auth, auth-int", algorithm=MD5-sess, nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS""#,
      method: "GET", target: "/dir/index.html", user: "Mufasa", password: "Circle of Life",
      clientNonce: "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ", quality: "auth",
      response: "e783283f46242139c486a698fec7211d",
      also: ["opaque": "FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"]),
    // chromium net/http/http_auth_handler_digest_unittest.cc AssembleCredentials; BSD-3-Clause
    Vector(
      name: "chromium-md5",
      challenge:
        #"Digest realm="DRealm1", nonce="claGgoRXBAA=7583377687842fdb7b56ba0555d175baa0b800e3", algorithm=MD5, qop="auth""#,
      method: "GET", target: "/test/drealm1", user: "foo", password: "bar", clientNonce: "082c875dcb2ca740",
      quality: "auth", response: "bcfaa62f1186a31ff1b474a19a17cf57", also: [:]),
    // chromium net/http/http_auth_handler_digest_unittest.cc (newer revision); BSD-3-Clause
    Vector(
      name: "chromium-default-alg",
      challenge:
        #"Digest realm="DRealm1", nonce="claGgoRXBAA=7583377687842fdb7b56ba0555d175baa0b800e3", qop="auth""#,
      method: "GET", target: "/test/drealm1", user: "foo", password: "bar", clientNonce: "082c875dcb2ca740",
      quality: "auth", response: "bcfaa62f1186a31ff1b474a19a17cf57", also: ["absent": "algorithm"]),
    // chromium net/http/http_auth_handler_digest_unittest.cc; BSD-3-Clause
    Vector(
      name: "chromium-empty-password",
      challenge:
        #"Digest realm="DRealm1", nonce="Ure30oRXBAA=7eca98bbf521ac6642820b11b86bd2d9ed7edc70", algorithm=MD5, qop="auth""#,
      method: "GET", target: "/test/drealm1/", user: "foo bar", password: "", clientNonce: "082c875dcb2ca740",
      quality: "auth", response: "93c9c6d5930af3b0eb26c745e02b04a0", also: [:]),
    Vector(
      name: "chromium-empty-username",
      challenge:
        #"Digest realm="DRealm1", nonce="7thGplhaBAA=41fb92453c49799cf353c8cd0aabee02d61a98a8", algorithm=MD5, qop="auth""#,
      method: "GET", target: "/test/drealm1/", user: "", password: "pass", clientNonce: "6509bc74daed8263",
      quality: "auth", response: "bc597110f41a62d07f8b70b6977fcb61", also: [:]),
    Vector(
      name: "chromium-empty-both",
      challenge:
        #"Digest realm="DRealm1", nonce="s3MzvFhaBAA=4c520af5acd9d8d7ae26947529d18c8eae1e98f4", algorithm=MD5, qop="auth""#,
      method: "GET", target: "/test/drealm1/", user: "", password: "", clientNonce: "1522e61005789929",
      quality: "auth", response: "22cfa2b30cb500a9591c6d55ec5590a8", also: [:]),
    // apache/httpcomponents-client TestDigestScheme.java; Apache-2.0
    Vector(
      name: "apache-query", challenge: #"Digest realm="realm1", nonce="f2a3f18799759d4f1a1c068b92b573cb""#,
      method: "Simple", target: "/?param=value", user: "username", password: "password", clientNonce: nil,
      quality: nil, response: "a847f58f5fef0bc087bcb9c3eb30e042", also: [:]),
    // versatica/JsSIP test/test-digestAuthentication.js; MIT
    Vector(
      name: "jssip-md5-auth-nobody",
      challenge:
        #"Digest realm="testrealm@host.com", nonce="5a071f75353f667787615249c62dcc7b15a4828f", algorithm=MD5, qop="auth""#,
      method: "REGISTER", target: "sip:testrealm@host.com", user: "testuser", password: "testpassword",
      clientNonce: "0a4f113b", quality: "auth", response: "a69b9c2ea0dea1437a21df6ddc9b05e4", also: [:]),
    Vector(
      name: "jssip-sha-256-sess-auth-nobody",
      challenge:
        #"Digest realm="testrealm@host.com", nonce="5a071f75353f667787615249c62dcc7b15a4828f", algorithm=SHA-256-SESS, qop="auth""#,
      method: "REGISTER", target: "sip:testrealm@host.com", user: "testuser", password: "testpassword",
      clientNonce: "0a4f113b", quality: "auth",
      response: "69ab2b84fd74d13e7651ba2de802490ca3f9c1d940df150dfb0e57e7a3fc787f", also: [:]),
    Vector(
      name: "jssip-sha-512-256-auth-int-empty",
      challenge:
        #"Digest realm="testrealm@host.com", nonce="5a071f75353f667787615249c62dcc7b15a4828f", algorithm=SHA-512-256, qop="auth-int""#,
      method: "REGISTER", target: "sip:testrealm@host.com", user: "testuser", password: "testpassword",
      clientNonce: "0a4f113b", quality: "auth-int",
      response: "4dd0a3006ac4caac16b4b92304ded30fac6e0e42eb6b8fca9a8e0aaead56176c", also: [:]),
    // icholy/digest digest_test.go; MIT
    Vector(
      name: "icholy-authint",
      challenge:
        #"Digest realm="me@kennethreitz.com", nonce="7a5462bc2121c2e609e6f71c64d341c1", opaque="5498295c3383fbb467b160f1143e51d4", algorithm=MD5, qop="auth-int""#,
      method: "GET", target: "/digest-auth/auth-int/foo/bar", user: "foo", password: "bar",
      clientNonce: "MjhjOWI2ZDRmNmVkNjlmYzRmMTdjZjAxYmU4ZTNkM2U=", quality: "auth-int",
      response: "a86955ec413135f7902c0bae37d75469",
      also: ["qop": "auth-int", "opaque": "5498295c3383fbb467b160f1143e51d4"]),
    // curl/curl tests/data/test65; curl
    Vector(
      name: "curl-test65-1", challenge: #"Digest realm="testrealm", nonce="2053604145""#, method: "GET",
      target: "/65", user: "testuser", password: "test2pass", clientNonce: nil, quality: nil,
      response: "66d68d3251f1839576ba7c766cf9205b", also: [:]),
    // curl/curl tests/data/test72; curl
    Vector(
      name: "curl-test72-1", challenge: #"Digest realm="testrealm", nonce="1053604199""#, method: "GET",
      target: "/72", user: "testuser", password: "testpass", clientNonce: nil, quality: nil,
      response: "9fcd1330377365a09bbcb33b2cbb25bd", also: [:]),
    // curl/curl tests/data/test153; curl
    Vector(
      name: "curl-test153-1", challenge: #"Digest realm="testrealm", nonce="1053604145""#, method: "GET",
      target: "/1530001", user: "testuser", password: "testpass", clientNonce: nil, quality: nil,
      response: "f4f83139396995bac665f24a1f1055c7", also: [:]),
    Vector(
      name: "curl-test153-3", challenge: #"Digest realm="testrealm", nonce="1053604145""#, method: "GET",
      target: "/1530002", user: "testuser", password: "testpass", clientNonce: nil, quality: nil,
      response: "f84511b014fdd0ba6494f42871079c32", also: [:]),
    // curl/curl tests/data/test154; curl
    Vector(
      name: "curl-test154-1", challenge: #"Digest realm="gimme all yer s3cr3ts", nonce="11223344""#,
      method: "PUT", target: "/154", user: "testuser", password: "testpass", clientNonce: nil, quality: nil,
      response: "b71551e12d1c456e47d8388ecb2edeca", also: [:]),
    // curl/curl tests/data/test168; curl
    Vector(
      name: "curl-test168-1", challenge: #"Digest realm="weirdorealm", nonce="12345""#, method: "GET",
      target: "/168", user: "foo", password: "bar", clientNonce: nil, quality: nil,
      response: "fb8608e00ad9239a3dedb14bc8575976", also: [:]),
    // curl/curl tests/data/test169; curl
    Vector(
      name: "curl-test169-2", challenge: #"Digest realm="r e a l m", nonce="abcdef""#, method: "GET",
      target: "/169", user: "digest", password: "a-lot", clientNonce: nil, quality: nil,
      response: "89b737a4b6eefde285c093c92e9bd6ea", also: [:]),
    // curl/curl tests/data/test245; curl
    Vector(
      name: "curl-test245-1", challenge: #"Digest realm="testrealm", nonce="1053604144""#, method: "POST",
      target: "/245", user: "auser", password: "apasswd", clientNonce: nil, quality: nil,
      response: "379a439b1737ba257c1d2f103914b18b", also: [:]),
    // curl/curl tests/data/test258; curl
    Vector(
      name: "curl-test258-1", challenge: #"Digest realm="many secrets", nonce="911""#, method: "POST",
      target: "/we/want/258", user: "uuuser", password: "pppassword", clientNonce: nil, quality: nil,
      response: "2501654ca391f0b5c8c12a1da77e34cd", also: [:]),
    // curl/curl tests/data/test388; curl
    Vector(
      name: "curl-test388-1", challenge: #"Digest realm="testrealm", nonce="1053604145""#, method: "GET",
      target: "/3880001", user: "testuser", password: "testpass", clientNonce: nil, quality: nil,
      response: "ea598bbfdb5c54b7352c977e3885e44d", also: [:]),
    // curl/curl tests/data/test552; curl
    Vector(
      name: "curl-test552-1",
      challenge:
        #"Digest realm="something fun to read", nonce="AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA""#,
      method: "POST", target: "/path/552", user: "s1lly", password: "pers0n", clientNonce: nil, quality: nil,
      response: "be7aedc47d821b6d847c445ded782c43", also: [:]),
    // curl/curl tests/data/test1061; curl
    Vector(
      name: "curl-test1061-1", challenge: #"Digest realm="weirdorealm", nonce="12345""#, method: "CONNECT",
      target: "test.remote.haxx.se.1061:8990", user: "silly", password: "person", clientNonce: nil,
      quality: nil, response: "4e23449fa93224834299e7282a70472c", also: [:]),
    // curl/curl tests/data/test1285; curl
    Vector(
      name: "curl-test1285-1", challenge: #"Digest realm="testrealm", nonce="1053604144""#, method: "PUT",
      target: "/1285", user: "auser", password: "apasswd", clientNonce: nil, quality: nil,
      response: "dc185587d5e8391b347eef194c2a3cd6", also: [:]),
    // curl/curl tests/data/test1412; curl
    Vector(
      name: "curl-test1412-1", challenge: #"Digest realm="gimme all yer s3cr3ts", nonce="11223344""#,
      method: "GET", target: "/1412", user: "testuser", password: "testpass", clientNonce: nil, quality: nil,
      response: "0390dbe89e31adca0413d11f91f30e7f", also: [:]),
    // curl/curl tests/data/test1418; curl
    Vector(
      name: "curl-test1418-1", challenge: #"Digest realm="loonie", nonce="314156592""#, method: "GET",
      target: "/1418", user: "testuser", password: "testpass", clientNonce: nil, quality: nil,
      response: "986238b7e0077754944c966f56d9bc77", also: [:]),
    // curl/curl tests/data/test1588; curl
    Vector(
      name: "curl-test1588-1", challenge: #"Digest realm="weirdorealm", nonce="12345""#, method: "GET",
      target: "/path/1588", user: "silly", password: "person", clientNonce: nil, quality: nil,
      response: "d0b2f000c7e3fca24452b5810713404a", also: [:]),
    // curl/curl tests/data/test1686; curl
    Vector(
      name: "curl-test1686-3", challenge: #"Digest realm="my-backyard", nonce="314156295""#, method: "GET",
      target: "/hook", user: "alice", password: "bond", clientNonce: nil, quality: nil,
      response: "d3a7738fb6a23f5543fb8dacc0f0f253", also: [:]),
    // curl/curl tests/data/test2024; curl
    Vector(
      name: "curl-test2024-1", challenge: #"Digest realm="testrealm", nonce="1""#, method: "GET",
      target: "/20240200", user: "testuser", password: "testpass", clientNonce: nil, quality: nil,
      response: "ed646c565f79e2dd9fa37cb5a621213c", also: [:]),
    Vector(
      name: "curl-test2024-3", challenge: #"Digest realm="testrealm", nonce="2""#, method: "GET",
      target: "/20240400", user: "testuser", password: "wrongpass", clientNonce: nil, quality: nil,
      response: "9741ced8caacc6124770187b36f007c5", also: [:]),
    // curl/curl tests/data/test2026; curl
    Vector(
      name: "curl-test2026-1", challenge: #"Digest realm="testrealm", nonce="1""#, method: "GET",
      target: "/20260100", user: "testuser", password: "wrongpass", clientNonce: nil, quality: nil,
      response: "5f992a2e761ab926256419f7c685f85b", also: [:]),
    Vector(
      name: "curl-test2026-4", challenge: #"Digest realm="testrealm", nonce="3""#, method: "GET",
      target: "/20260300", user: "testuser", password: "wrongpass", clientNonce: nil, quality: nil,
      response: "132242e602882251929be93228c830ae", also: [:]),
    // curl/curl tests/data/test2030; curl
    Vector(
      name: "curl-test2030-5", challenge: #"Digest realm="testrealm", nonce="5""#, method: "GET",
      target: "/20300400", user: "testuser", password: "wrongpass", clientNonce: nil, quality: nil,
      response: "d6262e9147db08c62ff2f53b515861e8", also: [:]),
    // curl/curl tests/data/test2062; curl
    Vector(
      name: "curl-test2062-1",
      challenge: #"Digest realm="testrealm", nonce="1053604145", algorithm="SHA-512-256""#, method: "GET",
      target: "/2062", user: "testuser", password: "testpass", clientNonce: nil, quality: nil,
      response: "9d3256ee6526ec40dd48743bb48e51ee9baba587c78f15c3a86166242150af98", also: [:]),
    // curl/curl tests/data/test2067; curl
    Vector(
      name: "curl-test2067-1",
      challenge: #"Digest realm="testrealm", nonce="1053604144", algorithm="SHA-256""#, method: "POST",
      target: "/2067", user: "auser", password: "apasswd", clientNonce: nil, quality: nil,
      response: "67b97af219c92fa7e8685e5bebb8e74892f6c6792e911c52bd2dfbf0b49272eb", also: [:]),
    // Computed afresh after RFC 7616 §3.4 with another implementation of the hashes
    Vector(
      name: "own MD5 auth",
      challenge: ##"Digest realm="sta\"ff\\", nonce="n/once=", algorithm=MD5, qop="auth", charset=UTF-8"##,
      method: "PATCH", target: "/a/b?c=%20&d=1", user: "reader", password: ##"s3crét, "quoted""##,
      clientNonce: "c0ffee", quality: "auth", response: "870f8addfa58c9ac3e5499d9a9d15f01",
      also: ["algorithm": "MD5"]),
    Vector(
      name: "own MD5 auth-int",
      challenge:
        ##"Digest realm="sta\"ff\\", nonce="n/once=", algorithm=MD5, qop="auth-int", charset=UTF-8"##,
      method: "PATCH", target: "/a/b?c=%20&d=1", user: "reader", password: ##"s3crét, "quoted""##,
      clientNonce: "c0ffee", quality: "auth-int", response: "72ece717678adba5a9604ebaf68ac552",
      also: ["algorithm": "MD5"]),
    Vector(
      name: "own MD5-sess auth",
      challenge:
        ##"Digest realm="sta\"ff\\", nonce="n/once=", algorithm=MD5-sess, qop="auth", charset=UTF-8"##,
      method: "PATCH", target: "/a/b?c=%20&d=1", user: "reader", password: ##"s3crét, "quoted""##,
      clientNonce: "c0ffee", quality: "auth", response: "2e3825db4e8d25768221862c70fe7831",
      also: ["algorithm": "MD5-sess"]),
    Vector(
      name: "own MD5-sess auth-int",
      challenge:
        ##"Digest realm="sta\"ff\\", nonce="n/once=", algorithm=MD5-sess, qop="auth-int", charset=UTF-8"##,
      method: "PATCH", target: "/a/b?c=%20&d=1", user: "reader", password: ##"s3crét, "quoted""##,
      clientNonce: "c0ffee", quality: "auth-int", response: "e0d716d6077e2668234e2cbe1d491cab",
      also: ["algorithm": "MD5-sess"]),
    Vector(
      name: "own SHA-256 auth",
      challenge:
        ##"Digest realm="sta\"ff\\", nonce="n/once=", algorithm=SHA-256, qop="auth", charset=UTF-8"##,
      method: "PATCH", target: "/a/b?c=%20&d=1", user: "reader", password: ##"s3crét, "quoted""##,
      clientNonce: "c0ffee", quality: "auth",
      response: "26febbea40d88e537f85a361f76da0c9d3f8d3198a251042628cf68750f62ca0",
      also: ["algorithm": "SHA-256"]),
    Vector(
      name: "own SHA-256 auth-int",
      challenge:
        ##"Digest realm="sta\"ff\\", nonce="n/once=", algorithm=SHA-256, qop="auth-int", charset=UTF-8"##,
      method: "PATCH", target: "/a/b?c=%20&d=1", user: "reader", password: ##"s3crét, "quoted""##,
      clientNonce: "c0ffee", quality: "auth-int",
      response: "7c9b197c61016429098aa682bb8463939928b7439e06e06bef3f44567a139533",
      also: ["algorithm": "SHA-256"]),
    Vector(
      name: "own SHA-256-sess auth",
      challenge:
        ##"Digest realm="sta\"ff\\", nonce="n/once=", algorithm=SHA-256-sess, qop="auth", charset=UTF-8"##,
      method: "PATCH", target: "/a/b?c=%20&d=1", user: "reader", password: ##"s3crét, "quoted""##,
      clientNonce: "c0ffee", quality: "auth",
      response: "0deb0858856ef67986e0f50634f0fd5a4341ce5a746840ab32a65fe2dcf979ea",
      also: ["algorithm": "SHA-256-sess"]),
    Vector(
      name: "own SHA-256-sess auth-int",
      challenge:
        ##"Digest realm="sta\"ff\\", nonce="n/once=", algorithm=SHA-256-sess, qop="auth-int", charset=UTF-8"##,
      method: "PATCH", target: "/a/b?c=%20&d=1", user: "reader", password: ##"s3crét, "quoted""##,
      clientNonce: "c0ffee", quality: "auth-int",
      response: "ec5253f9db1fdcc5c8bd7b76260f99547d8dda1160e512c9e259211840c99e0d",
      also: ["algorithm": "SHA-256-sess"]),
    Vector(
      name: "own SHA-512-256 auth",
      challenge:
        ##"Digest realm="sta\"ff\\", nonce="n/once=", algorithm=SHA-512-256, qop="auth", charset=UTF-8"##,
      method: "PATCH", target: "/a/b?c=%20&d=1", user: "reader", password: ##"s3crét, "quoted""##,
      clientNonce: "c0ffee", quality: "auth",
      response: "92a95cf424fc41aa798496a0ebaa8589da08b7940561a39b4e4dd0285594263a",
      also: ["algorithm": "SHA-512-256"]),
    Vector(
      name: "own SHA-512-256 auth-int",
      challenge:
        ##"Digest realm="sta\"ff\\", nonce="n/once=", algorithm=SHA-512-256, qop="auth-int", charset=UTF-8"##,
      method: "PATCH", target: "/a/b?c=%20&d=1", user: "reader", password: ##"s3crét, "quoted""##,
      clientNonce: "c0ffee", quality: "auth-int",
      response: "c2c4ad455b1ef30505f6280d2a5b3fa7fd7aacee85bf5a76ac1edd62d9ee0ca2",
      also: ["algorithm": "SHA-512-256"]),
    Vector(
      name: "own SHA-512-256-sess auth",
      challenge:
        ##"Digest realm="sta\"ff\\", nonce="n/once=", algorithm=SHA-512-256-sess, qop="auth", charset=UTF-8"##,
      method: "PATCH", target: "/a/b?c=%20&d=1", user: "reader", password: ##"s3crét, "quoted""##,
      clientNonce: "c0ffee", quality: "auth",
      response: "69fc23a3e3c688478728891b76e834f9472399d4b17599602f314450fa41fbc0",
      also: ["algorithm": "SHA-512-256-sess"]),
    Vector(
      name: "own SHA-512-256-sess auth-int",
      challenge:
        ##"Digest realm="sta\"ff\\", nonce="n/once=", algorithm=SHA-512-256-sess, qop="auth-int", charset=UTF-8"##,
      method: "PATCH", target: "/a/b?c=%20&d=1", user: "reader", password: ##"s3crét, "quoted""##,
      clientNonce: "c0ffee", quality: "auth-int",
      response: "13422df17d41f85f4be4eecd0e54e012bb1adab27dd1503c6cecce970e55edf7",
      also: ["algorithm": "SHA-512-256-sess"]),
  ]
}
