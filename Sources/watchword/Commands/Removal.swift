/// What every such command can be told.
struct Removal {
  var identifier: String?
  var isAll = false
  var session: String?
  var isJSON = false
}
