/// The version of the program: the daemon's, which is released with it.
enum Version {
  static let text = "1.0.0"
}
