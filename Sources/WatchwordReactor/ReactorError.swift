internal import CLinux

package enum ReactorError: Error, Sendable, Equatable {
  case system(operation: String, errno: Int32)
}
