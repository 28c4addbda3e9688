#ifndef TRANSPORT_REVOCATION_H
#define TRANSPORT_REVOCATION_H

#include <openssl/x509_vfy.h>
#include <stdbool.h>

/// Has chains of the store looked up in its revocation lists when none of their keys costs too much: the signature of a
/// list is verified with the key of an issuer, before the signatures of the chain.
bool transport_check_revocation_bounded(X509_STORE *store);

#endif
