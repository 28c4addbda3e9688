#include "objects.h"

CK_ULONG objects_find(
  CK_FUNCTION_LIST *module, CK_SESSION_HANDLE session, CK_ATTRIBUTE *attributes, CK_ULONG attribute_count,
  CK_OBJECT_HANDLE handles[], CK_ULONG room) {
  if (module->C_FindObjectsInit(session, attributes, attribute_count) != CKR_OK) return 0;
  CK_ULONG found = 0;
  while (found < room) {
    CK_ULONG more = 0;
    CK_RV result = module->C_FindObjects(session, handles + found, room - found, &more);
    if (result != CKR_OK || more == 0 || more > room - found) break;
    found += more;
  }
  module->C_FindObjectsFinal(session);
  return found;
}

CK_ULONG objects_read(
  CK_FUNCTION_LIST *module, CK_SESSION_HANDLE session, CK_OBJECT_HANDLE object, CK_ATTRIBUTE_TYPE type,
  void *bytes, CK_ULONG room) {
  CK_ATTRIBUTE attribute = {.type = type, .pValue = bytes, .ulValueLen = room};
  CK_RV result = module->C_GetAttributeValue(session, object, &attribute, 1);
  return result == CKR_OK && attribute.ulValueLen <= room ? attribute.ulValueLen : 0;
}

CK_ULONG objects_find_certificates(
  CK_FUNCTION_LIST *module, CK_SESSION_HANDLE session, CK_ATTRIBUTE identifier, CK_OBJECT_HANDLE handles[],
  CK_ULONG room) {
  CK_OBJECT_CLASS class = CKO_CERTIFICATE;
  CK_CERTIFICATE_TYPE type = CKC_X_509;
  CK_ATTRIBUTE wanted[] = {
    {CKA_CLASS, &class, sizeof class}, {CKA_CERTIFICATE_TYPE, &type, sizeof type}, identifier,
  };
  return objects_find(module, session, wanted, identifier.ulValueLen > 0 ? 3 : 2, handles, room);
}
