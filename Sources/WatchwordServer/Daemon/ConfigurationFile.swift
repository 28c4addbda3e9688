internal import WatchwordCore
package import WatchwordJSON
internal import WatchwordProtocol

/// The daemon's configuration: a JSON object whose members are all optional
/// (`protocol/configuration.json`).
package struct ConfigurationFile: Sendable {
  /// As the file has them; nil: there is no file.
  package private(set) var members: JSONNode?
  package private(set) var settings = DaemonSettings()

  private static let maximumFaults = 64

  /// What counts where there is no file.
  package init() {}

  /// Reads the file; the calls block.
  package init(_ place: ConfigurationPlace) throws(ConfigurationFault) {
    guard let contents = try ConfigurationContents(place) else { return }
    let object = try contents.object()
    do throws(RPCError) {
      settings = try Self.settings(of: object, place)
      members = object
    } catch {
      throw contents.fault(error)
    }
  }

  /// Every fault of a file that shows beside the others, in the order of the file; the calls block.
  package static func faults(of place: ConfigurationPlace) -> [ConfigurationFault] {
    var faults: [ConfigurationFault] = []
    do throws(ConfigurationFault) {
      guard var contents = try ConfigurationContents(place) else { return [] }
      while faults.count < maximumFaults {
        let object = try contents.object()
        do throws(RPCError) {
          _ = try settings(of: object, place)
          break
        } catch {
          faults.append(contents.fault(error))
          guard contents.remove(concernedBy: error) else { break }
        }
      }
    } catch {
      faults.append(error)
    }
    return faults.sorted(on: \.offset)
  }

  private static func settings(
    of object: JSONNode, _ place: ConfigurationPlace
  ) throws(RPCError) -> DaemonSettings {
    try ParameterReader.decode(object, path: "") { reader throws(RPCError) in
      let settings = try DaemonSettings(&reader)
      guard !place.isOwn || settings.access != .host else {
        throw reader.fault("access", "only a file that --configuration names may let other uids connect")
      }
      return settings
    }
  }
}
