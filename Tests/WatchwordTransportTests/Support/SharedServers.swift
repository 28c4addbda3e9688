/// What the tests of this target share, and what takes seconds to mint: whoever asks first on the loop stops it meanwhile.
enum SharedServers {
  /// For tests of time: from then on nothing stops the loop that is not the loop's.
  @concurrent static func made() async {
    _ = (TLSOrigins.shared, HTTP2Origin.shared, IdentityFiles.shared)
  }
}
