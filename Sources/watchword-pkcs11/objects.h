#ifndef OBJECTS_H
#define OBJECTS_H

#include <stdint.h>

#include "modules.h"

/// Finds the handles of at most `room` objects with these attributes; returns their number.
CK_ULONG objects_find(
  CK_FUNCTION_LIST *module, CK_SESSION_HANDLE session, CK_ATTRIBUTE *attributes, CK_ULONG attribute_count,
  CK_OBJECT_HANDLE handles[], CK_ULONG room);

/// Reads an attribute of 1 to `room` bytes; 0 when there is none.
CK_ULONG objects_read(
  CK_FUNCTION_LIST *module, CK_SESSION_HANDLE session, CK_OBJECT_HANDLE object, CK_ATTRIBUTE_TYPE type,
  void *bytes, CK_ULONG room);

/// Finds the handles of at most `room` X.509 certificates; if the id is not empty, only those with it.
CK_ULONG objects_find_certificates(
  CK_FUNCTION_LIST *module, CK_SESSION_HANDLE session, CK_ATTRIBUTE identifier, CK_OBJECT_HANDLE handles[],
  CK_ULONG room);

#endif
