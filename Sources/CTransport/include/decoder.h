#ifndef TRANSPORT_DECODER_H
#define TRANSPORT_DECODER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// The supported content codings (RFC 9110 §8.4.1, RFC 7932, RFC 8878).
enum transport_coding {
  /// RFC 1952; several members are one body.
  TRANSPORT_GZIP,
  /// RFC 1950, and the bare RFC 1951 that some servers send under this name.
  TRANSPORT_DEFLATE,
  TRANSPORT_BROTLI,
  TRANSPORT_ZSTD,
};

/// A decoder for one layer of coding.
///
/// It replaces libcurl's: libcurl 7.88 delivers a body that ends in the middle of its coding as if it were whole, and
/// buffers the rest decoded during a pause, without a suitable bound.
struct transport_decoder;

/// Who is asked before a decoder takes memory, and told when it gives it back.
struct transport_decoder_memory {
  void *_Nullable context;
  /// False when the memory may not grow by so many bytes; with a negative number it is always true.
  bool (*_Nonnull change)(void *_Nullable context, ptrdiff_t bytes);
};

/// NULL when there is no memory, or it was refused. Release it with transport_decoder_free.
struct transport_decoder *_Nullable transport_decoder_create(
  enum transport_coding coding, struct transport_decoder_memory memory);
void transport_decoder_free(struct transport_decoder *_Nullable decoder);

/// The bytes still to be read, or the room still to be written.
struct transport_span {
  uint8_t *_Nullable bytes;
  size_t count;
};

/// Decodes as many bytes as possible from the front of `input` to the front of `output`, and advances both. False
/// when the bytes are not of this coding, or continue after its end, or memory was refused.
bool transport_decoder_step(
  struct transport_decoder *_Nonnull decoder, struct transport_span *_Nonnull input,
  struct transport_span *_Nonnull output);

/// Whether the input so far ends where the coding does, checksum included.
bool transport_decoder_is_whole(const struct transport_decoder *_Nonnull decoder);

#endif
