#ifndef TRANSPORT_LIBRARY_H
#define TRANSPORT_LIBRARY_H

/// Why the loaded libcurl cannot be used here, or null when it can: a version before 7.88.1, a TLS library other than
/// OpenSSL 3, no HTTP/2, or blocking name lookups.
///
/// README.md in the folder above says what is trusted in the accepted versions.
const char *transport_library_fault(void);

#endif
