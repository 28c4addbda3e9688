#ifndef TRANSPORT_TLS_H
#define TRANSPORT_TLS_H

#include <openssl/ssl.h>
#include <openssl/x509_vfy.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "evaluation.h"
#include "guard.h"
#include "resumption.h"

/// Trust anchors from PEM text (which may be null); one store for each set of roots in the process, shared by
/// all its connections. Null when the text is not certificates throughout.
X509_STORE *transport_roots_make(const char *pem, size_t length);

/// Adds the system's.
bool transport_roots_add_system(X509_STORE *roots);

/// Adds certificate revocation lists, and has chains checked against them; false when the text is not such
/// lists throughout.
bool transport_roots_add_revocation_lists(X509_STORE *roots, const char *pem, size_t length);

void transport_roots_free(X509_STORE *roots);

/// Asked once in each handshake, after default evaluation; true lets the handshake go on. `faults` is empty
/// when the chain is fine. `chain` is lent for the call. With `is_resumption`, the chain is that of a TLS session
/// which could be resumed; if it is not accepted, a whole handshake asks once more.
typedef bool (*transport_trust_function)(
  void *context, X509_STORE_CTX *chain, const struct transport_trust_fault *faults, int count, bool is_resumption);

/// Asked when the server wants a client certificate, after its own have been accepted. The function presents one or
/// none; false stops the handshake.
typedef bool (*transport_certificate_function)(void *context, SSL *connection);

/// Told of each fatal alert of the server (RFC 8446 §6.2), also when it comes behind the handshake.
typedef void (*transport_alert_function)(void *context, int description);

/// The connection is gone, or has not come to be.
typedef void (*transport_release_function)(void *context);

struct transport_tls_settings {
  X509_STORE *roots;
  struct transport_evaluation rules;
  bool requires_tls13;
  /// No key exchange whose secret can be had from the server's key later.
  bool requires_forward_secrecy;
  /// Of the connection's origin; null when memory is short, and then no TLS session is resumed. The connection has a
  /// reference of its own.
  struct transport_resumption *resumption;
  /// Of the thread's calls into libcurl; outlives the connection.
  struct transport_guard *guard;
  /// The connection's descriptor, which is shut down when the guard says so; -1 when it is not known.
  int socket;
  transport_trust_function trust;
  transport_certificate_function certificate;
  transport_alert_function alert;
  transport_release_function release;
  /// Of the four functions; `release` is called for it once, when the connection is gone.
  void *context;
};

/// Gives an `SSL_CTX` its roots and its verification; copies what it needs. False when out of memory; `context` is
/// taken over in any case.
bool transport_tls_install(void *ssl_context, const struct transport_tls_settings *settings);

#endif
