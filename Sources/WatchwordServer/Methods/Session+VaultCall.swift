internal import WatchwordProtocol
internal import WatchwordReactor

extension Session {
  /// Continues a call when the account's vault is open; the first permanent credential makes it.
  func withVault(
    for call: Call, _ body: @escaping @ReactorActor () throws(RPCError) -> Void
  ) throws(RPCError) {
    guard let account else { return }
    if account.isOpen { return try body() }
    var isCancelled = false
    call.whenStopped { isCancelled = true }
    account.prepare { result in
      guard !isCancelled else { return }
      switch result {
      case .failure(let fault): call.fail(RPCError(fault))
      case .success:
        do throws(RPCError) { try body() } catch { call.fail(error) }
      }
    }
  }
}
