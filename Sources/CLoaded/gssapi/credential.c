#include "credential.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "nt_hash.h"

/// Seconds before the end of a ticket at which another one is fetched.
static const time_t margin = 60;

struct security_credential *security_credential_make(void) {
  struct security_credential *credential = calloc(1, sizeof *credential);
  if (!credential) return NULL;
  pthread_mutex_init(&credential->lock, NULL);
  credential->contents = -1;
  return credential;
}

static void destroy_cache(const char *name) {
  const struct security_library *library = security_library();
  krb5_context kerberos = NULL;
  krb5_ccache cache = NULL;
  if (!name || library->krb5_init_context_(&kerberos)) return;
  if (!library->krb5_cc_resolve_(kerberos, name, &cache)) library->krb5_cc_destroy_(kerberos, cache);
  library->krb5_free_context_(kerberos);
}

static void release(gss_cred_id_t *acquired) {
  OM_uint32 minor = 0;
  if (*acquired) security_library()->gss_release_cred_(&minor, acquired);
}

void security_credential_free(struct security_credential *credential) {
  if (!credential) return;
  destroy_cache(credential->private_cache);
  free(credential->private_cache);
  if (credential->contents >= 0) close(credential->contents);
  for (int index = 0; index < 2; index++) release(&credential->ntlm[index]);
  pthread_mutex_destroy(&credential->lock);
  free(credential);
}

/// The name under which libkrb5 opens contents that were given as bytes; freed by the caller.
static char *name_of_contents(struct security_credential *credential, struct security_bytes contents) {
  if (credential->contents < 0) {
    int file = memfd_create("kerberos", MFD_CLOEXEC);
    if (file < 0) return NULL;
    size_t written = 0;
    while (written < contents.count) {
      ssize_t count = write(file, (const char *)contents.bytes + written, contents.count - written);
      if (count <= 0) {
        close(file);
        return NULL;
      }
      written += (size_t)count;
    }
    credential->contents = file;
  }
  char *name = NULL;
  if (asprintf(&name, "FILE:/proc/self/fd/%d", credential->contents) < 0) return NULL;
  return name;
}

/// `DOMAIN\user` is `user@DOMAIN` to Kerberos.
static krb5_error_code parse_user(krb5_context kerberos, const char *user, krb5_principal *principal) {
  const struct security_library *library = security_library();
  const char *mark = strchr(user, '\\');
  if (!mark) return library->krb5_parse_name_(kerberos, user, principal);
  char *turned = NULL;
  if (asprintf(&turned, "%s@%.*s", mark + 1, (int)(mark - user), user) < 0) return KRB5_PARSE_MALFORMED;
  krb5_error_code code = library->krb5_parse_name_(kerberos, turned, principal);
  free(turned);
  return code;
}

/// Logs in with a password or a keytab.
static krb5_error_code log_in(
  krb5_context kerberos, struct security_credential *credential, const struct security_source *source,
  krb5_principal principal, krb5_creds *tickets) {
  const struct security_library *library = security_library();
  krb5_get_init_creds_opt *options = NULL;
  krb5_error_code code = library->krb5_get_init_creds_opt_alloc_(kerberos, &options);
  if (code) return code;
  if (source->password) {
    code = library->krb5_get_init_creds_password_(
      kerberos, tickets, principal, source->password, NULL, NULL, 0, NULL, options);
  } else {
    char *made = source->keytab ? NULL : name_of_contents(credential, source->keytab_contents);
    const char *name = source->keytab ? source->keytab : made;
    krb5_keytab keytab = NULL;
    code = name ? library->krb5_kt_resolve_(kerberos, name, &keytab) : KRB5_KT_NOTFOUND;
    if (!code) {
      code = library->krb5_get_init_creds_keytab_(kerberos, tickets, principal, keytab, 0, NULL, options);
      library->krb5_kt_close_(kerberos, keytab);
    }
    free(made);
  }
  library->krb5_get_init_creds_opt_free_(kerberos, options);
  return code;
}

/// Fills the private cache, in place of expired tickets.
static enum security_result renew(struct security_credential *credential, const struct security_source *source) {
  const struct security_library *library = security_library();
  krb5_context kerberos = NULL;
  if (library->krb5_init_context_(&kerberos)) return SECURITY_FAILED;
  krb5_principal principal = NULL;
  krb5_creds tickets;
  memset(&tickets, 0, sizeof tickets);
  krb5_ccache cache = NULL;
  bool has_tickets = false;
  krb5_error_code code = parse_user(kerberos, source->user ? source->user : "", &principal);
  if (!code) code = log_in(kerberos, credential, source, principal, &tickets);
  has_tickets = !code;
  if (!code && !credential->private_cache) {
    code = library->krb5_cc_new_unique_(kerberos, "MEMORY", NULL, &cache);
    if (!code) code = library->krb5_cc_get_full_name_(kerberos, cache, &credential->private_cache);
  } else if (!code) {
    code = library->krb5_cc_resolve_(kerberos, credential->private_cache, &cache);
  }
  if (!code) code = library->krb5_cc_initialize_(kerberos, cache, principal);
  if (!code) code = library->krb5_cc_store_cred_(kerberos, cache, &tickets);
  if (!code) credential->end = tickets.times.endtime;
  if (cache) library->krb5_cc_close_(kerberos, cache);
  if (has_tickets) library->krb5_free_cred_contents_(kerberos, &tickets);
  if (principal) library->krb5_free_principal_(kerberos, principal);
  library->krb5_free_context_(kerberos);
  if (!code) return SECURITY_COMPLETE;
  // A keytab without a usable key ends before the realm has seen one.
  if (!source->password && code == KRB5_PREAUTH_FAILED) return SECURITY_CREDENTIAL_MALFORMED;
  // There is no cache that could lack a ticket.
  enum security_result fault = security_kerberos_fault(code);
  return fault == SECURITY_TICKET_MISSING ? SECURITY_CREDENTIAL_MALFORMED : fault;
}

enum security_result security_credential_prepare(
  struct security_credential *credential, const struct security_source *source, char **cache) {
  *cache = NULL;
  bool logs_in = source->password || source->keytab || source->keytab_contents.count > 0;
  enum security_result result = SECURITY_COMPLETE;
  pthread_mutex_lock(&credential->lock);
  if (logs_in) {
    if (credential->end < time(NULL) + margin) result = renew(credential, source);
    if (result == SECURITY_COMPLETE) *cache = strdup(credential->private_cache);
  } else if (source->cache_contents.count > 0) {
    *cache = name_of_contents(credential, source->cache_contents);
  } else if (source->cache) {
    *cache = strdup(source->cache);
  }
  bool needs_name = logs_in || source->cache || source->cache_contents.count > 0;
  pthread_mutex_unlock(&credential->lock);
  return result == SECURITY_COMPLETE && needs_name && !*cache ? SECURITY_OUT_OF_MEMORY : result;
}

/// The server's principal by the host's realm in the configuration; an unknown realm is left empty, and the realm's
/// servers are asked. The DNS is not asked: a false answer would choose another server.
static krb5_error_code name_server(krb5_context kerberos, const char *host, krb5_principal *server) {
  const struct security_library *library = security_library();
  char **realms = NULL;
  krb5_error_code code = library->krb5_get_host_realm_(kerberos, host, &realms);
  if (code) return code;
  char *text = NULL;
  if (asprintf(&text, "HTTP/%s@%s", host, realms && realms[0] ? realms[0] : "") < 0) text = NULL;
  if (realms) library->krb5_free_host_realm_(kerberos, realms);
  code = text ? library->krb5_parse_name_(kerberos, text, server) : KRB5_PARSE_MALFORMED;
  free(text);
  return code;
}

enum security_result security_credential_get_ticket(
  const char *cache_name, const char *host, bool renews, char **name) {
  const struct security_library *library = security_library();
  *name = NULL;
  krb5_context kerberos = NULL;
  if (library->krb5_init_context_(&kerberos)) return SECURITY_FAILED;
  krb5_ccache cache = NULL;
  krb5_creds wanted;
  memset(&wanted, 0, sizeof wanted);
  krb5_creds *ticket = NULL;
  krb5_error_code code = cache_name ? library->krb5_cc_resolve_(kerberos, cache_name, &cache)
                                    : library->krb5_cc_default_(kerberos, &cache);
  if (!code) code = library->krb5_cc_get_principal_(kerberos, cache, &wanted.client);
  if (!code) code = name_server(kerberos, host, &wanted.server);
  // A cache that cannot do that keeps the ticket.
  if (!code && renews) library->krb5_cc_remove_cred_(kerberos, cache, KRB5_TC_MATCH_SRV_NAMEONLY, &wanted);
  if (!code) code = library->krb5_get_credentials_(kerberos, 0, cache, &wanted, &ticket);
  // The realm's servers still take a ticket that has ended within their tolerance for clocks.
  if (!code && ticket->times.endtime <= time(NULL)) code = KRB5KRB_AP_ERR_TKT_EXPIRED;
  char *text = NULL;
  if (!code) code = library->krb5_unparse_name_(kerberos, wanted.server, &text);
  if (!code) *name = strdup(text);
  if (text) library->krb5_free_unparsed_name_(kerberos, text);
  if (ticket) library->krb5_free_creds_(kerberos, ticket);
  library->krb5_free_cred_contents_(kerberos, &wanted);
  if (cache) library->krb5_cc_close_(kerberos, cache);
  library->krb5_free_context_(kerberos);
  if (code) return security_kerberos_fault(code);
  return *name ? SECURITY_COMPLETE : SECURITY_OUT_OF_MEMORY;
}

bool security_import_name(const char *text, const gss_OID_desc *type, gss_name_t *name) {
  OM_uint32 minor = 0;
  gss_buffer_desc buffer = {strlen(text), (void *)text};
  return !GSS_ERROR(security_library()->gss_import_name_(&minor, &buffer, (gss_OID)type, name));
}

bool security_restrict_mechanisms(gss_cred_id_t credential, const gss_OID_desc *mechanism) {
  OM_uint32 minor = 0;
  gss_OID_set_desc allowed = {1, (gss_OID)mechanism};
  return !GSS_ERROR(security_library()->gss_set_neg_mechs_(&minor, credential, &allowed));
}

/// gss-ntlmssp 1.2.0 gets the hash of the password. To hash it itself it would load a provider of OpenSSL each time, and
/// lose 8 KiB.
static enum security_result acquire_ntlm(const struct security_source *source, gss_cred_id_t *acquired) {
  const struct security_library *library = security_library();
  if (!source->user || !source->password) return SECURITY_CREDENTIAL_MALFORMED;
  OM_uint32 minor = 0;
  gss_name_t user = GSS_C_NO_NAME;
  if (!security_import_name(source->user, &security_oid_user_name, &user)) return SECURITY_CREDENTIAL_MALFORMED;
  bool is_alone = source->mechanism == SECURITY_NTLM;
  gss_OID_set_desc mechanisms = {1, (gss_OID)(is_alone ? &security_oid_ntlm : &security_oid_spnego)};
  char hash[watchword_nt_hash_text];
  OM_uint32 major = GSS_S_DEFECTIVE_CREDENTIAL;
  if (watchword_nt_hash(source->password, hash)) {
    gss_key_value_element_desc element = {"ntlmssp_nthash", hash};
    gss_key_value_set_desc store = {1, &element};
    major = library->gss_acquire_cred_from_(
      &minor, user, GSS_C_INDEFINITE, &mechanisms, GSS_C_INITIATE, &store, acquired, NULL, NULL);
    explicit_bzero(hash, sizeof hash);
  }
  library->gss_release_name_(&minor, &user);
  if (GSS_ERROR(major)) return SECURITY_CREDENTIAL_MALFORMED;
  if (is_alone || security_restrict_mechanisms(*acquired, &security_oid_ntlm)) return SECURITY_COMPLETE;
  release(acquired);
  return SECURITY_FAILED;
}

enum security_result security_credential_acquire_ntlm(
  struct security_credential *credential, const struct security_source *source, gss_cred_id_t *acquired) {
  pthread_mutex_lock(&credential->lock);
  gss_cred_id_t *kept = &credential->ntlm[source->mechanism == SECURITY_NTLM];
  enum security_result result = *kept ? SECURITY_COMPLETE : acquire_ntlm(source, kept);
  *acquired = *kept;
  pthread_mutex_unlock(&credential->lock);
  return result;
}
