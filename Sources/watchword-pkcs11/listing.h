#ifndef LISTING_H
#define LISTING_H

#include "modules.h"
#include "token_wire.h"

/// Sends a TOKEN_LISTED for each certificate that is readable without login.
void listing_send(
  const struct modules *modules, void (*send)(enum token_packet kind, const void *payload, size_t count));

#endif
