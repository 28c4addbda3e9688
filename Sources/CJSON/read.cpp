#include "CJSON.h"

// One file has the functions of the library that are not templates.
#include <boost/json/basic_parser_impl.hpp>
#include <boost/json/src.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <new>
#include <set>
#include <string_view>
#include <utility>

namespace json = boost::json;

namespace {

/// Writes what the parser finds, and judges what JSON leaves open. A function that returns false ends the reading.
class Writer {
public:
  // Bounded by the limits that are given, not by those of the type.
  static constexpr std::size_t max_object_size = SIZE_MAX;
  static constexpr std::size_t max_array_size = SIZE_MAX;
  static constexpr std::size_t max_key_size = SIZE_MAX;
  static constexpr std::size_t max_string_size = SIZE_MAX;

  Writer(watchword_json_limits limits, bool has_escapes, watchword_json_entry *entries, char *texts)
      : limits(limits), has_escapes(has_escapes), entries(entries), texts(texts) {}

  /// Set by a function that returned false.
  watchword_json_outcome fault = WATCHWORD_JSON_IS_READ;
  std::size_t used_entries = 0;
  std::size_t used_texts = 0;

  bool on_document_begin(json::error_code &) { return true; }
  bool on_document_end(json::error_code &) { return true; }

  bool on_object_begin(json::error_code &) { return open(WATCHWORD_JSON_OBJECT); }
  bool on_object_end(std::size_t, json::error_code &) { return close(); }
  bool on_array_begin(json::error_code &) { return open(WATCHWORD_JSON_ARRAY); }
  bool on_array_end(std::size_t, json::error_code &) { return close(); }

  bool on_key_part(json::string_view part, std::size_t, json::error_code &) { return take(part); }
  bool on_key(json::string_view end, std::size_t count, json::error_code &) {
    take(end);
    return write_text(WATCHWORD_JSON_NAME, count) && (is_new_name() || refuse(WATCHWORD_JSON_DUPLICATE_MEMBER));
  }
  bool on_string_part(json::string_view part, std::size_t count, json::error_code &) {
    return is_short_enough(count) && take(part);
  }
  bool on_string(json::string_view end, std::size_t count, json::error_code &) {
    if (!is_short_enough(count) || !charge()) return false;
    take(end);
    return write_text(WATCHWORD_JSON_STRING, count);
  }

  bool on_number_part(json::string_view, json::error_code &) { return true; }
  bool on_int64(std::int64_t number, json::string_view, json::error_code &) {
    if (!charge()) return false;
    write(WATCHWORD_JSON_INTEGER).integer = number;
    return true;
  }
  /// Only for what is above the range of on_int64.
  bool on_uint64(std::uint64_t, json::string_view, json::error_code &) {
    return refuse(WATCHWORD_JSON_NUMBER_OUT_OF_RANGE);
  }
  /// The library rounds some numbers to a neighbour of the nearest double: they are read once more.
  bool on_double(double estimate, json::string_view digits, json::error_code &) {
    if (!charge()) return false;
    const bool is_integer = digits.find_first_of(".eE") == digits.npos;
    if (is_integer) return refuse(WATCHWORD_JSON_NUMBER_OUT_OF_RANGE);
    double number = 0;
    const auto result = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    const bool is_too_small = result.ec == std::errc::result_out_of_range && std::abs(estimate) < 1;
    if (result.ec != std::errc() && !is_too_small) return refuse(WATCHWORD_JSON_NUMBER_OUT_OF_RANGE);
    write(WATCHWORD_JSON_REAL).real = is_too_small ? std::copysign(0, estimate) : number;
    return true;
  }
  bool on_bool(bool is_true, json::error_code &) {
    if (!charge()) return false;
    write(is_true ? WATCHWORD_JSON_TRUE : WATCHWORD_JSON_FALSE);
    return true;
  }
  bool on_null(json::error_code &) {
    if (!charge()) return false;
    write(WATCHWORD_JSON_NULL);
    return true;
  }

  bool on_comment_part(json::string_view, json::error_code &) { return false; }
  bool on_comment(json::string_view, json::error_code &) { return false; }

private:
  const watchword_json_limits limits;
  /// Only an escape makes a null character.
  const bool has_escapes;
  watchword_json_entry *const entries;
  char *const texts;

  /// The arrays and objects that have not ended: each as the place of its entry.
  std::uint32_t opened[WATCHWORD_JSON_MAXIMUM_NESTING];
  std::size_t depth = 0;
  std::size_t elements = 0;
  /// Where the text that is being read begins.
  std::size_t text_start = 0;
  /// The names of objects with many members, with the place of their object.
  std::set<std::pair<std::uint32_t, std::string_view>> names;

  /// An object with more members looks for a name in `names`, not at each member.
  static constexpr std::uint64_t few_members = 16;

  bool refuse(watchword_json_outcome reason) {
    fault = reason;
    return false;
  }

  // MARK: Entries

  watchword_json_entry &write(watchword_json_kind kind) {
    watchword_json_entry &entry = entries[used_entries++];
    entry.kind = kind;
    entry.entries = 1;
    entry.integer = 0;
    return entry;
  }

  /// Counts a value in the array or object that it is in.
  bool charge() {
    if (depth == 0) return true;
    if (elements == limits.elements) return refuse(WATCHWORD_JSON_TOO_MANY_ELEMENTS);
    elements += 1;
    entries[opened[depth - 1]].count += 1;
    return true;
  }

  /// The parser has compared the depth with its limit.
  bool open(watchword_json_kind kind) {
    if (!charge()) return false;
    opened[depth++] = static_cast<std::uint32_t>(used_entries);
    write(kind);
    return true;
  }

  bool close() {
    const std::uint32_t place = opened[--depth];
    entries[place].entries = static_cast<std::uint32_t>(used_entries - place);
    return true;
  }

  // MARK: Texts

  bool is_short_enough(std::size_t count) {
    return count <= limits.string_bytes || refuse(WATCHWORD_JSON_STRING_TOO_LONG);
  }

  bool take(json::string_view piece) {
    if (piece.empty()) return true;
    std::memcpy(texts + used_texts, piece.data(), piece.size());
    used_texts += piece.size();
    return true;
  }

  /// Of the bytes that were taken since the last one.
  bool write_text(watchword_json_kind kind, std::size_t count) {
    if (has_escapes && std::memchr(texts + text_start, 0, count)) return refuse(WATCHWORD_JSON_NULL_CHARACTER);
    watchword_json_entry &entry = write(kind);
    entry.text.start = static_cast<std::uint32_t>(text_start);
    entry.text.count = static_cast<std::uint32_t>(count);
    text_start = used_texts;
    return true;
  }

  // MARK: Names

  std::string_view text(std::size_t place) const {
    return {texts + entries[place].text.start, entries[place].text.count};
  }

  /// Whether the name that was written last is the first of its kind in its object.
  bool is_new_name() {
    const std::uint32_t object = opened[depth - 1];
    const std::string_view name = text(used_entries - 1);
    const std::uint64_t members = entries[object].count;
    if (members > few_members) return names.emplace(object, name).second;
    const bool will_be_many = members == few_members;
    bool is_new = true;
    for (std::size_t place = object + 1; place < used_entries - 1; place += 1 + entries[place + 1].entries) {
      if (text(place) == name) is_new = false;
      if (will_be_many) names.emplace(object, text(place));
    }
    if (will_be_many) names.emplace(object, name);
    return is_new;
  }
};

/// Wipes what the parser has left on the stack, where it has a buffer for strings with escapes.
__attribute__((noinline)) void wipe_stack() {
  char left[32 * 1024];
  explicit_bzero(left, sizeof left);
}

watchword_json_outcome outcome_of(json::error error) {
  switch (error) {
    case json::error::incomplete: return WATCHWORD_JSON_INCOMPLETE;
    case json::error::too_deep: return WATCHWORD_JSON_TOO_DEEP;
    case json::error::exponent_overflow: return WATCHWORD_JSON_NUMBER_OUT_OF_RANGE;
    default: return WATCHWORD_JSON_SYNTAX;
  }
}

/// In a frame of its own: what it leaves on the stack is where wipe_stack, which has the same caller, begins.
__attribute__((noinline)) watchword_json_reading read(
    json::basic_parser<Writer> &parser, const char *text, std::size_t bytes) {
  const Writer &writer = parser.handler();
  watchword_json_reading reading = {};
  try {
    json::error_code error;
    reading.position = parser.write_some(false, text, bytes, error);
    if (writer.fault != WATCHWORD_JSON_IS_READ) {
      reading.outcome = writer.fault;
    } else if (error) {
      reading.outcome = outcome_of(static_cast<json::error>(error.value()));
    } else if (reading.position < bytes) {
      reading.outcome = WATCHWORD_JSON_SYNTAX;
    }
  } catch (const std::bad_alloc &) {
    reading.outcome = WATCHWORD_JSON_OUT_OF_MEMORY;
  }
  reading.entries = writer.used_entries;
  reading.text_bytes = writer.used_texts;
  return reading;
}

}  // namespace

size_t watchword_json_maximum_entries(const char *text, size_t bytes, watchword_json_limits limits) {
  // A value or a name begins the text, or stands behind one of these; there may be others in strings.
  std::size_t begins = 1;
  for (std::size_t place = 0; place < bytes;) {
    // Few enough for a count of eight bits, of which the compiler makes sixteen at a time.
    const std::size_t end = std::min(bytes, place + UINT8_MAX);
    std::uint8_t some = 0;
    for (; place < end; place += 1) {
      const char byte = text[place];
      some += byte == ',' || byte == ':' || byte == '[' || byte == '{';
    }
    begins += some;
  }
  // A name for each value, the value outside of all, and a name whose value is one too many.
  const std::size_t by_limit = 2 * static_cast<std::size_t>(limits.elements) + 2;
  return std::min(begins, by_limit);
}

watchword_json_reading watchword_json_read(
    const char *text, size_t bytes, watchword_json_limits limits, watchword_json_entry *entries, char *texts) {
  json::parse_options options;
  options.max_depth = std::min<std::size_t>(limits.nesting, WATCHWORD_JSON_MAXIMUM_NESTING);
  const bool has_escapes = std::memchr(text, '\\', bytes) != nullptr;
  json::basic_parser<Writer> parser(options, limits, has_escapes, entries, texts);
  const watchword_json_reading reading = read(parser, text, bytes);
  if (has_escapes) wipe_stack();
  return reading;
}
