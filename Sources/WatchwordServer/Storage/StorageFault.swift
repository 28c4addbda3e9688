/// Why nothing can be stored; each text is the end of a sentence for a person.
enum StorageFault: Error, Sendable {
  /// No place is configured.
  case noPlace
  case inUse(String)
  /// The directory has a wrong owner, mode or type.
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
