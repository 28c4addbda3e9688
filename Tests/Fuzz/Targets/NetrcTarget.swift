internal import WatchwordCore
internal import WatchwordVocabulary

/// The text of a netrc file.
enum NetrcTarget {
  @Sendable static func run(_ input: UnsafeRawBufferPointer) {
    guard let netrc = try? Netrc(text: Secret(copying: input)) else { return }
    require(netrc.entries.count <= input.count / 8, "an entry that is not in the text")
    for entry in netrc.entries {
      require(
        entry.machine == entry.machine.lowercased() || !entry.machine.utf8.allSatisfy { $0 < 0x80 },
        "a machine in capitals")
      require(entry.user.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }, "a control character in a user")
    }
    let store = NetrcStore(netrc)
    guard let first = netrc.entries.first else { return }
    let origin = Origin(scheme: .https, host: first.machine, port: 443)
    let found = store.credential(
      for: ProtectionSpace(origin: origin, realm: nil, authenticationMethod: .basic), user: nil)
    require(
      found?.kind == .password(user: first.user, password: first.password), "not the first entry of its host")
  }
}
