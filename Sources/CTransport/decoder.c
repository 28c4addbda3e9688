#include "decoder.h"

#include <brotli/decode.h>
#include <stdalign.h>
#include <stdlib.h>
#include <zlib.h>
// For its allocator.
#define ZSTD_STATIC_LINKING_ONLY
#include <zstd.h>

enum {
  /// 8 MiB: the most that RFC 9659 lets an origin require. A frame may name a window of terabytes.
  zstd_window_bits = 23,
  gzip_first_byte = 0x1f,
  /// RFC 8878 §3.1.1: of a frame; §3.1.2: of skippable frames, without its lower half.
  zstd_first_byte = 0x28,
  zstd_skipped_first_byte = 0x50,
};

struct transport_decoder {
  struct transport_decoder_memory memory;
  enum transport_coding coding;
  bool is_begun;
  bool is_whole;
  /// The output was filled, and more may follow without any input.
  bool holds_more;
  z_stream zlib;
  BrotliDecoderState *brotli;
  ZSTD_DStream *zstd;
};

/// In front of each block.
union block {
  size_t bytes;
  max_align_t alignment;
};

static void *allocate(void *context, size_t count) {
  const struct transport_decoder *decoder = context;
  if (count > PTRDIFF_MAX - sizeof(union block)) return NULL;
  size_t bytes = count + sizeof(union block);
  if (!decoder->memory.change(decoder->memory.context, (ptrdiff_t)bytes)) return NULL;
  union block *block = malloc(bytes);
  if (!block) {
    decoder->memory.change(decoder->memory.context, -(ptrdiff_t)bytes);
    return NULL;
  }
  block->bytes = bytes;
  return block + 1;
}

static void release(void *context, void *address) {
  const struct transport_decoder *decoder = context;
  if (!address) return;
  union block *block = (union block *)address - 1;
  decoder->memory.change(decoder->memory.context, -(ptrdiff_t)block->bytes);
  free(block);
}

static voidpf allocate_items(voidpf context, uInt count, uInt size) { return allocate(context, (size_t)count * size); }

static bool begin(struct transport_decoder *decoder) {
  decoder->zlib.zalloc = allocate_items;
  decoder->zlib.zfree = release;
  decoder->zlib.opaque = decoder;
  switch (decoder->coding) {
  case TRANSPORT_GZIP: return inflateInit2(&decoder->zlib, MAX_WBITS + 16) == Z_OK;
  // The first byte tells which of the two it is.
  case TRANSPORT_DEFLATE: return inflateInit2(&decoder->zlib, MAX_WBITS) == Z_OK;
  case TRANSPORT_BROTLI:
    decoder->brotli = BrotliDecoderCreateInstance(allocate, release, decoder);
    return decoder->brotli != NULL;
  case TRANSPORT_ZSTD:
    decoder->zstd = ZSTD_createDStream_advanced((ZSTD_customMem){allocate, release, decoder});
    return decoder->zstd
           && !ZSTD_isError(ZSTD_DCtx_setParameter(decoder->zstd, ZSTD_d_windowLogMax, zstd_window_bits));
  }
  return false;
}

struct transport_decoder *transport_decoder_create(
  enum transport_coding coding, struct transport_decoder_memory memory) {
  struct transport_decoder *decoder = calloc(1, sizeof *decoder);
  if (!decoder) return NULL;
  decoder->coding = coding;
  decoder->memory = memory;
  if (begin(decoder)) return decoder;
  transport_decoder_free(decoder);
  return NULL;
}

void transport_decoder_free(struct transport_decoder *decoder) {
  if (!decoder) return;
  inflateEnd(&decoder->zlib);
  BrotliDecoderDestroyInstance(decoder->brotli);
  ZSTD_freeDStream(decoder->zstd);
  free(decoder);
}

static bool step_zlib(
  struct transport_decoder *decoder, struct transport_span *input, struct transport_span *output) {
  if (decoder->is_whole && input->count > 0) {
    // RFC 1952 §2.2: members follow each other with nothing between them.
    if (decoder->coding != TRANSPORT_GZIP || input->bytes[0] != gzip_first_byte) return false;
    if (inflateReset(&decoder->zlib) != Z_OK) return false;
    decoder->is_whole = false;
  }
  if (!decoder->is_begun && input->count > 0 && decoder->coding == TRANSPORT_DEFLATE) {
    // RFC 1950 §2.2: the method is 8 and the window at most 7; a stored block of RFC 1951 never begins like that.
    bool is_bare = (input->bytes[0] & 0x0f) != Z_DEFLATED || input->bytes[0] >> 4 > 7;
    if (is_bare && inflateReset2(&decoder->zlib, -MAX_WBITS) != Z_OK) return false;
  }
  if (input->count > 0) decoder->is_begun = true;
  uInt given = input->count > UINT32_MAX ? UINT32_MAX : (uInt)input->count;
  uInt room = output->count > UINT32_MAX ? UINT32_MAX : (uInt)output->count;
  decoder->zlib.next_in = input->bytes;
  decoder->zlib.avail_in = given;
  decoder->zlib.next_out = output->bytes;
  decoder->zlib.avail_out = room;
  int result = inflate(&decoder->zlib, Z_NO_FLUSH);
  input->bytes += given - decoder->zlib.avail_in;
  input->count -= given - decoder->zlib.avail_in;
  output->bytes += room - decoder->zlib.avail_out;
  output->count -= room - decoder->zlib.avail_out;
  if (result == Z_STREAM_END) decoder->is_whole = true;
  return result == Z_OK || result == Z_STREAM_END || result == Z_BUF_ERROR;
}

static bool step_brotli(
  struct transport_decoder *decoder, struct transport_span *input, struct transport_span *output) {
  if (decoder->is_whole) return input->count == 0;
  const uint8_t *next = input->bytes;
  BrotliDecoderResult result = BrotliDecoderDecompressStream(
    decoder->brotli, &input->count, &next, &output->count, &output->bytes, NULL);
  input->bytes = (uint8_t *)next;
  decoder->is_whole = result == BROTLI_DECODER_RESULT_SUCCESS;
  return result != BROTLI_DECODER_RESULT_ERROR;
}

static bool step_zstd(
  struct transport_decoder *decoder, struct transport_span *input, struct transport_span *output) {
  // At the end of a frame, libzstd would return the bytes that the next one needs.
  if (decoder->is_whole && input->count == 0) return true;
  if (!decoder->is_begun || decoder->is_whole) {
    // libzstd also accepts formats older than RFC 8878, which lack the bound of the window.
    uint8_t first = input->bytes[0];
    if (first != zstd_first_byte && (first & 0xf0) != zstd_skipped_first_byte) return false;
    decoder->is_begun = true;
  }
  ZSTD_inBuffer in = {input->bytes, input->count, 0};
  ZSTD_outBuffer out = {output->bytes, output->count, 0};
  size_t left = ZSTD_decompressStream(decoder->zstd, &out, &in);
  if (ZSTD_isError(left)) return false;
  input->bytes += in.pos;
  input->count -= in.pos;
  output->bytes += out.pos;
  output->count -= out.pos;
  // A frame may follow the one that has ended (RFC 8878 §3).
  decoder->is_whole = left == 0;
  return true;
}

bool transport_decoder_step(
  struct transport_decoder *decoder, struct transport_span *input, struct transport_span *output) {
  if (output->count == 0 || (input->count == 0 && !decoder->holds_more)) return true;
  bool is_good = false;
  switch (decoder->coding) {
  case TRANSPORT_GZIP:
  case TRANSPORT_DEFLATE: is_good = step_zlib(decoder, input, output); break;
  case TRANSPORT_BROTLI: is_good = step_brotli(decoder, input, output); break;
  case TRANSPORT_ZSTD: is_good = step_zstd(decoder, input, output); break;
  }
  decoder->holds_more = output->count == 0;
  return is_good;
}

bool transport_decoder_is_whole(const struct transport_decoder *decoder) { return decoder->is_whole; }
