internal import Glibc

/// Variables of the environment that libraries read, and that count for nothing in the daemon.
enum IgnoredEnvironment {
  /// A level below 3 has gss-ntlmssp send what is as good as the password. The others have it, and libcurl, write to files.
  private static let names = ["LM_COMPAT_LEVEL", "GSSNTLMSSP_DEBUG", "SSLKEYLOGFILE"]

  /// Call before there are threads, which may read the environment.
  static func remove() {
    for name in names { unsetenv(name) }
  }
}
