/// The name of a task on the wire. Callers choose names, so each uid has its own set: a caller can neither learn the
/// names of others from a taken one, nor take one from them.
struct TaskName: Hashable {
  let uid: UInt32
  let text: String
}
