/// What a task is called on the wire. Names are chosen by callers, so each uid has its own: nobody learns from a name
/// that is taken what others do, or takes one away from them.
struct TaskName: Hashable {
  let uid: UInt32
  let text: String
}
