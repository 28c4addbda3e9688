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

/// Trust anchors from PEM text (which may be null); one store for each set of roots in the process, shared by all its
/// connections. Null when a part of the text is no certificate, or there are too many.
///
/// `count` is their number; above the maximum, the rest was not read.
X509_STORE *transport_roots_make(const char *pem, size_t length, int *count);

enum {
  /// Distributions have 150. OpenSSL needs 0.2 ms for each, and the loop waits for all.
  transport_roots_maximum = 512,
  /// OpenSSL looks through all lists for each that is added.
  transport_lists_maximum = 512,
  /// OpenSSL compares each place of a list with each place that a certificate names.
  transport_list_places_maximum = 64,
};

/// Adds further ones from PEM text and adds their number to `count`; false as above.
bool transport_roots_add(X509_STORE *roots, const char *pem, size_t length, int *count);

/// Reads the certificates of PEM text, `maximum` and one more at most, for `transport_roots_release`; null when out of
/// memory. `is_whole` is false when the certificate after those that were read cannot be read.
STACK_OF(X509) *transport_roots_read(const char *pem, size_t length, int maximum, bool *is_whole);

int transport_roots_count(const STACK_OF(X509) *certificates);

/// Lent for the life of the list.
X509 *transport_roots_at(const STACK_OF(X509) *certificates, int index);

void transport_roots_release(STACK_OF(X509) *certificates);

/// Whether a certificate says that it may issue others (RFC 5280 §4.2.1.9, §4.2.1.3).
bool transport_is_authority(X509 *certificate);

/// Adds the system's roots.
bool transport_roots_add_system(X509_STORE *roots);

/// Adds certificate revocation lists, and enables checks against them; false when a part of the text is no such list.
bool transport_roots_add_revocation_lists(X509_STORE *roots, const char *pem, size_t length);

void transport_roots_free(X509_STORE *roots);

/// Called once in each handshake, after default evaluation; true lets the handshake continue. `faults` is empty when
/// the chain is trusted. `chain` is lent for the call. With `is_resumption`, the chain is that of a TLS session that
/// could be resumed; if it is refused, a full handshake asks once more.
typedef bool (*transport_trust_function)(
  void *context, X509_STORE_CTX *chain, const struct transport_trust_fault *faults, int count, bool is_resumption);

/// Called when the server requests a client certificate, after its own have been accepted. The function presents one
/// or none; false stops the handshake.
typedef bool (*transport_certificate_function)(void *context, SSL *connection);

/// Called for each fatal alert of the server (RFC 8446 §6.2), also after the handshake, unless a second one was
/// refused before; and for the alert with which OpenSSL refuses the server's version.
typedef void (*transport_alert_function)(void *context, int description);

/// Called when the server has sent something, with the first bytes of it: a record's header, if it speaks TLS. They are
/// lent for the call.
typedef void (*transport_heard_function)(void *context, const void *header, size_t length);

/// Whether a chain may be judged now. Called before bytes of the server are read, until its chain has been judged: after
/// false they stay in the socket, which is still readable, and libcurl calls the handshake again.
typedef bool (*transport_turn_function)(void *context);

/// Called when the server's certificates cost too much to be read. The handshake fails.
typedef void (*transport_complex_function)(void *context);

/// Called when the connection is closed, or was never made.
typedef void (*transport_release_function)(void *context);

struct transport_tls_settings {
  X509_STORE *roots;
  struct transport_evaluation rules;
  bool requires_tls13;
  /// Excludes key exchanges whose secret can be computed later from the server's key.
  bool requires_forward_secrecy;
  /// Of the connection's origin; null when out of memory, and then no TLS session is resumed. The connection has a
  /// reference of its own.
  struct transport_resumption *resumption;
  /// Of the thread's calls into libcurl; outlives the connection.
  struct transport_guard *guard;
  /// Whether the server is a proxy: the tunnel has a handshake of its own with the origin.
  bool is_proxy;
  /// The connection's descriptor, which is shut down when the guard requires it; -1 when it is unknown.
  int socket;
  transport_trust_function trust;
  transport_certificate_function certificate;
  transport_alert_function alert;
  transport_heard_function heard;
  transport_turn_function turn;
  transport_complex_function complex;
  transport_release_function release;
  /// Passed to the seven functions; `release` is called for it once, when the connection is closed.
  void *context;
};

/// Sets the roots and the verification of an `SSL_CTX`; copies its input. False when out of memory; takes over
/// `context` in every case.
bool transport_tls_install(void *ssl_context, const struct transport_tls_settings *settings);

#endif
