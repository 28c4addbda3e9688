#include "evaluation.h"

#include <openssl/err.h>
#include <openssl/x509v3.h>
#include <pthread.h>
#include <string.h>

#include "complexity.h"
#include "staple.h"

enum {
  /// 112 bits (NIST SP 800-57): RSA keys of 2048 bits or more, and no signatures over SHA-1 or MD5. OpenSSL's own
  /// default differs in every distribution.
  security_level = 2,
  /// Issuers between a server and its anchor. Real chains have three at most; OpenSSL would follow a hundred.
  maximum_depth = 20,
};

struct faults {
  struct transport_trust_fault *list;
  int count;
  /// Whether a revocation list covers the server's certificate.
  bool is_listed;
  /// OpenSSL's verification of signatures.
  X509_STORE_CTX_verify_fn verify;
};

static int faults_index = -1;

static void make_index(void) {
  faults_index = X509_STORE_CTX_get_ex_new_index(0, NULL, NULL, NULL, NULL);
}

static void add_fault(struct faults *faults, int error, int depth) {
  for (int index = 0; index < faults->count; index++) {
    if (faults->list[index].error == error && faults->list[index].depth == depth) return;
  }
  if (faults->count == TRANSPORT_MAXIMUM_FAULTS) return;
  faults->list[faults->count++] = (struct transport_trust_fault){error, depth};
}

/// Whether the fault comes from a check of revocation lists.
static bool is_of_list(int error) {
  switch (error) {
    case X509_V_ERR_CERT_REVOKED:
    case X509_V_ERR_UNABLE_TO_GET_CRL:
    case X509_V_ERR_UNABLE_TO_GET_CRL_ISSUER:
    case X509_V_ERR_UNABLE_TO_DECRYPT_CRL_SIGNATURE:
    case X509_V_ERR_CRL_SIGNATURE_FAILURE:
    case X509_V_ERR_CRL_NOT_YET_VALID:
    case X509_V_ERR_CRL_HAS_EXPIRED:
    case X509_V_ERR_ERROR_IN_CRL_LAST_UPDATE_FIELD:
    case X509_V_ERR_ERROR_IN_CRL_NEXT_UPDATE_FIELD:
    case X509_V_ERR_KEYUSAGE_NO_CRL_SIGN:
    case X509_V_ERR_UNHANDLED_CRITICAL_CRL_EXTENSION:
    case X509_V_ERR_DIFFERENT_CRL_SCOPE:
    case X509_V_ERR_CRL_PATH_VALIDATION_ERROR: return true;
    default: return false;
  }
}

/// Records every fault and continues, so that all reasons are known and not only the first.
static int note(int ok, X509_STORE_CTX *chain) {
  struct faults *faults = X509_STORE_CTX_get_ex_data(chain, faults_index);
  if (ok || !faults) return 1;
  int error = X509_STORE_CTX_get_error(chain);
  int depth = X509_STORE_CTX_get_error_depth(chain);
  int last = sk_X509_num(X509_STORE_CTX_get0_chain(chain)) - 1;
  // Some issuers have lists; the end of the evaluation decides whether that is enough.
  if (error == X509_V_ERR_UNABLE_TO_GET_CRL && depth == 0) faults->is_listed = false;
  if (error == X509_V_ERR_UNABLE_TO_GET_CRL) return 1;
  // No authority above an anchor could revoke it.
  if (is_of_list(error) && depth > 0 && depth == last) return 1;
  // Without a keyUsage, a key is for every use (RFC 5280 §4.2.1.3); many private roots have none.
  if (error != X509_V_ERR_CA_CERT_MISSING_KEY_USAGE) add_fault(faults, error, depth);
  return 1;
}

/// OpenSSL calls this between building a chain and verifying its signatures and name constraints.
static int verify_signatures(X509_STORE_CTX *chain) {
  struct faults *faults = X509_STORE_CTX_get_ex_data(chain, faults_index);
  STACK_OF(X509) *built = X509_STORE_CTX_get0_chain(chain);
  // What was presented was looked at before; this is for the anchors.
  int depth = transport_costly_key(built);
  if (depth < 0) depth = transport_costly_constraints(built);
  if (faults && depth < 0) return faults->verify(chain);
  X509_STORE_CTX_set_error(chain, faults ? TRANSPORT_FAULT_TOO_COMPLEX : X509_V_ERR_UNSPECIFIED);
  X509_STORE_CTX_set_error_depth(chain, depth < 0 ? 0 : depth);
  return 0;
}

/// Without the dot of the root.
static size_t host_length(const char *host) {
  size_t length = strlen(host);
  return length > 1 && host[length - 1] == '.' ? length - 1 : length;
}

static bool set_name(X509_VERIFY_PARAM *parameters, const struct transport_evaluation *rules) {
  // A common name is not a host name (RFC 9525 §2).
  X509_VERIFY_PARAM_set_hostflags(
    parameters, X509_CHECK_FLAG_NEVER_CHECK_SUBJECT | X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
  if (rules->host_is_address) return X509_VERIFY_PARAM_set1_ip_asc(parameters, rules->host);
  // In OpenSSL an empty name matches every certificate, and one with a leading dot those of its subdomains.
  if (!*rules->host || *rules->host == '.') return false;
  return X509_VERIFY_PARAM_set1_host(parameters, rules->host, host_length(rules->host));
}

static bool prepare(X509_VERIFY_PARAM *parameters, const struct transport_evaluation *rules) {
  X509_VERIFY_PARAM_set_auth_level(parameters, security_level);
  X509_VERIFY_PARAM_set_depth(parameters, maximum_depth);
  return X509_VERIFY_PARAM_set_flags(parameters, X509_V_FLAG_X509_STRICT) && set_name(parameters, rules);
}

/// Whether the name constraints of an issuer allow the host itself; they may allow a wildcard certificate but not one
/// of its hosts (CVE-2025-61727).
static bool allows_host(X509 *issuer, X509 *leaf, const char *host) {
  NAME_CONSTRAINTS *constraints = X509_get_ext_d2i(issuer, NID_name_constraints, NULL, NULL);
  if (!constraints) return true;
  // OpenSSL checks only certificates: this copy names the host and nothing else.
  X509 *named = X509_dup(leaf);
  GENERAL_NAMES *names = GENERAL_NAMES_new();
  GENERAL_NAME *name = GENERAL_NAME_new();
  ASN1_IA5STRING *text = ASN1_IA5STRING_new();
  bool allowed = false;
  if (named && names && name && text && ASN1_STRING_set(text, host, (int)host_length(host))) {
    GENERAL_NAME_set0_value(name, GEN_DNS, text);
    text = NULL;
    if (sk_GENERAL_NAME_push(names, name)) {
      name = NULL;
      allowed = X509_add1_ext_i2d(named, NID_subject_alt_name, names, 0, X509V3_ADD_REPLACE)
        && X509_check_purpose(named, -1, 0) == 1
        && NAME_CONSTRAINTS_check(named, constraints) == X509_V_OK;
    }
  }
  ASN1_IA5STRING_free(text);
  GENERAL_NAME_free(name);
  GENERAL_NAMES_free(names);
  X509_free(named);
  NAME_CONSTRAINTS_free(constraints);
  return allowed;
}

static bool has_fault(const struct faults *faults, int error) {
  for (int index = 0; index < faults->count; index++) {
    if (faults->list[index].error == error) return true;
  }
  return false;
}

static void check_constraints(
  X509_STORE_CTX *chain, const struct transport_evaluation *rules, struct faults *faults) {
  if (rules->host_is_address || has_fault(faults, X509_V_ERR_HOSTNAME_MISMATCH)) return;
  STACK_OF(X509) *built = X509_STORE_CTX_get0_chain(chain);
  for (int depth = 1; depth < sk_X509_num(built); depth++) {
    if (allows_host(sk_X509_value(built, depth), sk_X509_value(built, 0), rules->host)) continue;
    add_fault(faults, X509_V_ERR_EXCLUDED_VIOLATION, 0);
  }
}

/// Adds the fault in the stapled response, or the lack of one, for the server's certificate.
static void check_staple(
  X509_STORE_CTX *chain, const struct transport_evaluation *rules, struct faults *faults) {
  X509 *leaf = X509_STORE_CTX_get0_cert(chain);
  bool insists = transport_staple_is_insisted_on(leaf);
  if (rules->revocation == TRANSPORT_REVOCATION_OFF && !insists) return;
  if (!rules->staple) {
    bool is_needed = rules->revocation == TRANSPORT_REVOCATION_STAPLE_REQUIRED
      || (rules->revocation == TRANSPORT_REVOCATION_REQUIRED && !faults->is_listed);
    if (insists || is_needed) add_fault(faults, X509_V_ERR_OCSP_VERIFY_NEEDED, 0);
    return;
  }
  STACK_OF(X509) *built = X509_STORE_CTX_get0_chain(chain);
  X509 *issuer = sk_X509_num(built) > 1 ? sk_X509_value(built, 1) : leaf;
  int error = transport_staple_verify(rules->staple, rules->staple_length, leaf, issuer);
  if (error != X509_V_OK) add_fault(faults, error, 0);
}

int transport_evaluate(
  X509_STORE_CTX *chain, const struct transport_evaluation *rules, struct transport_trust_fault *list) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, make_index);
  X509_VERIFY_PARAM *parameters = X509_STORE_CTX_get0_param(chain);
  struct faults faults = {.list = list};
  faults.is_listed = X509_VERIFY_PARAM_get_flags(parameters) & X509_V_FLAG_CRL_CHECK;
  bool ready = faults_index >= 0 && X509_STORE_CTX_set_ex_data(chain, faults_index, &faults)
    && prepare(parameters, rules);
  if (!ready) {
    add_fault(&faults, X509_V_ERR_UNSPECIFIED, 0);
    return faults.count;
  }
  int depth = 0;
  if (transport_presents_costly_key(chain, &depth)) {
    add_fault(&faults, TRANSPORT_FAULT_TOO_COMPLEX, depth);
    X509_STORE_CTX_set_ex_data(chain, faults_index, NULL);
    ERR_clear_error();
    return faults.count;
  }
  faults.verify = X509_STORE_CTX_get_verify(chain);
  X509_STORE_CTX_set_verify(chain, verify_signatures);
  X509_STORE_CTX_set_verify_cb(chain, note);
  if (X509_verify_cert(chain) <= 0) {
    int error = X509_STORE_CTX_get_error(chain);
    depth = X509_STORE_CTX_get_error_depth(chain);
    add_fault(&faults, error == X509_V_OK ? X509_V_ERR_UNSPECIFIED : error, depth);
  }
  X509_STORE_CTX_set_ex_data(chain, faults_index, NULL);
  X509_STORE_CTX_set_verify(chain, faults.verify);
  // What is too complex to be verified is too complex for these, too.
  if (!has_fault(&faults, TRANSPORT_FAULT_TOO_COMPLEX)) {
    check_constraints(chain, rules, &faults);
    check_staple(chain, rules, &faults);
  }
  // The faults are in the list, and are no errors of the connection.
  ERR_clear_error();
  return faults.count;
}
