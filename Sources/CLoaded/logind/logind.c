#include "logind.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <systemd/sd-bus.h>

#define FUNCTIONS(of)              \
  of(sd_bus_open_system)           \
  of(sd_bus_close_unref)           \
  of(sd_bus_get_fd)                \
  of(sd_bus_get_events)            \
  of(sd_bus_get_timeout)           \
  of(sd_bus_process)               \
  of(sd_bus_add_match_async)       \
  of(sd_bus_call_async)            \
  of(sd_bus_message_new_method_call) \
  of(sd_bus_message_set_auto_start) \
  of(sd_bus_message_append)        \
  of(sd_bus_message_read)          \
  of(sd_bus_message_get_sender)    \
  of(sd_bus_message_is_method_error) \
  of(sd_bus_message_unref)

#define DECLARE(name) __typeof__(&name) name##_;
static struct {
  FUNCTIONS(DECLARE)
} library;
#undef DECLARE

static bool is_available;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void) {
  void *handle = dlopen("libsystemd.so.0", RTLD_NOW | RTLD_LOCAL);
  if (handle == NULL) return;
  bool is_whole = true;
#define LOAD(name) is_whole = (library.name##_ = (__typeof__(&name))dlsym(handle, #name)) && is_whole;
  FUNCTIONS(LOAD)
#undef LOAD
  is_available = is_whole;
}

bool logind_is_available(void) {
  pthread_once(&once, load);
  return is_available;
}

#define LOGIND "org.freedesktop.login1"
#define LOGIND_PATH "/org/freedesktop/login1"
#define MANAGER LOGIND ".Manager"
#define BUS "org.freedesktop.DBus"
#define ANSWER_MICROSECONDS (10u * 1000u * 1000u)

struct logind_bus {
  sd_bus *bus;
  logind_events events;
  void *context;
  // logind's unique name, of its last answer. A program may send a signal to this connection alone, which no match of the
  // bus filters: only this name tells logind's.
  char owner[256];
};

static bool is_sent_by(sd_bus_message *message, const char *name) {
  const char *sender = library.sd_bus_message_get_sender_(message);
  return sender != NULL && name[0] != 0 && strcmp(sender, name) == 0;
}

static int slept(sd_bus_message *message, void *context, sd_bus_error *error) {
  logind_bus *bus = context;
  int is_beginning = 0;
  if (!is_sent_by(message, bus->owner) || library.sd_bus_message_read_(message, "b", &is_beginning) < 0) return 0;
  bus->events.sleep(bus->context, is_beginning != 0);
  return 0;
}

static int changed_owner(sd_bus_message *message, void *context, sd_bus_error *error) {
  logind_bus *bus = context;
  const char *name = NULL, *old = NULL, *new = NULL;
  if (!is_sent_by(message, BUS) || library.sd_bus_message_read_(message, "sss", &name, &old, &new) < 0) return 0;
  if (strcmp(name, LOGIND) != 0) return 0;
  bus->owner[0] = 0;
  bus->events.owner_changed(bus->context, new[0] != 0);
  return 0;
}

static int answered(sd_bus_message *message, void *context, sd_bus_error *error) {
  logind_bus *bus = context;
  const char *sender = library.sd_bus_message_get_sender_(message);
  // The bus answers for a name that has no owner, and sd-bus for one that is silent.
  if (sender == NULL || sender[0] != ':' || strlen(sender) >= sizeof bus->owner) {
    bus->events.unanswered(bus->context);
    return 0;
  }
  strcpy(bus->owner, sender);
  int inhibitor = -1;
  if (!library.sd_bus_message_is_method_error_(message, NULL)) {
    int lent = -1;
    if (library.sd_bus_message_read_(message, "h", &lent) >= 0) inhibitor = fcntl(lent, F_DUPFD_CLOEXEC, 3);
  }
  bus->events.inhibited(bus->context, inhibitor);
  return 0;
}

// Whether all addresses are paths or names of Unix sockets.
static bool is_local(const char *addresses) {
  for (const char *next = addresses; next != NULL; next = strchr(next, ';')) {
    if (*next == ';') next++;
    if (strncmp(next, "unix:", 5) != 0) return false;
  }
  return true;
}

logind_bus *logind_open(logind_events events, void *context) {
  const char *address = secure_getenv("DBUS_SYSTEM_BUS_ADDRESS");
  if (!logind_is_available() || (address != NULL && !is_local(address))) {
    errno = EADDRNOTAVAIL;
    return NULL;
  }
  logind_bus *bus = calloc(1, sizeof *bus);
  if (bus == NULL) return NULL;
  bus->events = events;
  bus->context = context;
  int reason = library.sd_bus_open_system_(&bus->bus);
  if (reason >= 0) {
    reason = library.sd_bus_add_match_async_(
        bus->bus, NULL,
        "type='signal',sender='" LOGIND "',path='" LOGIND_PATH "',interface='" MANAGER "',member='PrepareForSleep'",
        slept, NULL, bus);
  }
  if (reason >= 0) {
    reason = library.sd_bus_add_match_async_(
        bus->bus, NULL,
        "type='signal',sender='" BUS "',interface='" BUS "',member='NameOwnerChanged',arg0='" LOGIND "'", changed_owner,
        NULL, bus);
  }
  if (reason >= 0) return bus;
  logind_close(bus);
  errno = -reason;
  return NULL;
}

void logind_close(logind_bus *bus) {
  if (bus->bus != NULL) library.sd_bus_close_unref_(bus->bus);
  free(bus);
}

int logind_descriptor(const logind_bus *bus) { return library.sd_bus_get_fd_(bus->bus); }

int logind_poll_events(const logind_bus *bus) {
  int events = library.sd_bus_get_events_(bus->bus);
  return events < 0 ? 0 : events;
}

uint64_t logind_deadline(const logind_bus *bus) {
  uint64_t deadline = UINT64_MAX;
  return library.sd_bus_get_timeout_(bus->bus, &deadline) < 0 ? UINT64_MAX : deadline;
}

int logind_process(logind_bus *bus, int maximum) {
  for (int count = 0; count < maximum; count++) {
    int result = library.sd_bus_process_(bus->bus, NULL);
    if (result < 0) return -1;
    if (result == 0) return 0;
  }
  return 1;
}

bool logind_inhibit(logind_bus *bus, const char *who, const char *why) {
  sd_bus_message *call = NULL;
  int reason = library.sd_bus_message_new_method_call_(bus->bus, &call, LOGIND, LOGIND_PATH, MANAGER, "Inhibit");
  if (reason >= 0) reason = library.sd_bus_message_set_auto_start_(call, 0);
  if (reason >= 0) reason = library.sd_bus_message_append_(call, "ssss", "sleep", who, why, "delay");
  if (reason >= 0) {
    reason = library.sd_bus_call_async_(bus->bus, NULL, call, answered, bus, ANSWER_MICROSECONDS);
  }
  if (call != NULL) library.sd_bus_message_unref_(call);
  return reason >= 0;
}
