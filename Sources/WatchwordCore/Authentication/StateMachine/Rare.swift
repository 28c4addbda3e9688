/// An optional value that nearly always is nil, kept beside what has it.
///
/// A task's machine is moved several times in every fetch, and ten thousand of them may wait for one challenge.
@propertyWrapper
struct Rare<Value: Sendable>: Sendable {
  /// None or one.
  private var values: [Value] = []

  init(wrappedValue: Value?) { self.wrappedValue = wrappedValue }

  var wrappedValue: Value? {
    get { values.first }
    set { values = newValue.map { [$0] } ?? [] }
  }
}
