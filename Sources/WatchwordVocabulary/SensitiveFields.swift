internal import WatchwordPrimitives

/// Header fields that always carry a secret: never shown, and dropped when a redirect leaves their origin.
package enum SensitiveFields {
  private static let placeholder = "<secret>"

  /// In lower case.
  package static let names: Set<String> = ["authorization", "cookie", "cookie2", "proxy-authorization"]

  package static func contains(_ name: String) -> Bool { names.contains(name.asciiLowercased) }

  /// The fields as they may be shown; `names`, in lower case, are those that the caller marked as secret. A value that
  /// is not UTF-8 is not shown, either: sent back as a text, it would be another one.
  package static func hidden(in fields: [HeaderField], and names: Set<String> = []) -> [HeaderField] {
    fields.map { field in
      let isHidden =
        contains(field.name) || names.contains(field.name.asciiLowercased) || field.givenOctets != nil
      return isHidden ? HeaderField(field.name, placeholder) : field
    }
  }

  /// Fields that a caller received with placeholders and sends back: a placeholder is replaced by the field's value
  /// in `original`, or the field is dropped if it has none. A placeholder is never sent to a server.
  package static func restored(in fields: [HeaderField], from original: [HeaderField]) -> [HeaderField] {
    var left = original
    return fields.compactMap { field in
      guard field.withValue({ $0.elementsEqual(placeholder.utf8) }) else { return field }
      let name = field.name.asciiLowercased
      guard let index = left.firstIndex(where: { $0.isNamed(name) }) else { return nil }
      return left.remove(at: index).renamed(field.name)
    }
  }
}
