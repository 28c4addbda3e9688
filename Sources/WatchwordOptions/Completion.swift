/// The values that a shell offers for an option's argument.
@frozen
package enum Completion {
  case none
  case file
  case words([String])

  @inlinable package var isFile: Bool {
    if case .file = self { true } else { false }
  }
}
