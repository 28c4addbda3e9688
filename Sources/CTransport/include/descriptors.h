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
  /// Directories, devices, and descriptors not open for reading.
  TRANSPORT_UNUSABLE,
};

enum transport_descriptor_kind transport_descriptor_kind(int descriptor);

/// Reads the available bytes; -1 with `EAGAIN` when there are none yet, 0 at the end.
///
/// `O_NONBLOCK` belongs to the open file, which the sender uses as well: it is never changed.
ssize_t transport_read_stream(int descriptor, enum transport_descriptor_kind kind, void *bytes, size_t count);

/// Reads bytes in the page cache, or of a file in memory (memfd, tmpfs); -1 with `EAGAIN` or `EOPNOTSUPP` when a blocking read is needed.
ssize_t transport_read_cached(int descriptor, void *bytes, size_t count, int64_t offset);

/// Whether the descriptor is readable, or at its end, without waiting. Reads nothing.
bool transport_is_readable(int descriptor);

/// The port of a TCP socket's own end; 0 for anything else.
long transport_local_port(int descriptor);

/// Ends a connection whose descriptor belongs to a library: closes its socket at once and replaces it by one whose
/// other end is closed. False, and nothing has changed, when descriptors have run out.
bool transport_replace_by_closed(int descriptor);

#endif
