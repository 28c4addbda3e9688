internal import CLinux

/// The arguments of this process, as `main` got them.
package enum ProgramArguments {
  package enum Fault: Error {
    /// Not even the name of the program is known.
    case unknown
    /// It is not UTF-8: repaired, it would name another file or mean something else.
    case notText(number: Int)
  }

  /// All of them, the name of the program first.
  package static func read() throws(Fault) -> [String] {
    var arguments: [String] = []
    guard let name = clinux_argument(0) else { throw .unknown }
    arguments.append(String(cString: name))
    while let argument = clinux_argument(Int32(arguments.count)) {
      guard let text = String(validatingCString: argument) else { throw .notText(number: arguments.count) }
      arguments.append(text)
    }
    return arguments
  }
}

extension ProgramArguments.Fault {
  /// For a person.
  package var text: String {
    switch self {
    case .unknown: "cannot read the arguments of this process"
    case .notText(let number): "argument \(number) is not UTF-8"
    }
  }
}
