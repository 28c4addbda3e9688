#ifndef WATCHWORD_NORMALIZATION_H
#define WATCHWORD_NORMALIZATION_H

#include <stddef.h>
#include <stdint.h>

/// Writes UTF-8 text in Normalization Form C into `output` and says how many bytes it has; 0 when the text is empty or not
/// UTF-8, or when there is no memory. `capacity` is three times `count` at least, the most that normalization makes of it.
size_t watchword_normalize(
    const uint8_t *_Nonnull text, size_t count, uint8_t *_Nonnull output, size_t capacity);

#endif
