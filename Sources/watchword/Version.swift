/// The version of the program; the daemon says its own in `status`.
enum Version {
  static let text = "0.1.0"
}
