internal import WatchwordReactor

/// Hands a callback of libcurl or OpenSSL to the object behind its user data.
///
/// Both call back only from inside functions that were called on the loop. The arguments are lent for the
/// call and used on this thread before it returns, which is what allows them to pass as isolated. `body` captures
/// nothing.
func onLoop<Object: AnyObject, Argument, Result>(
  _ context: UnsafeMutableRawPointer, _ argument: Argument,
  _ body: @escaping @ReactorActor (Object, Argument) -> Result
) -> Result {
  assumeOnLoop(Unmanaged<Object>.fromOpaque(context).takeUnretainedValue(), argument, body)
}
