internal import Glibc

/// Prevents core dumps, which could write a secret to disk.
enum CoreDumps {
  /// Call it before a secret is in memory. Other processes of the same user may still inspect this one, and must: the
  /// daemon reads from `/proc` which program is waiting.
  static func forbid() {
    var none = rlimit(rlim_cur: 0, rlim_max: 0)
    setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
  }
}
