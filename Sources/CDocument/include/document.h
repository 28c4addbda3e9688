#ifndef WATCHWORD_DOCUMENT_H
#define WATCHWORD_DOCUMENT_H

#include <stddef.h>

/// The text of `protocol/openrpc.json`, `count` bytes; not terminated.
const unsigned char *document_openrpc(size_t *count);

#endif
