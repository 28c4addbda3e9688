#include "CJSON.h"

#include "arena.h"

#include <jansson.h>
#include <stdbool.h>
#include <string.h>

// MARK: Before Jansson sees a text

/// What a look at single bytes says, strings included: never less than there is.
typedef struct {
  /// Values and names.
  size_t entries;
  /// Arrays and objects.
  size_t brackets;
} estimate;

static estimate estimate_of(const char *text, size_t bytes) {
  // A value or a name begins the text, or stands behind one of these.
  estimate found = {.entries = 1};
  for (size_t place = 0; place < bytes;) {
    // Few enough for counts of eight bits, of which the compiler makes sixteen at a time.
    const size_t end = bytes - place > UINT8_MAX ? place + UINT8_MAX : bytes;
    uint8_t brackets = 0, separators = 0;
    for (; place < end; place += 1) {
      const char byte = text[place];
      brackets += byte == '[' || byte == '{';
      separators += byte == ',' || byte == ':';
    }
    found.entries += brackets + separators;
    found.brackets += brackets;
  }
  return found;
}

static size_t entries_within(estimate estimate, watchword_json_limits limits) {
  // A name for each value, and the value outside of all.
  const size_t by_limit = 2 * (size_t)limits.elements + 1;
  return estimate.entries < by_limit ? estimate.entries : by_limit;
}

/// Counts levels and elements, strings left aside. Jansson recurses for each level and makes a table for each object: a
/// text of a megabyte would take 77.
///
/// `position` is where the first limit is exceeded.
static watchword_json_outcome judge(
    const char *text, size_t bytes, watchword_json_limits limits, size_t *position) {
  size_t depth = 0, elements = 0;
  // Whether a bracket has opened and nothing has come behind it.
  bool is_empty = false;
  for (size_t place = 0; place < bytes; place += 1) {
    const char byte = text[place];
    *position = place;
    switch (byte) {
      case ' ': case '\t': case '\r': case '\n': continue;
      case ']': case '}':
        if (depth > 0) depth -= 1;
        is_empty = false;
        continue;
      case ',': elements += 1; break;
      default: elements += is_empty; break;
    }
    if (elements > limits.elements) return WATCHWORD_JSON_TOO_MANY_ELEMENTS;
    is_empty = byte == '[' || byte == '{';
    if (is_empty) {
      depth += 1;
      if (depth > limits.nesting) return WATCHWORD_JSON_TOO_DEEP;
    } else if (byte == '"') {
      for (place += 1; place < bytes && text[place] != '"'; place += 1) place += text[place] == '\\';
    }
  }
  return WATCHWORD_JSON_IS_READ;
}

/// More than Jansson needs for the costliest texts of this size: an object takes 240 bytes, a member 150 with the tables
/// that grow, a name or a string its length two times, and four times in the buffer that grows with the longest.
static size_t arena_bytes(estimate estimate, size_t bytes) { return 512 * estimate.entries + 8 * bytes; }

// MARK: After

/// Where the values are written.
typedef struct {
  watchword_json_entry *entries;
  char *texts;
  size_t used_entries;
  size_t used_texts;
  size_t capacity;
  uint32_t string_bytes;
} list;

static watchword_json_entry *add_entry(list *list, watchword_json_kind kind) {
  if (list->used_entries == list->capacity) return NULL;
  watchword_json_entry *entry = &list->entries[list->used_entries++];
  *entry = (watchword_json_entry){.kind = kind, .entries = 1};
  return entry;
}

static bool add_text(list *list, watchword_json_kind kind, const char *text, size_t count) {
  watchword_json_entry *entry = add_entry(list, kind);
  if (!entry) return false;
  entry->text.start = (uint32_t)list->used_texts;
  entry->text.count = (uint32_t)count;
  memcpy(list->texts + list->used_texts, text, count);
  list->used_texts += count;
  return true;
}

static watchword_json_outcome add(list *list, json_t *value);

static watchword_json_outcome add_members(list *list, json_t *object) {
  for (void *member = json_object_iter(object); member; member = json_object_iter_next(object, member)) {
    const char *name = json_object_iter_key(member);
    if (!add_text(list, WATCHWORD_JSON_NAME, name, json_object_iter_key_len(member))) {
      return WATCHWORD_JSON_TOO_MANY_ELEMENTS;
    }
    const watchword_json_outcome outcome = add(list, json_object_iter_value(member));
    if (outcome != WATCHWORD_JSON_IS_READ) return outcome;
  }
  return WATCHWORD_JSON_IS_READ;
}

static watchword_json_outcome add_elements(list *list, json_t *array) {
  const size_t count = json_array_size(array);
  for (size_t index = 0; index < count; index += 1) {
    const watchword_json_outcome outcome = add(list, json_array_get(array, index));
    if (outcome != WATCHWORD_JSON_IS_READ) return outcome;
  }
  return WATCHWORD_JSON_IS_READ;
}

static watchword_json_outcome add_nest(list *list, json_t *value, watchword_json_kind kind) {
  const size_t place = list->used_entries;
  watchword_json_entry *entry = add_entry(list, kind);
  if (!entry) return WATCHWORD_JSON_TOO_MANY_ELEMENTS;
  const bool is_object = kind == WATCHWORD_JSON_OBJECT;
  entry->count = is_object ? json_object_size(value) : json_array_size(value);
  const watchword_json_outcome outcome = is_object ? add_members(list, value) : add_elements(list, value);
  entry->entries = (uint32_t)(list->used_entries - place);
  return outcome;
}

static watchword_json_outcome add_string(list *list, json_t *value) {
  const size_t count = json_string_length(value);
  if (count > list->string_bytes) return WATCHWORD_JSON_STRING_TOO_LONG;
  const bool is_added = add_text(list, WATCHWORD_JSON_STRING, json_string_value(value), count);
  return is_added ? WATCHWORD_JSON_IS_READ : WATCHWORD_JSON_TOO_MANY_ELEMENTS;
}

/// Recurses for each level, whose number is bounded.
static watchword_json_outcome add(list *list, json_t *value) {
  watchword_json_entry *entry = NULL;
  switch (json_typeof(value)) {
    case JSON_OBJECT: return add_nest(list, value, WATCHWORD_JSON_OBJECT);
    case JSON_ARRAY: return add_nest(list, value, WATCHWORD_JSON_ARRAY);
    case JSON_STRING: return add_string(list, value);
    case JSON_INTEGER:
      entry = add_entry(list, WATCHWORD_JSON_INTEGER);
      if (entry) entry->integer = json_integer_value(value);
      break;
    case JSON_REAL:
      entry = add_entry(list, WATCHWORD_JSON_REAL);
      if (entry) entry->real = json_real_value(value);
      break;
    case JSON_TRUE: entry = add_entry(list, WATCHWORD_JSON_TRUE); break;
    case JSON_FALSE: entry = add_entry(list, WATCHWORD_JSON_FALSE); break;
    case JSON_NULL: entry = add_entry(list, WATCHWORD_JSON_NULL); break;
  }
  return entry ? WATCHWORD_JSON_IS_READ : WATCHWORD_JSON_TOO_MANY_ELEMENTS;
}

// MARK: Reading

static watchword_json_outcome outcome_of(enum json_error_code code) {
  switch (code) {
    case json_error_out_of_memory: return WATCHWORD_JSON_OUT_OF_MEMORY;
    case json_error_stack_overflow: return WATCHWORD_JSON_TOO_DEEP;
    case json_error_invalid_utf8: return WATCHWORD_JSON_INVALID_UTF8;
    case json_error_premature_end_of_input: return WATCHWORD_JSON_INCOMPLETE;
    case json_error_null_character:
    case json_error_null_byte_in_key: return WATCHWORD_JSON_NULL_CHARACTER;
    case json_error_duplicate_key: return WATCHWORD_JSON_DUPLICATE_MEMBER;
    case json_error_numeric_overflow: return WATCHWORD_JSON_NUMBER_OUT_OF_RANGE;
    default: return WATCHWORD_JSON_SYNTAX;
  }
}

/// Jansson composes the text of an error on the stack, and quotes there what was near: up to 20 bytes of a secret. Its
/// frames are small, a level of nesting less than 300 bytes.
__attribute__((noinline)) static void wipe_stack(void) {
  char left[32 * 1024];
  explicit_bzero(left, sizeof left);
}

/// In a frame of its own: what it leaves on the stack is where wipe_stack, which has the same caller, begins.
__attribute__((noinline)) static json_t *load(
    const char *text, size_t bytes, watchword_json_outcome *outcome, size_t *position) {
  json_error_t fault;
  json_t *root = json_loadb(text, bytes, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, &fault);
  if (!root) {
    *outcome = outcome_of(json_error_code(&fault));
    *position = fault.position > 0 ? (size_t)fault.position : 0;
    explicit_bzero(&fault, sizeof fault);
  }
  return root;
}

size_t watchword_json_maximum_entries(const char *text, size_t bytes, watchword_json_limits limits) {
  return entries_within(estimate_of(text, bytes), limits);
}

watchword_json_reading watchword_json_read(
    const char *text, size_t bytes, watchword_json_limits limits, watchword_json_entry *entries, char *texts) {
  watchword_json_reading reading = {.outcome = WATCHWORD_JSON_IS_READ};
  // Jansson passes over a zero byte behind a number.
  const char *zero = memchr(text, 0, bytes);
  if (zero) {
    reading.outcome = WATCHWORD_JSON_NULL_CHARACTER;
    reading.position = (size_t)(zero - text);
    return reading;
  }
  const estimate estimate = estimate_of(text, bytes);
  if (estimate.brackets > limits.nesting || estimate.entries > limits.elements) {
    reading.outcome = judge(text, bytes, limits, &reading.position);
    if (reading.outcome != WATCHWORD_JSON_IS_READ) return reading;
  }
  watchword_json_arena arena;
  watchword_json_enter_arena(&arena, arena_bytes(estimate, bytes));
  json_t *root = load(text, bytes, &reading.outcome, &reading.position);
  if (root) {
    list list = {
        .entries = entries, .texts = texts, .capacity = entries_within(estimate, limits),
        .string_bytes = limits.string_bytes};
    reading.outcome = add(&list, root);
    reading.entries = list.used_entries;
    reading.text_bytes = list.used_texts;
    reading.position = bytes;
  } else {
    wipe_stack();
  }
  watchword_json_leave_arena(&arena);
  return reading;
}
