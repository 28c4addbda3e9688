#ifndef TRANSPORT_DESCRIPTORS_H
#define TRANSPORT_DESCRIPTORS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/// How a caller's descriptor can be read without blocking and without changing its flags.
enum transport_descriptor_kind {
  TRANSPORT_FILE,
  TRANSPORT_PIPE,
  TRANSPORT_SOCKET,
  /// Directories, devices, and what is not open for reading.
  TRANSPORT_UNUSABLE,
};

enum transport_descriptor_kind transport_descriptor_kind(int descriptor);

/// Reads what is there; -1 with `EAGAIN` when there is nothing yet, 0 at the end.
///
/// `O_NONBLOCK` belongs to the open file, which the sender uses as well: it is never touched.
ssize_t transport_read_stream(int descriptor, enum transport_descriptor_kind kind, void *bytes, size_t count);

/// Reads what the page cache has; -1 with `EAGAIN` or `EOPNOTSUPP` when only a blocking read can tell.
ssize_t transport_read_cached(int descriptor, void *bytes, size_t count, int64_t offset);

/// Whether the descriptor can be read, or has come to its end, without waiting. Takes nothing.
bool transport_is_readable(int descriptor);

/// The port of a TCP socket's own end; 0 for anything else.
long transport_local_port(int descriptor);

/// Ends a connection whose descriptor belongs to a library: closes its socket at once and leaves in its place one whose
/// other end is closed. False, and nothing has changed, when descriptors have run out.
bool transport_replace_by_closed(int descriptor);

#endif
