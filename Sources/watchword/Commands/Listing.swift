/// The options of every listing command.
struct Listing {
  var session: String?
  var isJSON = false
}
