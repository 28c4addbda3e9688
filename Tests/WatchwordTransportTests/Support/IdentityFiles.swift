import WatchwordCore
import WatchwordJSON
import WatchwordSecret

/// Client certificates and keys in every form that there is, minted once by openssl.
final class IdentityFiles: Sendable {
  static let shared = IdentityFiles()

  /// PEM texts, and PKCS#12 in hexadecimal, by the file's name.
  private let files: JSONObject

  func text(_ name: String) -> String {
    guard case .string(let text) = files[name] else { return "" }
    return text
  }

  func bytes(_ name: String) -> [UInt8] {
    let digits = Array(text(name).utf8)
    return stride(from: 0, to: digits.count - 1, by: 2).map {
      UInt8(String(decoding: digits[$0..<($0 + 2)], as: UTF8.self), radix: 16) ?? 0
    }
  }

  /// A certificate and a key by the names of their files, without what comes behind the dot.
  func pem(_ certificate: String, _ key: String, passphrase: String? = nil) -> IdentityMaterial {
    .pem(
      certificates: text("\(certificate).pem"), privateKey: Secret(text("\(key).key").utf8),
      passphrase: passphrase.map { Secret($0.utf8) })
  }

  func pkcs12(_ name: String, passphrase: String? = nil) -> IdentityMaterial {
    .pkcs12(Secret(bytes("\(name).p12")), passphrase: passphrase.map { Secret($0.utf8) })
  }

  private init() {
    let printed = ChildProcess.start("python3", ["-c", Self.script]).readUntil("ready")
    let line = Array((printed.split(separator: "\n").first ?? "").utf8)
    let value = try? line.withUnsafeBytes { bytes throws(JSONError) in try JSONParser().parse(bytes) }
    guard case .object(let files) = value else { preconditionFailure("nothing was minted: \(printed)") }
    self.files = files
  }

  private static let script = #"""
    import json, os, shutil, subprocess, sys, tempfile

    os.closerange(3, 65536)
    folder = tempfile.mkdtemp(prefix="watchword-identities-")
    os.chdir(folder)

    def openssl(*arguments, may_fail=False):
        subprocess.run(["openssl", *arguments], check=not may_fail, capture_output=True)

    def authority(name, subject, issuer=None):
        openssl("req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-subj", subject,
                "-keyout", f"{name}.key", "-out", f"{name}.csr")
        with open("e", "w") as file:
            file.write("basicConstraints=critical,CA:TRUE\nkeyUsage=critical,keyCertSign\n")
        sign = ["-CA", f"{issuer}.pem", "-CAkey", f"{issuer}.key"] if issuer else ["-signkey", f"{name}.key"]
        openssl("x509", "-req", "-in", f"{name}.csr", *sign, "-days", "30", "-extfile", "e", "-out", f"{name}.pem")

    def leaf(name, *key, issuer="middle", usage="extendedKeyUsage=clientAuth\nkeyUsage=digitalSignature\n",
             days="30", digest="-sha256"):
        openssl("genpkey", *key, "-out", f"{name}.key")
        openssl("req", "-new", "-key", f"{name}.key", "-subj", f"/O=Watchword/CN={name}", "-out", f"{name}.csr")
        with open("e", "w") as file:
            file.write(f"basicConstraints=CA:FALSE\n{usage}")
        openssl("x509", "-req", "-in", f"{name}.csr", "-CA", f"{issuer}.pem", "-CAkey", f"{issuer}.key", "-days", days,
                digest, "-extfile", "e", "-out", f"{name}.pem")

    ec = ["-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256"]
    authority("root", "/O=Watchword/CN=Root")
    authority("middle", "/O=Watchword/CN=Middle", issuer="root")
    leaf("ec", *ec)
    leaf("rsa", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048")
    leaf("ed25519", "-algorithm", "ed25519")
    leaf("ed448", "-algorithm", "ed448")
    leaf("weak", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:1024")
    leaf("server", *ec, usage="extendedKeyUsage=serverAuth\n")
    leaf("agreement", *ec, usage="keyUsage=keyAgreement\n")
    leaf("bare", *ec, usage="")
    leaf("expired", *ec, days="-1")

    openssl("pkcs8", "-topk8", "-in", "ec.key", "-passout", "pass:sesame", "-out", "ec-pkcs8.key")
    openssl("pkcs8", "-topk8", "-in", "ec.key", "-passout", "pass:sesame", "-scrypt", "-out", "ec-scrypt.key")
    openssl("pkcs8", "-topk8", "-in", "rsa.key", "-passout", "pass:sesame", "-iter", "2000001", "-out", "rsa-slow.key")
    openssl("pkcs8", "-topk8", "-in", "rsa.key", "-passout", "pass:sesame", "-v1", "PBE-SHA1-3DES", "-out", "rsa-3des.key")
    openssl("pkcs8", "-topk8", "-in", "rsa.key", "-passout", "pass:sesame", "-v1", "PBE-SHA1-RC2-40", "-provider", "legacy",
            "-provider", "default", "-out", "rsa-rc2.key", may_fail=True)
    openssl("ec", "-in", "ec.key", "-out", "ec-sec1.key")
    openssl("ec", "-in", "ec.key", "-aes256", "-passout", "pass:sesame", "-out", "ec-traditional.key")
    openssl("rsa", "-in", "rsa.key", "-traditional", "-out", "rsa-pkcs1.key")
    openssl("rsa", "-in", "rsa.key", "-traditional", "-aes128", "-passout", "pass:sesame", "-out", "rsa-traditional.key")

    def bundle(name, *parts):
        with open(f"{name}.pem", "w") as file:
            file.write("".join(open(f"{part}.pem").read() for part in parts))

    bundle("chain", "ec", "middle", "root")
    bundle("upside-down", "root", "middle", "ec")
    bundle("many", "ec", *["middle"] * 32)

    export = ["pkcs12", "-export", "-inkey", "rsa.key", "-in", "rsa.pem", "-certfile", "middle.pem"]
    openssl(*export, "-passout", "pass:sesame", "-out", "new.p12")
    openssl(*export, "-passout", "pass:", "-out", "empty.p12")
    openssl(*export, "-passout", "pass:sesame", "-nomac", "-out", "unsigned.p12")
    openssl(*export, "-passout", "pass:sesame", "-iter", "3000000", "-out", "slow.p12")
    openssl(*export, "-passout", "pass:sesame", "-legacy", "-out", "legacy.p12", may_fail=True)
    openssl("pkcs12", "-export", "-nokeys", "-in", "rsa.pem", "-passout", "pass:sesame", "-out", "keyless.p12")

    files = {}
    for name in os.listdir("."):
        with open(name, "rb") as file:
            files[name] = file.read().hex() if name.endswith(".p12") else file.read().decode("latin-1")
    shutil.rmtree(folder)
    print(json.dumps(files))
    print("ready", flush=True)
    sys.stdin.read()
    """#
}
