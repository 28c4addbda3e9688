internal import WatchwordCore

/// How a task ended.
typealias TaskOutcome = Result<TaskResult, TaskFailure>
