package import WatchwordVocabulary

/// A session's rule that makes a page a challenge: the page is a login form, and a user and a password fill
/// it in.
///
/// A reference, because the phases of a task carry it.
package final class FormRule: Sendable, Equatable {
  /// What a response must be like; without members it holds for every one.
  package struct Condition: Sendable, Equatable {
    package var status: Int?
    package var selector: Selector?

    package init(status: Int? = nil, selector: Selector? = nil) {
      self.status = status
      self.selector = selector
    }

    fileprivate var target: String {
      let selector = selector?.text ?? ""
      return "\(status.map(String.init) ?? "-") \(selector.utf8.count) \(selector)"
    }
  }

  /// The page's URL; with `isPrefix`, every URL that its text begins.
  package let page: RequestURL
  package let isPrefix: Bool
  package let when: Condition
  package let userField: String
  package let passwordField: String
  package let success: Condition

  package init(
    page: RequestURL, isPrefix: Bool, when: Condition, userField: String, passwordField: String,
    success: Condition
  ) {
    self.page = page
    self.isPrefix = isPrefix
    self.when = when
    self.userField = userField
    self.passwordField = passwordField
    self.success = success
  }

  package static func == (left: FormRule, right: FormRule) -> Bool {
    left === right
      || (left.page == right.page && left.isPrefix == right.isPrefix && left.when == right.when
        && left.userField == right.userField && left.passwordField == right.passwordField
        && left.success == right.success)
  }

  /// Where it leads a user and a password, and what counts as their refusal. Lengths tell where a text ends.
  var target: String {
    "\(page.text)\(isPrefix ? "*" : "") \(when.target) \(success.target)"
      + " \(userField.utf8.count) \(userField) \(passwordField)"
  }

  /// Whether the response may be the login page; its contents say whether it is.
  func mayBeMet(by head: ResponseHead, at url: RequestURL) -> Bool {
    if let status = when.status, status != head.status { return false }
    return covers(url) && head.isPage
  }

  /// Whether the answer to `Range` may be about a part of the login page (RFC 9110 §15.3.7 and §15.5.17).
  func mayBeMet(byPartIn head: ResponseHead, at url: RequestURL) -> Bool {
    guard head.status == 206 || head.status == 416 else { return false }
    return covers(url) && (head.isPage || head.hasMediaType("multipart/byteranges"))
  }

  /// A pattern without a query is for any query.
  func covers(_ url: RequestURL) -> Bool {
    guard url.origin == page.origin else { return false }
    if isPrefix { return PathReading.begins(url.path, with: page.path) }
    return url.path.hasBytes(of: page.path) && (page.query == nil || page.query == url.query)
  }

  /// What has to be read from a page.
  func question(about condition: Condition) -> PageQuestion {
    PageQuestion(userField: userField, passwordField: passwordField, selector: condition.selector)
  }
}

extension ResponseHead {
  /// Whether the body is a page of HTML (RFC 2854, RFC 3236), or may be one: without `Content-Type` its
  /// contents say what it is (RFC 9110 §8.3). Redirects and failures of the server without it have none that
  /// is meant for a person.
  var isPage: Bool {
    // A field without a value says nothing (RFC 9110 §8.3).
    guard headers.values(of: "content-type").contains(where: { !$0.isEmpty }) else {
      return (200..<300 ~= status && status != 204 && status != 205) || 400..<500 ~= status
    }
    return hasMediaType("text/html") || hasMediaType("application/xhtml+xml")
  }

  /// Whether `Content-Type` names this type, whatever its parameters; `name` in lower case. Of several fields
  /// readers take different ones.
  fileprivate func hasMediaType(_ name: String) -> Bool {
    headers.values(of: "content-type").contains { type in
      let own = type.utf8.prefix { $0 != UInt8(ascii: ";") && $0 != 0x20 && $0 != 0x09 }
      return String(decoding: own, as: UTF8.self).asciiLowercased == name
    }
  }
}
