#ifndef SECURITY_H
#define SECURITY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Kerberos and NTLM through GSSAPI (RFC 2743), loaded at run time. Every call may block: on files, on name servers and
/// on the realm's servers. Functions may be called from any thread; a context only by one thread at a time.

enum security_mechanism {
  /// SPNEGO (RFC 4178), for RFC 4559.
  SECURITY_NEGOTIATE,
  SECURITY_NTLM,
};

/// The mechanism that a negotiation has agreed on.
enum security_inner { SECURITY_INNER_UNKNOWN, SECURITY_INNER_KERBEROS, SECURITY_INNER_NTLM };

enum security_result {
  /// The peer has to answer the token.
  SECURITY_CONTINUE,
  /// The context is established: the last token, if there is one, need not be answered.
  SECURITY_COMPLETE,
  SECURITY_UNAVAILABLE,
  SECURITY_OUT_OF_MEMORY,
  SECURITY_TICKET_MISSING,
  SECURITY_TICKET_EXPIRED,
  /// The realm does not know the user, refuses the password, or has locked the account.
  SECURITY_CREDENTIAL_REFUSED,
  /// The cache or the keytab is malformed, or has no key of the principal.
  SECURITY_CREDENTIAL_MALFORMED,
  /// The realm has no key for this server.
  SECURITY_SERVER_UNKNOWN,
  SECURITY_KDC_UNREACHABLE,
  SECURITY_CLOCK_SKEW,
  /// The peer's token is malformed or not from the server that the ticket is for.
  SECURITY_TOKEN_REFUSED,
  /// The peer chose a mechanism that is not allowed, or did not authenticate itself.
  SECURITY_MECHANISM_REFUSED,
  /// The peer has refused a token: `security_context_refusal` says why.
  SECURITY_PEER_REFUSED,
  SECURITY_FAILED,
};

struct security_bytes {
  const void *bytes;
  size_t count;
};

/// What a credential is made from; texts end with NUL.
struct security_source {
  enum security_mechanism mechanism;
  /// The user as `user`, `user@REALM` or `DOMAIN\user`, or the principal of a keytab; null for a cache.
  const char *user;
  /// Null unless the user logs in with a password; ends with NUL.
  const char *password;
  /// The name of a credential cache; null: the default one of the process, if nothing else is given.
  const char *cache;
  /// The name of a keytab.
  const char *keytab;
  /// The contents of a cache or a keytab, instead of a name.
  struct security_bytes cache_contents;
  struct security_bytes keytab_contents;
  /// Whether NTLM may be the mechanism inside a negotiation.
  bool allows_ntlm;
};

/// Whether GSSAPI and Kerberos can be loaded.
bool security_is_available(void);

/// Whether the plug-in for NTLM is installed.
bool security_has_ntlm(void);

/// Tickets, or the user and password of NTLM, that may serve several contexts.
struct security_credential;

/// Copies nothing of `source`, which every call for the credential gets again.
struct security_credential *security_credential_make(void);
/// Wipes what it holds; no context that was begun with it is left.
void security_credential_free(struct security_credential *credential);

struct security_context;

struct security_context *security_context_make(void);
void security_context_free(struct security_context *context);

struct security_target {
  /// A name in lower case or an address, without port. It is not looked up in the DNS.
  const char *host;
  /// The data of the channel binding (RFC 5929), with its prefix; empty: none.
  struct security_bytes channel_binding;
  bool delegates;
  /// Whether a ticket for the host that the cache has is removed first: the host has refused it.
  bool renews_ticket;
};

/// Takes the peer's token, none at the beginning, and makes the next one. `output` is freed by
/// `security_token_free`.
enum security_result security_step(
  struct security_context *context, struct security_credential *credential, const struct security_source *source,
  const struct security_target *target, struct security_bytes input, struct security_bytes *output);

void security_token_free(struct security_bytes *token);

/// Of an established context.
enum security_inner security_context_inner(struct security_context *context);

/// Of a context whose peer has refused a token.
enum security_result security_context_refusal(struct security_context *context);

#endif
