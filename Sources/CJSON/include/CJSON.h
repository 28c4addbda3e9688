#ifndef CJSON_H
#define CJSON_H

#include <stddef.h>
#include <stdint.h>

/// JSON texts (RFC 8259) to a flat list of entries, through Jansson.
typedef enum {
  WATCHWORD_JSON_NULL,
  WATCHWORD_JSON_FALSE,
  WATCHWORD_JSON_TRUE,
  WATCHWORD_JSON_INTEGER,
  WATCHWORD_JSON_REAL,
  WATCHWORD_JSON_STRING,
  /// The name of a member; the next entry is its value.
  WATCHWORD_JSON_NAME,
  WATCHWORD_JSON_ARRAY,
  WATCHWORD_JSON_OBJECT,
} watchword_json_kind;

/// A value or a name, in the order of the text; what is in an array or an object follows it.
typedef struct {
  watchword_json_kind kind;
  /// How many entries the value takes, all that is in it included.
  uint32_t entries;
  union {
    int64_t integer;
    double real;
    /// Elements of an array, members of an object.
    uint64_t count;
    /// Where the bytes of a string or a name are, in UTF-8.
    struct {
      uint32_t start;
      uint32_t count;
    } text;
  };
} watchword_json_entry;

typedef struct {
  /// Arrays and objects in each other; at most WATCHWORD_JSON_MAXIMUM_NESTING.
  uint32_t nesting;
  /// Bytes of a string.
  uint32_t string_bytes;
  /// Elements and members in all.
  uint32_t elements;
} watchword_json_limits;

#define WATCHWORD_JSON_MAXIMUM_NESTING 64
/// Bytes of the longest text that is read: positions in it have 32 bits.
#define WATCHWORD_JSON_MAXIMUM_BYTES UINT32_MAX

typedef enum {
  WATCHWORD_JSON_IS_READ,
  WATCHWORD_JSON_SYNTAX,
  WATCHWORD_JSON_INVALID_UTF8,
  WATCHWORD_JSON_DUPLICATE_MEMBER,
  /// `\u0000`
  WATCHWORD_JSON_NULL_CHARACTER,
  WATCHWORD_JSON_NUMBER_OUT_OF_RANGE,
  WATCHWORD_JSON_TOO_DEEP,
  WATCHWORD_JSON_STRING_TOO_LONG,
  WATCHWORD_JSON_TOO_MANY_ELEMENTS,
  /// The text ends too early.
  WATCHWORD_JSON_INCOMPLETE,
  WATCHWORD_JSON_OUT_OF_MEMORY,
} watchword_json_outcome;

typedef struct {
  watchword_json_outcome outcome;
  /// How many bytes had been read when the fault showed.
  size_t position;
  /// How much of the memory has been written, also after a fault.
  size_t entries;
  size_t text_bytes;
} watchword_json_reading;

/// Entries that the text needs at most: 2 · elements + 1 or less.
size_t watchword_json_maximum_entries(const char *_Nonnull text, size_t bytes, watchword_json_limits limits);

/// Reads one whole text; white space around it is allowed. Any thread may call it.
///
/// `entries` has room for watchword_json_maximum_entries of this text, `texts` for as many bytes as the text. What was
/// written there may be a secret, also after a fault. Nothing else of the text is left in memory: Jansson's part of it is
/// bounded by the text, and wiped.
watchword_json_reading watchword_json_read(
    const char *_Nonnull text, size_t bytes, watchword_json_limits limits, watchword_json_entry *_Nonnull entries,
    char *_Nonnull texts);

#endif
