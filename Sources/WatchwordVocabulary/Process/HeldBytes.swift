/// What things take in memory, for the budgets of users.
///
/// Measured on glibc, whose heap cannot use some of what lies between things. The process grows by no more
/// than 1.3 times the sum of these.
package enum HeldBytes {
  /// One connection of a caller.
  package static let caller = 6144
  /// One session that a connection of a caller holds.
  package static let membership = 512
  /// One session without connections.
  package static let session = 7168
  /// One task, whether it runs or waits.
  package static let task = 7168
  /// What libcurl keeps for one partition of connections.
  package static let pool = 40_960
  /// One connection to a server or proxy.
  package static let connection = 8192
  /// Its TLS, with the certificates of both sides.
  package static let tls = 65_536
  /// One running exchange, with the buffer that it reads into.
  package static let exchange = 16_384
  /// One credential beside its texts, with its protection space.
  package static let credential = 1024
  /// How often the texts of a change are in memory until the vault has it: themselves, their record, and that
  /// one sealed.
  package static let copiesInTransaction = 3
  /// One client identity beside its key and certificates.
  package static let identity = 4096
  /// One certificate that OpenSSL has read.
  package static let certificate = 8192
  /// How many bytes OpenSSL needs for each byte of a revocation list in PEM.
  package static let revocationListFactor = 8
  /// One handshake that waits for the signature of a token, with its stack of 32 KiB.
  package static let signing = 36_864
  /// One result of a detached task beside its texts.
  package static let result = 2048

  /// One of many texts, or any other value of a list.
  private static let value = 96

  /// A text, or a value of a list that has so many bytes elsewhere.
  package static func text(_ bytes: Int) -> Int { value + bytes + bytes / 4 }

  package static func text(_ text: String) -> Int { self.text(text.utf8.count) }

  /// A certificate of a client identity, of so many bytes in DER.
  package static func certificate(der bytes: Int) -> Int { 3072 + 3 * bytes }

  /// A private key whose signatures have so many bytes.
  package static func key(signing bytes: Int) -> Int { 16 * bytes }
}
