#include "library.h"

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

// The library's own descriptions would have to be loaded too.
const gss_OID_desc security_oid_spnego = {6, "\x2b\x06\x01\x05\x05\x02"};
const gss_OID_desc security_oid_kerberos = {9, "\x2a\x86\x48\x86\xf7\x12\x01\x02\x02"};
const gss_OID_desc security_oid_ntlm = {10, "\x2b\x06\x01\x04\x01\x82\x37\x02\x02\x0a"};
const gss_OID_desc security_oid_ntlm_mic = {11, "\x2b\x06\x01\x04\x01\xb7\x7d\x85\x0f\x01\x02"};
const gss_OID_desc security_oid_principal_name = {10, "\x2a\x86\x48\x86\xf7\x12\x01\x02\x02\x01"};
const gss_OID_desc security_oid_user_name = {10, "\x2a\x86\x48\x86\xf7\x12\x01\x02\x01\x01"};
const gss_OID_desc security_oid_service_name = {10, "\x2a\x86\x48\x86\xf7\x12\x01\x02\x01\x04"};

static struct security_library library;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static bool find_ntlm(void) {
  OM_uint32 minor = 0;
  gss_OID_set mechanisms = GSS_C_NO_OID_SET;
  if (GSS_ERROR(library.gss_indicate_mechs_(&minor, &mechanisms))) return false;
  int found = 0;
  library.gss_test_oid_set_member_(&minor, (gss_OID)&security_oid_ntlm, mechanisms, &found);
  library.gss_release_oid_set_(&minor, &mechanisms);
  return found != 0;
}

static void load(void) {
  void *gssapi = dlopen("libgssapi_krb5.so.2", RTLD_NOW | RTLD_LOCAL);
  void *kerberos = dlopen("libkrb5.so.3", RTLD_NOW | RTLD_LOCAL);
  if (!gssapi || !kerberos) return;
  bool is_whole = true;
#define SECURITY_LOAD(name) is_whole = (library.name##_ = (__typeof__(&name))dlsym(gssapi, #name)) && is_whole;
  SECURITY_FUNCTIONS(SECURITY_LOAD)
#undef SECURITY_LOAD
#define SECURITY_LOAD(name) is_whole = (library.name##_ = (__typeof__(&name))dlsym(kerberos, #name)) && is_whole;
  SECURITY_KERBEROS_FUNCTIONS(SECURITY_LOAD)
#undef SECURITY_LOAD
  library.has_ntlm = is_whole && find_ntlm();
  library.is_loaded = is_whole;
}

const struct security_library *security_library(void) {
  pthread_once(&once, load);
  return &library;
}

bool security_is_available(void) { return security_library()->is_loaded; }

bool security_has_ntlm(void) { return security_library()->has_ntlm; }

bool security_oid_equals(const gss_OID_desc *left, const gss_OID_desc *right) {
  return left && left->length == right->length && memcmp(left->elements, right->elements, left->length) == 0;
}

enum security_result security_kerberos_fault(krb5_error_code code) {
  switch (code) {
    case KRB5_FCC_NOFILE:
    case KRB5_CC_NOTFOUND:
    case KRB5_CC_END:
    case KRB5_CC_BADNAME:
    case KRB5_CC_UNKNOWN_TYPE:
    case KRB5_FCC_PERM:
    case KRB5_CONFIG_NODEFREALM: return SECURITY_TICKET_MISSING;
    case KRB5KRB_AP_ERR_TKT_EXPIRED: return SECURITY_TICKET_EXPIRED;
    case KRB5KDC_ERR_C_PRINCIPAL_UNKNOWN:
    case KRB5KDC_ERR_CLIENT_REVOKED:
    case KRB5KDC_ERR_NAME_EXP:
    case KRB5KDC_ERR_KEY_EXP:
    case KRB5KDC_ERR_PREAUTH_FAILED:
    // An empty password, which it would ask for.
    case KRB5_LIBOS_CANTREADPWD:
    case KRB5_PREAUTH_FAILED:
    case KRB5KRB_AP_ERR_BAD_INTEGRITY:
    case KRB5KDC_ERR_POLICY: return SECURITY_CREDENTIAL_REFUSED;
    case KRB5_CC_FORMAT:
    case KRB5_CCACHE_BADVNO:
    case KRB5_KT_NOTFOUND:
    case KRB5_KT_FORMAT:
    case KRB5_KT_END:
    case KRB5_KEYTAB_BADVNO:
    case KRB5_PARSE_MALFORMED: return SECURITY_CREDENTIAL_MALFORMED;
    case KRB5KDC_ERR_S_PRINCIPAL_UNKNOWN: return SECURITY_SERVER_UNKNOWN;
    case KRB5_KDC_UNREACH:
    case KRB5_REALM_UNKNOWN:
    case KRB5_REALM_CANT_RESOLVE: return SECURITY_KDC_UNREACHABLE;
    // The ticket of a realm whose clock is ahead.
    case KRB5KRB_AP_ERR_TKT_NYV:
    case KRB5KRB_AP_ERR_SKEW:
    case KRB5_KDCREP_SKEW: return SECURITY_CLOCK_SKEW;
    default: return SECURITY_FAILED;
  }
}
