internal import WatchwordJSON
internal import WatchwordMessages
internal import WatchwordProtocol

/// The parameters of every method that there is, made from its description in the OpenRPC document: the input decides
/// which members are there, what they hold, and where they break the description.
///
/// The first byte chooses the method; beyond the number of methods it stands for all of them.
enum ParameterTarget {
  @Sendable static func run(_ input: UnsafeRawBufferPointer) {
    var reader = InputReader(input)
    let choice = Int(reader.byte())
    let methods = MethodName.allCases
    let rest = UnsafeRawBufferPointer(rebasing: reader.rest)
    for method in methods.indices.contains(choice) ? [methods[choice]] : methods { take(rest, as: method) }
  }

  private static func take(_ input: UnsafeRawBufferPointer, as method: MethodName) {
    var sampler = SchemaSampler(input)
    let text = sampler.parameters(of: method.rawValue)
    guard let object = text.withUnsafeBytes({ try? JSONParser().parse($0) }), object.kind == .object
    else {
      return
    }
    do throws(RPCError) {
      _ = try method.parameters.init(object)
    } catch {
      reply(error)
    }
  }

  private static func reply(_ error: RPCError) {
    var writer = JSONWriter()
    Envelope.error(to: &writer, .integer(1), error)
    let isRead = writer.bytes.withUnsafeBytes { (try? JSONParser().parse($0)) != nil }
    require(isRead, "an error reply is not JSON")
  }
}
