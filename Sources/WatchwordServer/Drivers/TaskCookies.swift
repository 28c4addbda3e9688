internal import WatchwordCore
internal import WatchwordReactor
internal import WatchwordTransport

/// The cookies of one task, which end with it: no other task is sent them, and it is sent those of no other.
@ReactorActor
final class TaskCookies {
  let jar: SessionCookies
  private let charge: MemoryCharge

  init(policy: SessionConfiguration.Cookies, charge: MemoryCharge) {
    jar = SessionCookies(policy: policy)
    self.charge = charge
  }

  /// The cookies of a response have been kept. Where there is no memory for them, none is.
  func count() {
    guard !charge.grow(to: jar.heldBytes) else { return }
    _ = jar.remove(domain: nil, name: nil)
    charge.giveBack()
  }
}
