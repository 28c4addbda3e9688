internal import WatchwordOptions

/// An option in the form that a shell's completion needs.
struct CompletionWord {
  let text: String
  let takesArgument: Bool
  let completion: Completion
}
