#include "document.h"

static const unsigned char openrpc[] = {
#embed "../../protocol/openrpc.json"
};

const unsigned char *document_openrpc(size_t *count) {
  *count = sizeof openrpc;
  return openrpc;
}
