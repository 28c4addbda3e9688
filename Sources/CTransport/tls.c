#include "tls.h"

#include <openssl/async.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <string.h>
#include <sys/socket.h>

#include "complexity.h"
#include "connection_parts.h"
#include "signing_parts.h"
#include "staple.h"

static bool counts_staple(X509 *leaf, const struct transport_tls_settings *settings) {
  return settings->rules.revocation != TRANSPORT_REVOCATION_OFF || transport_staple_is_insisted_on(leaf);
}

/// Whether the server's OCSP response is checked and has not arrived yet: TLS 1.2 sends it after the certificates.
static bool awaits_staple(SSL *ssl, X509 *leaf, const struct transport_tls_settings *settings) {
  return SSL_version(ssl) < TLS1_3_VERSION && counts_staple(leaf, settings);
}

/// Called around each operation of the BIO that a handshake reads from. No bytes are taken when it is not the
/// handshake's turn, as if none had come.
static long read_in_turn(
  BIO *input, int operation, const char *bytes, size_t length, int command, long argument, int result,
  size_t *processed) {
  if (operation != BIO_CB_READ) return result;
  const struct transport_connection *connection = (const void *)BIO_get_callback_arg(input);
  if (connection->settings.turn(connection->settings.context)) return result;
  BIO_clear_retry_flags(input);
  BIO_set_retry_read(input);
  return -1;
}

/// OpenSSL verifies the chain in the call of the handshake that reads the last of its bytes. So a handshake that does
/// not read does not verify.
static void wait_for_turns(SSL *ssl, struct transport_connection *connection) {
  BIO *input = SSL_get_rbio(ssl);
  BIO_set_callback_arg(input, (void *)connection);
  BIO_set_callback_ex(input, read_in_turn);
}

/// What is left of the handshake is read at once. Some of it may be in a connection to a proxy, below this one, and
/// no longer in the socket.
static void stop_waiting_for_turns(SSL *ssl) { BIO_set_callback_ex(SSL_get_rbio(ssl), NULL); }

static bool judge(
  X509_STORE_CTX *chain, SSL *ssl, const struct transport_tls_settings *settings, bool is_resumption) {
  if (!is_resumption) stop_waiting_for_turns(ssl);
  struct transport_evaluation rules = settings->rules;
  long length = SSL_get_tlsext_status_ocsp_resp(ssl, &rules.staple);
  if (length > 0) rules.staple_length = (size_t)length;
  else rules.staple = NULL;
  struct transport_trust_fault faults[TRANSPORT_MAXIMUM_FAULTS];
  int count = transport_evaluate(chain, &rules, faults);
  bool accepted = settings->trust(
    settings->context, chain, faults, count, is_resumption);
  int refusal = count ? faults[0].error : X509_V_ERR_APPLICATION_VERIFICATION;
  X509_STORE_CTX_set_error(chain, accepted ? X509_V_OK : refusal);
  // An unreadable part of a certificate would be taken for an error of the connection.
  ERR_clear_error();
  return accepted;
}

static int verify(X509_STORE_CTX *chain, void *argument) {
  const struct transport_tls_settings *settings = &((struct transport_connection *)argument)->settings;
  SSL *ssl = X509_STORE_CTX_get_ex_data(chain, SSL_get_ex_data_X509_STORE_CTX_idx());
  X509 *leaf = X509_STORE_CTX_get0_cert(chain);
  // With other roots, the check would not be the configured one.
  if (!ssl || !leaf || X509_STORE_CTX_get0_store(chain) != settings->roots) {
    X509_STORE_CTX_set_error(chain, X509_V_ERR_UNSPECIFIED);
    return 0;
  }
  int depth = 0;
  bool waits = awaits_staple(ssl, leaf, settings) && !transport_presents_costly_key(chain, &depth);
  if (!waits) return judge(chain, ssl, settings, false);
  X509_STORE_CTX_set_error(chain, X509_V_OK);
  return 1;
}

/// Judges a chain outside of OpenSSL's own verification.
static bool judge_again(
  X509 *leaf, STACK_OF(X509) *presented, SSL *ssl, const struct transport_tls_settings *settings,
  bool is_resumption) {
  X509_STORE_CTX *chain = X509_STORE_CTX_new();
  bool accepted = chain && X509_STORE_CTX_init(chain, settings->roots, leaf, presented)
    && X509_STORE_CTX_set_default(chain, "ssl_server") && judge(chain, ssl, settings, is_resumption);
  X509_STORE_CTX_free(chain);
  return accepted;
}

/// Judges a chain of TLS 1.2 that waited for its OCSP response, or for its absence: OpenSSL calls this after the
/// server's last message and before the client's first answer.
static int judge_late(SSL *ssl, void *argument) {
  const struct transport_connection *connection = argument;
  const struct transport_tls_settings *settings = &connection->settings;
  X509 *leaf = SSL_get0_peer_certificate(ssl);
  // A resumed session was judged before it was offered.
  if (!leaf || SSL_session_reused(ssl) || !awaits_staple(ssl, leaf, settings)) return 1;
  if (connection->is_judged) return connection->is_accepted;
  return judge_again(leaf, SSL_get_peer_cert_chain(ssl), ssl, settings, false);
}

/// Offers the TLS session of the origin if its chain is still accepted, which OpenSSL never checks: it may have
/// expired, or be excused no longer. Without the session, a full handshake judges the chain that is presented now; so
/// it does, in its turn, where it is not the turn of this chain.
static void offer_session(SSL *ssl, const struct transport_connection *connection) {
  const struct transport_resumption *resumption = connection->settings.resumption;
  SSL_SESSION *session = resumption ? transport_resumption_session(resumption) : NULL;
  if (!session) return;
  STACK_OF(X509) *chain = transport_resumption_chain(resumption);
  X509 *leaf = SSL_SESSION_get0_peer(session);
  X509 *accepted = sk_X509_value(chain, 0);
  bool is_known = leaf && accepted && X509_cmp(leaf, accepted) == 0;
  // Only a full handshake carries a response.
  bool holds = is_known && !counts_staple(leaf, &connection->settings)
    && connection->settings.turn(connection->settings.context)
    && judge_again(leaf, chain, ssl, &connection->settings, true);
  if (holds) SSL_set_session(ssl, session);
}

/// Stores a TLS session of OpenSSL for a later resumption; 1 takes over its reference.
static int keep_session(SSL *ssl, SSL_SESSION *session) {
  const struct transport_connection *connection = transport_connection_in(ssl);
  if (!connection || !connection->settings.resumption) return 0;
  transport_resumption_keep(connection->settings.resumption, session);
  return 1;
}

/// The response has come by now (RFC 6066 §8), and what follows may be a job, in which nothing is judged.
static bool judge_early(SSL *ssl, struct transport_connection *connection) {
  X509 *leaf = SSL_get0_peer_certificate(ssl);
  if (!leaf || !awaits_staple(ssl, leaf, &connection->settings)) return true;
  connection->is_judged = true;
  connection->is_accepted = judge_again(leaf, SSL_get_peer_cert_chain(ssl), ssl, &connection->settings, false);
  return connection->is_accepted;
}

static int present(SSL *ssl, void *argument) {
  struct transport_connection *connection = argument;
  const struct transport_tls_settings *settings = &connection->settings;
  if (connection->has_chosen) return 1;
  connection->has_chosen = true;
  // Refused, the handshake ends with the server's last message; nothing is presented.
  if (!judge_early(ssl, connection)) return 1;
  if (!settings->certificate(settings->context, ssl)) return 0;
  // OpenSSL returns then, and calls this once more in the job.
  connection->becomes_job = transport_signing_of(ssl);
  return connection->becomes_job ? -1 : 1;
}

/// A fatal alert of the server.
static void note_alert(const SSL *ssl, const struct transport_connection *connection, int alert) {
  if (!ASYNC_get_current_job()) return connection->settings.alert(connection->settings.context, alert);
  // The connection may be that to a proxy, in a handshake through its tunnel: its own is long done.
  struct transport_signing *signing = transport_signing_of(ssl);
  if (signing) signing->alert = alert;
}

/// OpenSSL's last step before it returns from a handshake.
static void leave_handshake(SSL *ssl, struct transport_connection *connection) {
  if (!connection || !connection->becomes_job || ASYNC_get_current_job()) return;
  connection->becomes_job = false;
  transport_signing_start_job(ssl);
}

static void note(const SSL *ssl, int event, int value) {
  if (event == SSL_CB_HANDSHAKE_START) {
    if (!SSL_in_before(ssl)) return;
    struct transport_connection *connection = transport_connection_in(ssl);
    if (!connection) return;
    // The casts drop `const`: no other callback is called before the session is offered.
    wait_for_turns((SSL *)ssl, connection);
    offer_session((SSL *)ssl, connection);
    return;
  }
  // A resumed session has no chain to judge.
  if (event == SSL_CB_HANDSHAKE_DONE) return stop_waiting_for_turns((SSL *)ssl);
  if (event == SSL_CB_CONNECT_EXIT) {
    // The cast drops `const`: nothing of the handshake is at work any more.
    return leave_handshake((SSL *)ssl, transport_connection_in(ssl));
  }
  if (!(event & SSL_CB_ALERT)) return;
  struct transport_connection *connection = transport_connection_in(ssl);
  if (!connection) return;
  // What OpenSSL answers to a HelloRequest (RFC 5246 §7.4.1.1).
  bool is_refusal = event & SSL_CB_WRITE && value == (SSL3_AL_WARNING << 8 | SSL_AD_NO_RENEGOTIATION);
  if (is_refusal) connection->wants_handshake = true;
  // The server is not told first: it chooses a version, and learns from the client that there is none below 1.2.
  if (event & SSL_CB_WRITE && value == (SSL3_AL_FATAL << 8 | SSL_AD_PROTOCOL_VERSION)) {
    note_alert(ssl, connection, SSL_AD_PROTOCOL_VERSION);
  }
  // What follows says nothing of the certificate that was presented.
  if (!(event & SSL_CB_READ) || value >> 8 != SSL3_AL_FATAL || connection->wants_handshake) return;
  note_alert(ssl, connection, value & 0xff);
}

/// Looks at a message before OpenSSL reads it, which nothing else can stop from doing so.
static void look_at_message(const unsigned char *bytes, size_t length, const struct transport_connection *connection) {
  enum { header_length = 4, list_length = 4 };
  if (length < header_length + list_length || bytes[0] != SSL3_MT_CERTIFICATE) return;
  if (!transport_has_costly_curve(bytes, length)) return;
  // The message of a handshake that is a job came before; a second one is refused without a reason.
  if (!ASYNC_get_current_job()) connection->settings.complex(connection->settings.context);
  // The length of the list is wrong then, in every version. The bytes are in OpenSSL's buffer of the connection.
  memset((unsigned char *)bytes + header_length, 0xff, list_length);
}

/// OpenSSL reports each record by its header; read records are guarded, written ones are counted.
static void count_record(
  int is_written, int version, int kind, const void *bytes, size_t length, SSL *ssl, void *argument) {
  struct transport_connection *connection = argument;
  if (kind == SSL3_RT_HANDSHAKE && !is_written) return look_at_message(bytes, length, connection);
  if (kind != SSL3_RT_HEADER || length == 0) return;
  if (is_written) {
    connection->written += *(const uint8_t *)bytes == SSL3_RT_APPLICATION_DATA;
    return;
  }
  if (connection->read++ == 0) connection->settings.heard(connection->settings.context, bytes, length);
  if (connection->is_flooded || transport_guard_admits(connection->settings.guard)) return;
  connection->is_flooded = true;
  // OpenSSL discards what it reads from now on, and libcurl sees the end of input.
  SSL_set_shutdown(ssl, SSL_RECEIVED_SHUTDOWN | SSL_SENT_SHUTDOWN);
  if (connection->settings.socket >= 0) shutdown(connection->settings.socket, SHUT_RDWR);
}

/// Whether a cipher or a group exchanges keys over a finite field: the server chooses the field, and 10,000 bits of it
/// cost 0.9 s. Browsers have none either.
static bool is_finite_field(int operation, int group, void *other) {
  switch (operation & ~SSL_SECOP_PEER) {
    case SSL_SECOP_TMP_DH: return true;
    case SSL_SECOP_CIPHER_SUPPORTED:
    case SSL_SECOP_CIPHER_SHARED:
    case SSL_SECOP_CIPHER_CHECK: {
      int exchange = other ? SSL_CIPHER_get_kx_nid(other) : NID_undef;
      return exchange == NID_kx_dhe || exchange == NID_kx_dhe_psk;
    }
    case SSL_SECOP_CURVE_SUPPORTED:
    case SSL_SECOP_CURVE_SHARED:
    case SSL_SECOP_CURVE_CHECK: return group >= NID_ffdhe2048 && group <= NID_ffdhe8192;
    default: return false;
  }
}

typedef int (*security_function)(const SSL *, const SSL_CTX *, int, int, int, void *, void *);

/// OpenSSL's own; it is the same for every context.
static security_function default_security;

static int allow(
  const SSL *ssl, const SSL_CTX *context, int operation, int bits, int group, void *other, void *argument) {
  if (is_finite_field(operation, group, other)) return 0;
  return default_security(ssl, context, operation, bits, group, other, argument);
}

bool transport_tls_install(void *ssl_context, const struct transport_tls_settings *settings) {
  SSL_CTX *context = ssl_context;
  struct transport_connection *connection = transport_connection_make(context, settings);
  if (!connection) return false;
  if (!default_security) default_security = SSL_CTX_get_security_callback(context);
  SSL_CTX_set_security_callback(context, allow);
  // A second handshake would act for the exchange that happens to run then.
  SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION);
#ifdef SSL_OP_NO_RX_CERTIFICATE_COMPRESSION
  // Compressed, certificates are read before they can be looked at.
  SSL_CTX_set_options(context, SSL_OP_NO_RX_CERTIFICATE_COMPRESSION);
#endif
  // TLS 1.3 has no other key exchanges.
  bool is_strict = (!settings->requires_tls13 || SSL_CTX_set_min_proto_version(context, TLS1_3_VERSION))
    && (!settings->requires_forward_secrecy || SSL_CTX_set_cipher_list(context, "DEFAULT:!kRSA:!PSK"));
  if (!is_strict) return false;
  SSL_CTX_set_post_handshake_auth(context, 0);
  SSL_CTX_set1_cert_store(context, settings->roots);
  SSL_CTX_set_cert_verify_callback(context, verify, connection);
  SSL_CTX_set_cert_cb(context, present, connection);
  SSL_CTX_set_tlsext_status_type(context, TLSEXT_STATUSTYPE_ocsp);
  SSL_CTX_set_tlsext_status_cb(context, judge_late);
  SSL_CTX_set_tlsext_status_arg(context, connection);
  SSL_CTX_set_info_callback(context, note);
  SSL_CTX_set_msg_callback(context, count_record);
  SSL_CTX_set_msg_callback_arg(context, connection);
  SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_CLIENT | SSL_SESS_CACHE_NO_INTERNAL);
  SSL_CTX_sess_set_new_cb(context, keep_session);
  return true;
}
