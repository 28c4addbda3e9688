/// Where the daemon's configuration file is.
package enum ConfigurationPlace: Sendable, Equatable {
  /// The file that `--configuration` names; it must exist.
  case given(String)
  /// The file of the daemon's own account, which counts where it exists (administrator.md 15.1.3).
  case own(String)

  private static let name = "watchword/config.json"

  /// The given file, else the account's own, below `XDG_CONFIG_HOME` or the home directory; nil when neither is set.
  package static func resolve(_ given: String?, environment: (String) -> String?) -> ConfigurationPlace? {
    if let given { return .given(given) }
    // A path that is not absolute must be ignored (XDG Base Directory Specification).
    if let folder = environment("XDG_CONFIG_HOME"), folder.hasPrefix("/") { return .own("\(folder)/\(name)") }
    guard let home = environment("HOME"), home.hasPrefix("/") else { return nil }
    return .own("\(home)/.config/\(name)")
  }

  package var path: String {
    switch self {
    case .given(let path), .own(let path): path
    }
  }

  var isOwn: Bool {
    switch self {
    case .given: false
    case .own: true
    }
  }
}
