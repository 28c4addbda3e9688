#ifndef TRANSPORT_DECODER_H
#define TRANSPORT_DECODER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// The content codings that are decoded (RFC 9110 §8.4.1, RFC 7932, RFC 8878).
enum transport_coding {
  /// RFC 1952; several members are one body.
  TRANSPORT_GZIP,
  /// RFC 1950, and the bare RFC 1951 that some servers send under this name.
  TRANSPORT_DEFLATE,
  TRANSPORT_BROTLI,
  TRANSPORT_ZSTD,
};

/// One layer of coding that is being taken off.
///
/// Ours instead of libcurl's, because libcurl 7.88 delivers a body that ends in the middle of its coding as if it
/// were whole, and keeps what a pause leaves over decoded, without a bound that fits.
struct transport_decoder;

/// NULL when memory is short. Ends with transport_decoder_free.
struct transport_decoder *_Nullable transport_decoder_create(enum transport_coding coding);
void transport_decoder_free(struct transport_decoder *_Nullable decoder);

/// What is still to be read, or still free to write to.
struct transport_span {
  uint8_t *_Nullable bytes;
  size_t count;
};

/// Takes bytes from the front of `input` and puts decoded ones to the front of `output`, as many as it can, and moves
/// both on. False when the bytes are not of this coding, or go on after its end.
bool transport_decoder_step(
  struct transport_decoder *_Nonnull decoder, struct transport_span *_Nonnull input,
  struct transport_span *_Nonnull output);

/// Whether what was taken so far ends where the coding does, checksum included.
bool transport_decoder_is_whole(const struct transport_decoder *_Nonnull decoder);

#endif
