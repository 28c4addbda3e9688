#include "listing.h"

#include <stdlib.h>
#include <string.h>

#include "objects.h"

struct listing {
  void (*send)(enum token_packet kind, const void *payload, size_t count);
  CK_ULONG left;
};

/// The URI that names the token's certificate, and so its key; the caller frees it.
static char *uri(const struct token *token, CK_SESSION_HANDLE session, CK_OBJECT_HANDLE certificate) {
  P11KitUri *parts = p11_kit_uri_new();
  if (!parts) return NULL;
  uint8_t identifier[256], label[256];
  // Model, manufacturer and serial number identify a token better than a label, which two may share.
  *p11_kit_uri_get_token_info(parts) = token->information;
  CK_ATTRIBUTE attributes[] = {{CKA_ID, identifier, 0}, {CKA_LABEL, label, 0}};
  for (size_t index = 0; index < sizeof attributes / sizeof *attributes; index++) {
    CK_ATTRIBUTE *attribute = &attributes[index];
    attribute->ulValueLen =
      objects_read(token->module, session, certificate, attribute->type, attribute->pValue, sizeof label);
  }
  // The key has the certificate's id; its label may differ.
  for (size_t index = 0; index < sizeof attributes / sizeof *attributes; index++) {
    if (attributes[index].ulValueLen == 0) continue;
    p11_kit_uri_set_attribute(parts, &attributes[index]);
    break;
  }
  char *text = NULL;
  if (p11_kit_uri_format(parts, P11_KIT_URI_FOR_OBJECT_ON_TOKEN, &text) != P11_KIT_URI_OK) text = NULL;
  p11_kit_uri_free(parts);
  return text;
}

static void send_listed(
  struct listing *listing, const struct token *token, CK_SESSION_HANDLE session, CK_OBJECT_HANDLE certificate) {
  uint8_t packet[token_packet_bytes - 1];
  char *name = uri(token, session, certificate);
  size_t count = name ? strlen(name) + 1 : sizeof packet;
  if (count < sizeof packet) {
    memcpy(packet, name, count);
    CK_ULONG bytes =
      objects_read(token->module, session, certificate, CKA_VALUE, packet + count, sizeof packet - count);
    if (bytes > 0) {
      listing->send(TOKEN_LISTED, packet, count + bytes);
      listing->left--;
    }
  }
  free(name);
}

static bool visit(const struct token *token, void *context) {
  struct listing *listing = context;
  CK_SESSION_HANDLE session;
  if (token->module->C_OpenSession(token->slot, CKF_SERIAL_SESSION, NULL, NULL, &session) != CKR_OK) return true;
  CK_OBJECT_HANDLE handles[token_maximum_certificates];
  CK_ULONG count =
    objects_find_certificates(token->module, session, (CK_ATTRIBUTE){CKA_ID, NULL, 0}, handles, listing->left);
  for (CK_ULONG index = 0; index < count; index++) send_listed(listing, token, session, handles[index]);
  token->module->C_CloseSession(session);
  return listing->left > 0;
}

void listing_send(
  const struct modules *modules, void (*send)(enum token_packet kind, const void *payload, size_t count)) {
  struct listing listing = {.send = send, .left = token_maximum_certificates};
  modules_visit_tokens(modules, visit, &listing);
}
