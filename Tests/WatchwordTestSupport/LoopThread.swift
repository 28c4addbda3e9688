internal import Glibc
internal import WatchwordReactor

/// The process's loop on a thread of its own, started once and never stopped.
package enum LoopThread {
  package static let started: Void = {
    var thread = pthread_t()
    pthread_create(
      &thread, nil,
      { _ in
        EventLoop.shared.run()
        return nil
      }, nil)
    pthread_detach(thread)
  }()
}
