internal import Glibc

/// A value that several threads use, one at a time.
///
/// A pthread mutex and not `Synchronization.Mutex`: ThreadSanitizer knows the former, and reports every
/// access under the latter as a race.
// Unchecked, because the mutex is what makes it safe: `value` is touched while it is held and nowhere else.
package final class Locked<Value>: @unchecked Sendable {
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private var value: Value

  package init(_ value: Value) {
    self.value = value
    mutex = .allocate(capacity: 1)
    pthread_mutex_init(mutex, nil)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  package func withLock<Result, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body(&value)
  }
}
