// libxml2's HTML parser, loaded when it is first needed: few sessions read pages.
#ifndef LOADED_HTML_H
#define LOADED_HTML_H

#include <stdbool.h>
#include <stddef.h>

// What is found, in the order of the page. Names are in lower case, texts are UTF-8; nothing is kept behind a call.
typedef struct {
  // `attributes` are pairs of a name and a value, which may be null, up to a null name. False ends the reading.
  bool (*_Nonnull begin)(
      void *_Nonnull context, const char *_Nonnull name, const char *_Nullable const *_Nullable attributes);
  // For every element that was begun and does not end with the text, unless the reading ended.
  void (*_Nonnull end)(void *_Nonnull context, const char *_Nonnull name);
  // A piece of text in the element that was begun last and has not ended.
  void (*_Nonnull text)(void *_Nonnull context, const char *_Nonnull bytes, size_t count);
} html_events;

// Whether the library is there.
bool html_is_available(void);

// Reads a page from any thread; `encoding` is a name of IANA, or null for what the page says.
//
// False when it could not be read: the library is missing, memory is short, or a tag has so many attributes that libxml2
// would compare them for seconds.
bool html_read(
    const char *_Nonnull bytes, size_t count, const char *_Nullable encoding, html_events events, void *_Nonnull context);

#endif
