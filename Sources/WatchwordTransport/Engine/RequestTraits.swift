internal import CTransport
internal import WatchwordCore
internal import WatchwordVocabulary

/// Which fields the caller set that libcurl would otherwise set or that the transport needs to know.
struct RequestTraits {
  var hasContentType = false
  var hasExpect = false
  var hasLength = false
  var choosesCookies = false
  var choosesCodings = false
  var hasRange = false

  init(_ headers: [HeaderField]) {
    for field in headers {
      switch field.name.utf8.count {
      case 4: if field.isNamed("host") { choosesCookies = true }
      case 5: if field.isNamed("range") { hasRange = true }
      case 6:
        if field.isNamed("cookie") { choosesCookies = true }
        if field.isNamed("expect") { hasExpect = true }
      case 12: if field.isNamed("content-type") { hasContentType = true }
      case 15: if field.isNamed("accept-encoding") { choosesCodings = true }
      case 14: if field.isNamed("content-length") { hasLength = true }
      default: break
      }
    }
  }
}
