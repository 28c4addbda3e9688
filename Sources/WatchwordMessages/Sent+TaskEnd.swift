package import WatchwordJSON

extension Sent {
  /// How a task ended: the parameters of `task/didFinish`.
  package enum TaskEnd: Readable {
    case result(FetchResult)
    case failure(TaskFailure)

    package init(reading value: JSONValue) throws(ReadFault) {
      let error: JSONValue? = try ReadObject(reading: value).memberIfPresent("error")
      self =
        error == nil
        ? .result(try FetchResult(reading: value)) : .failure(try TaskFailure(reading: value))
    }
  }
}
