/// What every such command can be told.
struct Listing {
  var session: String?
  var isJSON = false
}
