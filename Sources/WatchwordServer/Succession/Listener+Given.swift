internal import WatchwordJSON

extension Listener.Given {
  /// - Parameter descriptors: that of the socket, and that of its lock where it has one.
  init?(_ part: StatePart, _ descriptors: [Int32]) {
    guard case .string(let path)? = part.members["path"],
      case .bool(let isActivated)? = part.members["isActivated"],
      case .bool(let isHostWide)? = part.members["isHostWide"], !descriptors.isEmpty
    else { return nil }
    self.init(path: path, isActivated: isActivated, isHostWide: isHostWide, descriptors: descriptors)
  }
}
