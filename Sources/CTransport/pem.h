#ifndef TRANSPORT_PEM_H
#define TRANSPORT_PEM_H

#include <openssl/bio.h>

/// Lends `count` bytes of PEM text to OpenSSL; null without memory, or beyond `INT_MAX`.
///
/// Byte order marks are left out: OpenSSL finds no block behind one, and files that were put together have some in the
/// middle. A text with one is copied into memory that is wiped.
BIO *transport_pem_text(const void *text, size_t count);

#endif
