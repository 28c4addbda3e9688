/// The options of every removal command.
struct Removal {
  var identifier: String?
  var isAll = false
  var session: String?
  var isJSON = false
}
