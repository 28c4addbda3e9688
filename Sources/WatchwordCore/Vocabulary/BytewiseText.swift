/// `String` and `String?`: what ``Bytewise`` can hold.
package protocol BytewiseText: Sendable {
  var text: String? { get }
}
