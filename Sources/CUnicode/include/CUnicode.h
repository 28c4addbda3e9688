#ifndef CUNICODE_H
#define CUNICODE_H

#include <stddef.h>
#include <stdint.h>

/// Writes UTF-8 text in Normalization Form C into `output` and returns its length in bytes; 0 when the text is empty
/// or not UTF-8, or when out of memory. `capacity` is at least three times `count`, the longest possible result.
size_t watchword_normalize(
    const uint8_t *_Nonnull text, size_t count, uint8_t *_Nonnull output, size_t capacity);

#endif
