/// `String` and `String?`: the types of ``Bytewise``.
package protocol BytewiseText: Sendable {
  var text: String? { get }
}
