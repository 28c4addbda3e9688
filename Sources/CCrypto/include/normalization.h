#ifndef CRYPTO_NORMALIZATION_H
#define CRYPTO_NORMALIZATION_H

#include <stddef.h>
#include <stdint.h>

/// Writes UTF-8 text in Normalization Form C into `output` and returns its length in bytes; 0 when the text is empty
/// or not UTF-8, or when out of memory. `capacity` is at least three times `count`, the longest possible result.
size_t watchword_normalize(
    const uint8_t *_Nonnull text, size_t count, uint8_t *_Nonnull output, size_t capacity);

/// The most code points that one becomes in Normalization Form KC (U+FDFA).
#define WATCHWORD_COMPATIBLE_CAPACITY 18

/// Writes Normalization Form KC of one code point and returns how many code points that is; 0 when there is none, or when
/// out of memory.
size_t watchword_make_compatible(uint32_t point, uint32_t output[_Nonnull WATCHWORD_COMPATIBLE_CAPACITY]);

#endif
