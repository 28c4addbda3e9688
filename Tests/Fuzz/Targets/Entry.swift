internal import Glibc

/// What libFuzzer calls with each input. `FUZZ_TARGET` says which target it is for.
@_cdecl("LLVMFuzzerTestOneInput")
package func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  Target.chosen(UnsafeRawBufferPointer(start: start, count: count))
  return 0
}

private enum Target {
  static let chosen: @Sendable (UnsafeRawBufferPointer) -> Void = {
    switch getenv("FUZZ_TARGET").map({ String(cString: $0) }) {
    case "frames": return FrameTarget.run
    case "messages": return MessageTarget.run
    case "headers": return HeaderTarget.run
    case "certificates": return CertificateTarget.run
    default: fatalError("FUZZ_TARGET has to be frames, messages, headers or certificates")
    }
  }()
}

/// What must hold for every input; a crash is what libFuzzer looks for.
func require(_ holds: Bool, _ what: StaticString) {
  if !holds { fatalError("\(what)") }
}
