internal import Glibc

/// What the kernel would write to disk when this program crashes.
enum CoreDumps {
  /// Called before a secret comes into memory. Other processes of the same user may still look at this one,
  /// and must: the daemon reads from `/proc` which program is waiting.
  static func forbid() {
    var none = rlimit(rlim_cur: 0, rlim_max: 0)
    setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
  }
}
