#ifndef WATCHWORD_DOCUMENT_H
#define WATCHWORD_DOCUMENT_H

#include <stddef.h>

/// `protocol/openrpc.json` as it stands there, `count` bytes of it; not terminated.
const unsigned char *document_openrpc(size_t *count);

#endif
