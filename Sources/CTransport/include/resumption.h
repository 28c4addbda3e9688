#ifndef TRANSPORT_RESUMPTION_H
#define TRANSPORT_RESUMPTION_H

#include <openssl/ssl.h>
#include <openssl/x509_vfy.h>
#include <stdbool.h>

/// The data to resume TLS with one origin: the chain that was accepted last, and the newest TLS session.
///
/// It replaces libcurl's: libcurl 7.88 keeps TLS sessions with the easy handle, and ours perform one exchange each.
/// Counted by reference, because connections outlive the exchange that made them. Used on one thread.
struct transport_resumption;

/// Null when out of memory; one reference.
struct transport_resumption *_Nullable transport_resumption_make(void);

struct transport_resumption *_Nonnull transport_resumption_retain(
  struct transport_resumption *_Nonnull resumption);

void transport_resumption_release(struct transport_resumption *_Nullable resumption);

/// Records the chain of a handshake as accepted. A TLS session of another certificate is not resumed.
void transport_resumption_accept(
  struct transport_resumption *_Nonnull resumption, X509_STORE_CTX *_Nonnull chain);

/// The chain that was accepted last, the server's own certificate first; null when there is none. Lent.
STACK_OF(X509) *_Nullable transport_resumption_chain(const struct transport_resumption *_Nonnull resumption);

/// Replaces the TLS session; takes over the caller's reference.
void transport_resumption_keep(
  struct transport_resumption *_Nonnull resumption, SSL_SESSION *_Nonnull session);

/// The newest TLS session that a server may still accept; null when there is none. Lent.
SSL_SESSION *_Nullable transport_resumption_session(const struct transport_resumption *_Nonnull resumption);

#endif
