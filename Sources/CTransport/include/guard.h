#ifndef TRANSPORT_GUARD_H
#define TRANSPORT_GUARD_H

#include <stdbool.h>
#include <stdint.h>

/// Bounds what a server can have done inside one call into libcurl.
///
/// libcurl 7.88 reads an HTTP/2 connection until there is something for the transfer at hand: for as long as a server
/// sends frames that are for none, and OpenSSL reads on behind records that only concern TLS. OpenSSL reports every
/// record, so the records are counted that bring no exchange forward, and their cost is measured in processor time of
/// the thread, of which a busy machine takes none away.
struct transport_guard {
  /// Records since something of a response or request has moved.
  uint32_t records;
  /// Processor seconds of the thread when the first of them had been counted.
  double began;
};

/// A call into libcurl begins, or an exchange has made progress.
static inline void transport_guard_restart(struct transport_guard *guard) { guard->records = 0; }

/// Notes a record; false when it is one too many.
bool transport_guard_admits(struct transport_guard *guard);

#endif
