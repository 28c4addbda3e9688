/// Why nothing can be kept; each text is a sentence's end for a person.
enum StorageFault: Error, Sendable {
  /// Nothing says where.
  case noPlace
  case inUse(String)
  /// The directory is not as it must be.
  case loose(String)
  case system(String)
  case full(String)

  var text: String {
    switch self {
    case .noPlace: "no --state-directory, STATE_DIRECTORY, XDG_STATE_HOME or HOME says where"
    case .inUse(let text), .loose(let text), .system(let text), .full(let text): text
    }
  }
}
