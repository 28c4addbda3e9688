/// The version of the program, which is released together with the daemon.
enum Version {
  static let text = "1.0.0"
}
