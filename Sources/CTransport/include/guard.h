#ifndef TRANSPORT_GUARD_H
#define TRANSPORT_GUARD_H

#include <stdbool.h>
#include <stdint.h>

/// Bounds the work that a server can cause inside one call into libcurl.
///
/// libcurl 7.88 reads an HTTP/2 connection until there is data for the current transfer: for as long as a server
/// sends frames for other streams, and OpenSSL keeps reading past records that only concern TLS. OpenSSL reports
/// every record, so the records without progress are counted, and their cost is measured in processor time of the
/// thread, which does not depend on the load of the machine.
struct transport_guard {
  /// Records since a part of a response or request has moved.
  uint32_t records;
  /// Processor seconds of the thread when the first of them was counted.
  double began;
};

/// A call into libcurl begins, or an exchange has made progress.
static inline void transport_guard_restart(struct transport_guard *guard) { guard->records = 0; }

/// Records a record; false when it is one too many.
bool transport_guard_admits(struct transport_guard *guard);

#endif
