#ifndef MODULES_H
#define MODULES_H

#include <p11-kit/p11-kit.h>
#include <p11-kit/uri.h>
#include <stdbool.h>

enum {
  /// Readers and partitions of one module; a rack of hardware modules has some dozen.
  maximum_slots = 256,
};

/// The administrator's modules that could be loaded.
struct modules {
  CK_FUNCTION_LIST **list;
  int count;
};

/// A present token, in its module.
struct token {
  CK_FUNCTION_LIST *module;
  CK_SLOT_ID slot;
  CK_TOKEN_INFO information;
};

/// Loads the modules at these absolute paths; skips those that cannot be loaded.
struct modules modules_load(char *const paths[], int count);

/// Logs out everywhere and unloads them.
void modules_unload(struct modules *modules);

/// Calls `visit` for each token until it returns false.
void modules_visit_tokens(
  const struct modules *modules, bool (*visit)(const struct token *token, void *context), void *context);

#endif
