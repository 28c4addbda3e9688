#include "html.h"

#include <ctype.h>
#include <dlfcn.h>
#include <libxml/HTMLparser.h>
#include <limits.h>
#include <pthread.h>
#include <string.h>

// The functions of the library; null until it is loaded.
static struct {
  void (*init)(void);
  htmlParserCtxtPtr (*create)(void);
  void (*release)(htmlParserCtxtPtr);
  htmlDocPtr (*read)(htmlParserCtxtPtr, const char *, int, const char *, const char *, int);
  void (*stop)(xmlParserCtxtPtr);
  void (*release_document)(xmlDocPtr);
} library;

static bool is_available;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void *found(void *handle, const char *name, bool *is_complete) {
  void *symbol = dlsym(handle, name);
  if (symbol == NULL) *is_complete = false;
  return symbol;
}

static void load(void) {
  void *handle = dlopen("libxml2.so.2", RTLD_NOW | RTLD_LOCAL);
  if (handle == NULL) return;
  bool is_complete = true;
  *(void **)&library.init = found(handle, "xmlInitParser", &is_complete);
  *(void **)&library.create = found(handle, "htmlNewParserCtxt", &is_complete);
  *(void **)&library.release = found(handle, "htmlFreeParserCtxt", &is_complete);
  *(void **)&library.read = found(handle, "htmlCtxtReadMemory", &is_complete);
  *(void **)&library.stop = found(handle, "xmlStopParser", &is_complete);
  *(void **)&library.release_document = found(handle, "xmlFreeDoc", &is_complete);
  if (!is_complete) return;
  library.init();
  is_available = true;
}

bool html_is_available(void) {
  pthread_once(&once, load);
  return is_available;
}

typedef struct {
  html_events events;
  void *context;
  htmlParserCtxtPtr parser;
  bool is_over;
} reading;

static void begin(void *data, const xmlChar *name, const xmlChar **attributes) {
  reading *reading = data;
  if (reading->is_over) return;
  if (reading->events.begin(reading->context, (const char *)name, (const char *const *)attributes)) return;
  reading->is_over = true;
  library.stop(reading->parser);
}

static void end(void *data, const xmlChar *name) {
  reading *reading = data;
  // What is open at the end of the text is closed by the parser.
  bool is_at_end = reading->parser->input == NULL || reading->parser->input->cur >= reading->parser->input->end;
  if (!reading->is_over && !is_at_end) reading->events.end(reading->context, (const char *)name);
}

static void text(void *data, const xmlChar *bytes, int count) {
  reading *reading = data;
  if (!reading->is_over && count > 0) reading->events.text(reading->context, (const char *)bytes, (size_t)count);
}

// libxml2 compares each attribute of a tag with all before it, and each begins behind one of these bytes.
static bool is_separator(unsigned char byte) {
  return byte <= ' ' || byte == '"' || byte == '\'' || byte == '/' || byte == '=';
}

#define SEPARATORS_MAX 8192
// Where quotes are read in another way than libxml2 does, in a comment or a script, values count as well: texts of a path
// in SVG have many spaces.
#define SEPARATORS_AND_VALUES_MAX 32768

static bool has_endless_tag(const char *bytes, size_t count) {
  bool is_tag = false;
  char quote = 0;
  size_t separators = 0, all = 0;
  for (size_t index = 0; index < count; index++) {
    unsigned char byte = (unsigned char)bytes[index];
    if (!is_tag) {
      if (byte != '<' || index + 1 == count || !isalpha((unsigned char)bytes[index + 1])) continue;
      is_tag = true;
      separators = all = 0;
    } else if (quote != 0) {
      if (bytes[index] == quote) quote = 0;
    } else if (byte == '>') {
      is_tag = false;
    } else if ((byte == '"' || byte == '\'') && bytes[index - 1] == '=') {
      quote = bytes[index];
    } else if (is_separator(byte)) {
      separators++;
    }
    if (is_separator(byte)) all++;
    if (separators > SEPARATORS_MAX || all > SEPARATORS_AND_VALUES_MAX) return true;
  }
  return false;
}

bool html_read(
    const char *bytes, size_t count, const char *encoding, html_events events, void *context) {
  if (!html_is_available() || count > INT_MAX || has_endless_tag(bytes, count)) return false;
  htmlParserCtxtPtr parser = library.create();
  if (parser == NULL) return false;
  reading reading = {.events = events, .context = context, .parser = parser};
  memset(parser->sax, 0, sizeof *parser->sax);
  parser->sax->startElement = begin;
  parser->sax->endElement = end;
  parser->sax->characters = text;
  parser->sax->ignorableWhitespace = text;
  parser->userData = &reading;
  int options = HTML_PARSE_RECOVER | HTML_PARSE_NOERROR | HTML_PARSE_NOWARNING | HTML_PARSE_NONET | HTML_PARSE_NOIMPLIED;
  htmlDocPtr document = library.read(parser, bytes, (int)count, NULL, encoding, options);
  if (document != NULL) library.release_document(document);
  library.release(parser);
  return true;
}
