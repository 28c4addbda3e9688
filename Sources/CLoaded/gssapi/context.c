#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "credential.h"
#include "negotiation_token.h"

struct security_context {
  gss_ctx_id_t handle;
  /// `tickets`, or what the credential keeps for NTLM.
  gss_cred_id_t credential;
  gss_cred_id_t tickets;
  gss_name_t target;
  enum security_mechanism mechanism;
  bool allows_ntlm;
  /// Whether the mechanism can only be NTLM.
  bool is_ntlm;
  /// Whether the server of NTLM does not sign: then the library must not ask for it.
  bool omits_signing;
  bool is_complete;
  enum security_inner inner;
  enum security_result refusal;
};

struct security_context *security_context_make(void) { return calloc(1, sizeof(struct security_context)); }

void security_context_free(struct security_context *context) {
  if (!context) return;
  const struct security_library *library = security_library();
  OM_uint32 minor = 0;
  if (context->handle) library->gss_delete_sec_context_(&minor, &context->handle, GSS_C_NO_BUFFER);
  if (context->tickets) library->gss_release_cred_(&minor, &context->tickets);
  if (context->target) library->gss_release_name_(&minor, &context->target);
  free(context);
}

static enum security_result begin_kerberos(
  struct security_context *context, struct security_credential *credential, const struct security_source *source,
  const struct security_target *wanted) {
  const struct security_library *library = security_library();
  char *cache = NULL;
  char *server = NULL;
  enum security_result result = security_credential_prepare(credential, source, &cache);
  if (result == SECURITY_COMPLETE) result = security_credential_get_ticket(cache, wanted->host, wanted->renews_ticket, &server);
  if (result == SECURITY_COMPLETE) {
    OM_uint32 minor = 0;
    gss_OID_set_desc mechanisms = {1, (gss_OID)&security_oid_spnego};
    gss_key_value_element_desc element = {"ccache", cache};
    gss_key_value_set_desc store = {1, &element};
    if (GSS_ERROR(library->gss_acquire_cred_from_(
          &minor, GSS_C_NO_NAME, GSS_C_INDEFINITE, &mechanisms, GSS_C_INITIATE, cache ? &store : NULL,
          &context->tickets, NULL, NULL))) {
      result = SECURITY_TICKET_MISSING;
    } else if (
      !security_restrict_mechanisms(context->tickets, &security_oid_kerberos) ||
      !security_import_name(server, &security_oid_principal_name, &context->target)) {
      result = SECURITY_FAILED;
    }
    context->credential = context->tickets;
  }
  free(server);
  free(cache);
  return result;
}

/// NTLM, alone or inside a negotiation.
static enum security_result begin_ntlm(
  struct security_context *context, struct security_credential *credential, const struct security_source *source,
  const char *host) {
  if (!security_library()->has_ntlm) return SECURITY_UNAVAILABLE;
  enum security_result result = security_credential_acquire_ntlm(credential, source, &context->credential);
  if (result != SECURITY_COMPLETE) return result;
  char *service = NULL;
  if (asprintf(&service, "HTTP@%s", host) < 0) return SECURITY_OUT_OF_MEMORY;
  bool is_named = security_import_name(service, &security_oid_service_name, &context->target);
  free(service);
  context->is_ntlm = true;
  return is_named ? SECURITY_COMPLETE : SECURITY_FAILED;
}

static enum security_result begin(
  struct security_context *context, struct security_credential *credential, const struct security_source *source,
  const struct security_target *wanted) {
  context->mechanism = source->mechanism;
  context->allows_ntlm = source->allows_ntlm;
  if (source->mechanism == SECURITY_NTLM) return begin_ntlm(context, credential, source, wanted->host);
  enum security_result result = begin_kerberos(context, credential, source, wanted);
  if (result == SECURITY_COMPLETE || !source->allows_ntlm || !source->password) return result;
  // Where Kerberos is not configured, or does not know the server.
  enum security_result second = begin_ntlm(context, credential, source, wanted->host);
  return second == SECURITY_COMPLETE ? second : result;
}

static bool misplaces_mic;

/// libgssapi 1.21 looks for the MIC over the list of mechanisms in another field than RFC 4178 §4.2.2 says, and takes a
/// server that has sent it for one that has not. This refusal is cut short inside the right field: who reads that finds
/// the token defective, and who does not finds the refusal.
static void find_place_of_mic(void) {
  static const unsigned char refusal[] = {0xa1, 9, 0x30, 7, 0xa0, 3, 0x0a, 1, 2, 0xa3, 0x7f};
  const struct security_library *library = security_library();
  struct security_context *context = security_context_make();
  struct security_source source = {.mechanism = SECURITY_NEGOTIATE, .user = "watchword", .password = "watchword"};
  struct security_credential *credential = security_credential_make();
  if (context && credential && begin_ntlm(context, credential, &source, "localhost") == SECURITY_COMPLETE) {
    OM_uint32 major = GSS_S_COMPLETE, minor = 0;
    for (int step = 0; step < 2 && !GSS_ERROR(major); step++) {
      gss_buffer_desc token = {sizeof refusal, (void *)refusal};
      gss_buffer_desc made = GSS_C_EMPTY_BUFFER;
      major = library->gss_init_sec_context_(
        &minor, context->credential, &context->handle, context->target, (gss_OID)&security_oid_spnego, 0, 0,
        GSS_C_NO_CHANNEL_BINDINGS, step == 0 ? GSS_C_NO_BUFFER : &token, NULL, &made, NULL, NULL);
      library->gss_release_buffer_(&minor, &made);
    }
    misplaces_mic = GSS_ROUTINE_ERROR(major) == GSS_S_BAD_MECH;
  }
  security_context_free(context);
  security_credential_free(credential);
}

/// The server's token as the library reads it, to be freed; null when it is the same.
static unsigned char *respell(const struct security_context *context, struct security_bytes token) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  // Kerberos, the only mechanism that is offered then, needs no MIC.
  if (!context->is_ntlm || context->mechanism == SECURITY_NTLM || token.count == 0) return NULL;
  pthread_once(&once, find_place_of_mic);
  return misplaces_mic ? security_token_with_misplaced_mic(token) : NULL;
}

/// Has the messages of NTLM protected by a MIC ([MS-NLMP] 3.1.5.1.2). Without SPNEGO gss-ntlmssp adds none unless it is
/// inquired; a server that sends no timestamp gets none in any case.
static void request_mic(struct security_context *context) {
  const struct security_library *library = security_library();
  OM_uint32 minor = 0;
  gss_buffer_set_t values = GSS_C_NO_BUFFER_SET;
  library->gss_inquire_sec_context_by_oid_(
    &minor, context->handle, (gss_OID)&security_oid_ntlm_mic, &values);
  if (values) library->gss_release_buffer_set_(&minor, &values);
}

/// Whether the mechanism that was agreed on is allowed, and the server has authenticated itself where it can.
///
/// Both are of the step that has established the context: to inquire it fails when its ticket has ended meanwhile.
static bool is_sound(struct security_context *context, const gss_OID_desc *mechanism, OM_uint32 flags) {
  if (security_oid_equals(mechanism, &security_oid_ntlm)) {
    context->inner = SECURITY_INNER_NTLM;
    return context->is_ntlm && (context->mechanism == SECURITY_NTLM || context->allows_ntlm);
  }
  if (!security_oid_equals(mechanism, &security_oid_kerberos)) return false;
  context->inner = SECURITY_INNER_KERBEROS;
  return !context->is_ntlm && (flags & GSS_C_MUTUAL_FLAG) != 0;
}

/// Whether a CHALLENGE_MESSAGE ([MS-NLMP] 2.2.1.2) in the token is such a one. It gets 24 bytes: the length of the target
/// name is at 12, the flags are at 20.
static bool has_challenge(struct security_bytes token, bool (*is_wanted)(const unsigned char *message)) {
  static const unsigned char signature[12] = {'N', 'T', 'L', 'M', 'S', 'S', 'P', 0, 2, 0, 0, 0};
  const unsigned char *rest = token.bytes;
  size_t count = token.count;
  while (count >= sizeof signature) {
    const unsigned char *found = memmem(rest, count, signature, sizeof signature);
    if (!found) return false;
    count -= (size_t)(found - rest);
    if (count >= 24 && is_wanted(found)) return true;
    rest = found + 1;
    count--;
  }
  return false;
}

/// Whether it has no target name where it announces one, in Unicode: gss-ntlmssp 1.2.0 writes through a null pointer then.
static bool lacks_target_name(const unsigned char *message) {
  bool is_unicode = (message[20] & 0x01) != 0, is_announced = (message[22] & 0x03) != 0;
  return is_unicode && is_announced && message[12] < 2 && message[13] == 0;
}

/// Whether NTLMSSP_NEGOTIATE_SIGN is missing.
static bool lacks_signing(const unsigned char *message) { return (message[20] & 0x10) == 0; }

/// What it means that the library has failed with a token of the peer: that the peer refuses ours, or a faulty token.
static enum security_result refusal(struct security_context *context, struct security_bytes input) {
  uint32_t code = 0;
  if (!security_token_is_refusal(input, &code)) return SECURITY_TOKEN_REFUSED;
  // The numbers of RFC 4120 §7.5.9.
  enum security_result fault = context->is_ntlm || code == 0 || code > 127
                                 ? SECURITY_FAILED
                                 : security_kerberos_fault((krb5_error_code)(KRB5KDC_ERR_NONE + (int32_t)code));
  // The realm has not judged the credential; a server of NTLM has.
  if (fault == SECURITY_CREDENTIAL_REFUSED) fault = SECURITY_FAILED;
  context->refusal = context->is_ntlm ? SECURITY_CREDENTIAL_REFUSED : fault;
  return SECURITY_PEER_REFUSED;
}

/// One step of the library. `mechanism` and `flags` are those of the context when it is established.
static OM_uint32 initiate(
  struct security_context *context, const struct security_target *target, struct security_bytes input,
  gss_buffer_t made, gss_OID *mechanism, OM_uint32 *flags) {
  const struct security_library *library = security_library();
  struct gss_channel_bindings_struct binding;
  memset(&binding, 0, sizeof binding);
  binding.application_data =
    (gss_buffer_desc){target->channel_binding.count, (void *)target->channel_binding.bytes};
  unsigned char *respelled = respell(context, input);
  gss_buffer_desc token = {input.count, respelled ? respelled : (void *)input.bytes};
  OM_uint32 minor = 0;
  // gss-ntlmssp wants the server to sign where replays are to be detected.
  OM_uint32 wanted = GSS_C_MUTUAL_FLAG | (context->omits_signing ? 0 : GSS_C_REPLAY_FLAG) |
                     (target->delegates ? GSS_C_DELEG_FLAG : 0);
  OM_uint32 major = library->gss_init_sec_context_(
    &minor, context->credential, &context->handle, context->target,
    (gss_OID)(context->mechanism == SECURITY_NTLM ? &security_oid_ntlm : &security_oid_spnego), wanted, 0,
    target->channel_binding.count > 0 ? &binding : GSS_C_NO_CHANNEL_BINDINGS,
    input.count > 0 ? &token : GSS_C_NO_BUFFER, mechanism, made, flags, NULL);
  free(respelled);
  return major;
}

/// Begins the context again, for a server of NTLM that does not sign. The first message is not sent again: without a MIC
/// nothing depends on it.
static void begin_without_signing(struct security_context *context, const struct security_target *target) {
  const struct security_library *library = security_library();
  OM_uint32 minor = 0;
  gss_buffer_desc made = GSS_C_EMPTY_BUFFER;
  library->gss_delete_sec_context_(&minor, &context->handle, GSS_C_NO_BUFFER);
  context->omits_signing = true;
  initiate(context, target, (struct security_bytes){NULL, 0}, &made, NULL, NULL);
  library->gss_release_buffer_(&minor, &made);
}

/// What a failure of the library means.
static enum security_result failure(
  struct security_context *context, OM_uint32 major, bool is_first, struct security_bytes input) {
  switch (GSS_ROUTINE_ERROR(major)) {
    // The ticket has ended while the server answered.
    case GSS_S_CONTEXT_EXPIRED:
    case GSS_S_CREDENTIALS_EXPIRED: return SECURITY_TICKET_EXPIRED;
    case GSS_S_NO_CRED: return is_first ? SECURITY_TICKET_MISSING : refusal(context, input);
    default: return is_first ? SECURITY_FAILED : refusal(context, input);
  }
}

enum security_result security_step(
  struct security_context *context, struct security_credential *credential, const struct security_source *source,
  const struct security_target *target, struct security_bytes input, struct security_bytes *output) {
  *output = (struct security_bytes){NULL, 0};
  const struct security_library *library = security_library();
  if (!library->is_loaded) return SECURITY_UNAVAILABLE;
  if (has_challenge(input, lacks_target_name)) return SECURITY_TOKEN_REFUSED;
  bool is_first = context->target == GSS_C_NO_NAME;
  if (is_first) {
    enum security_result result = begin(context, credential, source, target);
    if (result != SECURITY_COMPLETE) return result;
  } else if (context->is_complete || !context->handle) {
    return SECURITY_TOKEN_REFUSED;
  }
  // Inside of a negotiation libgssapi asks for signing in any case.
  if (context->mechanism == SECURITY_NTLM && !context->omits_signing && has_challenge(input, lacks_signing)) {
    begin_without_signing(context, target);
  }
  gss_buffer_desc made = GSS_C_EMPTY_BUFFER;
  gss_OID mechanism = GSS_C_NO_OID;
  OM_uint32 minor = 0, flags = 0;
  OM_uint32 major = initiate(context, target, input, &made, &mechanism, &flags);
  if (GSS_ERROR(major)) {
    library->gss_release_buffer_(&minor, &made);
    return failure(context, major, is_first, input);
  }
  if (is_first && context->mechanism == SECURITY_NTLM) request_mic(context);
  if (made.length > 0) {
    void *copy = malloc(made.length);
    if (copy) memcpy(copy, made.value, made.length);
    *output = (struct security_bytes){copy, copy ? made.length : 0};
    explicit_bzero(made.value, made.length);
  }
  bool has_copy = made.length == 0 || output->bytes;
  library->gss_release_buffer_(&minor, &made);
  if (!has_copy) return SECURITY_OUT_OF_MEMORY;
  if (major & GSS_S_CONTINUE_NEEDED) return SECURITY_CONTINUE;
  context->is_complete = true;
  if (is_sound(context, mechanism, flags)) return SECURITY_COMPLETE;
  security_token_free(output);
  return SECURITY_MECHANISM_REFUSED;
}

void security_token_free(struct security_bytes *token) {
  if (token->bytes) explicit_bzero((void *)token->bytes, token->count);
  free((void *)token->bytes);
  *token = (struct security_bytes){NULL, 0};
}

enum security_result security_context_refusal(struct security_context *context) { return context->refusal; }

enum security_inner security_context_inner(struct security_context *context) { return context->inner; }
