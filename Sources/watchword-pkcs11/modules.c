#include "modules.h"

#include <stdlib.h>

struct modules modules_load(char *const paths[], int count) {
  struct modules modules = {.list = calloc((size_t)count + 1, sizeof(CK_FUNCTION_LIST *)), .count = 0};
  p11_kit_be_quiet();
  for (int index = 0; modules.list && index < count; index++) {
    CK_FUNCTION_LIST *module = p11_kit_module_load(paths[index], 0);
    if (!module) continue;
    if (p11_kit_module_initialize(module) == CKR_OK) {
      modules.list[modules.count++] = module;
    } else {
      p11_kit_module_release(module);
    }
  }
  return modules;
}

void modules_unload(struct modules *modules) {
  for (int index = 0; index < modules->count; index++) {
    p11_kit_module_finalize(modules->list[index]);
    p11_kit_module_release(modules->list[index]);
  }
  free(modules->list);
  *modules = (struct modules){.list = NULL};
}

void modules_visit_tokens(
  const struct modules *modules, bool (*visit)(const struct token *token, void *context), void *context) {
  for (int index = 0; index < modules->count; index++) {
    CK_SLOT_ID slots[maximum_slots];
    CK_ULONG count = maximum_slots;
    struct token token = {.module = modules->list[index]};
    if (token.module->C_GetSlotList(CK_TRUE, slots, &count) != CKR_OK || count > maximum_slots) continue;
    for (CK_ULONG number = 0; number < count; number++) {
      token.slot = slots[number];
      if (token.module->C_GetTokenInfo(token.slot, &token.information) != CKR_OK) continue;
      if (!(token.information.flags & CKF_TOKEN_INITIALIZED)) continue;
      if (!visit(&token, context)) return;
    }
  }
}
