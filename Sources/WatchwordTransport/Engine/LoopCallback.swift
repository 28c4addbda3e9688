internal import WatchwordReactor

/// Hands a callback of libcurl or OpenSSL to the object behind its user data.
///
/// Both call back only from inside functions that were called on the loop. The arguments are lent for the
/// call and used on this thread before it returns, which is what allows them to pass as isolated.
func onLoop<Object: AnyObject, Argument, Result>(
  _ context: UnsafeMutableRawPointer, _ argument: Argument,
  _ body: @ReactorActor (Object, Argument) -> Result
) -> Result {
  nonisolated(unsafe) let context = context
  nonisolated(unsafe) let argument = argument
  return assumeOnLoop { body(Unmanaged<Object>.fromOpaque(context).takeUnretainedValue(), argument) }
}
