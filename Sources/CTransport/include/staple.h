#ifndef TRANSPORT_STAPLE_H
#define TRANSPORT_STAPLE_H

#include <openssl/x509.h>
#include <stdbool.h>
#include <stddef.h>

/// Whether a certificate requires its server to send an OCSP response (RFC 7633).
bool transport_staple_is_insisted_on(X509 *certificate);

/// The status of a certificate in an OCSP response: `X509_V_OK` when it is good, `X509_V_ERR_CERT_REVOKED`,
/// `X509_V_ERR_OCSP_CERT_UNKNOWN` when there is no status, or `X509_V_ERR_OCSP_VERIFY_FAILED` when it is not the
/// issuer's, or not current.
int transport_staple_verify(const unsigned char *bytes, size_t length, X509 *certificate, X509 *issuer);

#endif
