#ifndef TRANSPORT_LIBRARY_H
#define TRANSPORT_LIBRARY_H

#include <stdbool.h>

/// Why the loaded libcurl cannot be used here, or null when it can: a version before 7.88.1, a TLS library other than
/// OpenSSL 3, no HTTP/2, or blocking name lookups.
///
/// README.md in the folder above says what is trusted in the accepted versions.
const char *transport_library_fault(void);

/// Whether the loaded libcurl loses a response over HTTP/2 that the server sends before it has read the request's body.
bool transport_library_loses_early_responses(void);

/// Whether the loaded libcurl goes on to read a response that is paused, as long as the request may be sent.
bool transport_library_reads_while_paused(void);

#endif
