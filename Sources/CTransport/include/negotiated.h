#ifndef TRANSPORT_NEGOTIATED_H
#define TRANSPORT_NEGOTIATED_H

#include <curl/curl.h>
#include <openssl/x509.h>
#include <stdbool.h>

/// What the two sides of a TLS connection have agreed on.
struct transport_negotiated {
  /// `TLS1_2_VERSION`, `TLS1_3_VERSION`.
  int version;
  /// IANA's name, for the life of the process.
  const char *_Nullable cipher_suite;
  /// The server's own certificate, lent for the life of the connection.
  X509 *_Nullable leaf;
};

/// Of the connection that the transfer is on; false in cleartext. Call it from `CURLOPT_PREREQFUNCTION`.
bool transport_negotiated_on(CURL *_Nonnull easy, struct transport_negotiated *_Nonnull negotiated);

#endif
