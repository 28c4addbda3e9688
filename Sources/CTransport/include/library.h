#ifndef TRANSPORT_LIBRARY_H
#define TRANSPORT_LIBRARY_H

/// Why the libcurl that is loaded cannot be used here, or null when it can: a version before 7.88.1, another TLS library
/// than OpenSSL 3, no HTTP/2, or name lookups that make the caller wait.
///
/// README.md beside this header's folder says what is trusted in the versions that are taken.
const char *transport_library_fault(void);

#endif
