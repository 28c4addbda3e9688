package import WatchwordCore
internal import WatchwordJSON
internal import WatchwordMessages
package import WatchwordSecret
package import WatchwordVocabulary

/// A permanent trust decision as the contents of a record of the vault: the members that the document of earlier
/// versions has for it.
extension PermanentTrust.Entry {
  package var contents: Secret {
    var writer = JSONWriter()
    write(to: &writer)
    return writer.buffer.withUnsafeBytes { Secret(copying: $0) }
  }

  /// Nil for contents that this version does not understand.
  package init?(contents: Secret) {
    let entry = PermanentTrust.object(in: contents) { reader throws(RPCError) in
      try PermanentTrust.Entry(&reader)
    }
    guard let entry else { return nil }
    self = entry
  }
}

extension PermanentTrust {
  /// What the vault keeps beside the decisions: the last number that was given, and which file was taken over.
  package struct Ledger: Sendable, Equatable {
    package let lastNumber: UInt64
    package let takenOver: Fingerprint?

    package init(lastNumber: UInt64, takenOver: Fingerprint?) {
      self.lastNumber = lastNumber
      self.takenOver = takenOver
    }

    package var contents: Secret {
      var writer = JSONWriter()
      writer.beginObject()
      writer.key("lastNumber")
      writer.integer(lastNumber)
      if let takenOver { writer.member("takenOver", takenOver.pin) }
      writer.endObject()
      return writer.buffer.withUnsafeBytes { Secret(copying: $0) }
    }

    /// Nil for contents that this version does not understand.
    package init?(contents: Secret) {
      let ledger = PermanentTrust.object(in: contents) { reader throws(RPCError) in
        let number = try reader.required("lastNumber").integer(in: 0...Int.max)
        let file = try reader["takenOver"]?.string(maximumBytes: 64)
        return Ledger(lastNumber: UInt64(number), takenOver: file.flatMap { Fingerprint(pin: $0) })
      }
      guard let ledger else { return nil }
      self = ledger
    }
  }

  fileprivate static func object<Value>(
    in contents: Secret, _ read: (inout ParameterReader) throws(RPCError) -> Value
  ) -> Value? {
    guard let object = contents.withBytes({ try? JSONParser().node($0) }), object.kind == .object else {
      return nil
    }
    return try? ParameterReader.decode(object, path: "record", read)
  }
}
