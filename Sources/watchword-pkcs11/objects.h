#ifndef OBJECTS_H
#define OBJECTS_H

#include <stdint.h>

#include "modules.h"

/// The handles of at most `room` objects with these attributes, and how many they are.
CK_ULONG objects_find(
  CK_FUNCTION_LIST *module, CK_SESSION_HANDLE session, CK_ATTRIBUTE *attributes, CK_ULONG attribute_count,
  CK_OBJECT_HANDLE handles[], CK_ULONG room);

/// An attribute that has from 1 to `room` bytes; 0 when there is none.
CK_ULONG objects_read(
  CK_FUNCTION_LIST *module, CK_SESSION_HANDLE session, CK_OBJECT_HANDLE object, CK_ATTRIBUTE_TYPE type,
  void *bytes, CK_ULONG room);

/// The handles of at most `room` X.509 certificates; of those with this id, unless it is empty.
CK_ULONG objects_find_certificates(
  CK_FUNCTION_LIST *module, CK_SESSION_HANDLE session, CK_ATTRIBUTE identifier, CK_OBJECT_HANDLE handles[],
  CK_ULONG room);

#endif
