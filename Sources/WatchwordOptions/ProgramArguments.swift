internal import CLinux
internal import Glibc
internal import WatchwordVocabulary

/// The arguments of this process, as `main` got them.
package enum ProgramArguments {
  package enum ArgumentsFault: Error {
    /// Not even the name of the program is known.
    case unknown
    /// This variable of the environment is not UTF-8: repaired, it would name another file.
    case variableNotText(name: String)
  }

  /// Variables that name files: repaired, they would name others.
  private static let variables = [
    "HOME", "WATCHWORD_ASKPASS", "WATCHWORD_SOCKET", "XDG_CONFIG_HOME", "XDG_RUNTIME_DIR", "XDG_STATE_HOME",
  ]

  /// All of them as ``OctetText``, the name of the program first.
  package static func read() throws(ArgumentsFault) -> [String] {
    var arguments: [String] = []
    guard let name = clinux_argument(0) else { throw .unknown }
    arguments.append(text(name))
    while let argument = clinux_argument(Int32(arguments.count)) { arguments.append(text(argument)) }
    for name in variables {
      guard let value = getenv(name), String(validatingCString: value) == nil else { continue }
      throw .variableNotText(name: name)
    }
    return arguments
  }

  private static func text(_ argument: UnsafePointer<CChar>) -> String {
    OctetText.text(of: Array(UnsafeRawBufferPointer(start: argument, count: strlen(argument))))
  }
}

extension ProgramArguments.ArgumentsFault {
  /// For a person.
  package var text: String {
    switch self {
    case .unknown: "cannot read the arguments of this process"
    case .variableNotText(let name): "\(name) in the environment is not UTF-8"
    }
  }
}
