/// An option as a shell's completion needs it.
struct CompletionWord {
  let text: String
  let takesArgument: Bool
  let completion: Completion
}
