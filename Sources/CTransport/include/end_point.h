#ifndef TRANSPORT_END_POINT_H
#define TRANSPORT_END_POINT_H

#include <curl/curl.h>
#include <stddef.h>
#include <stdint.h>

/// The longest hash of a certificate, in bytes.
#define TRANSPORT_END_POINT_BYTES 64

/// The hash of the server's certificate for the channel binding `tls-server-end-point` (RFC 5929 §4.1), of the
/// connection of a running transfer; `target` has `TRANSPORT_END_POINT_BYTES`. 0 in cleartext.
size_t transport_server_end_point(CURL *_Nonnull easy, uint8_t *_Nonnull target);

#endif
