// logind over sd-bus: libsystemd is loaded when it is first needed, because few daemons watch for sleep.
#ifndef LOADED_LOGIND_H
#define LOADED_LOGIND_H

#include <stdbool.h>
#include <stdint.h>

// A connection to the system's bus that hears logind (org.freedesktop.login1(5)). One thread uses it.
typedef struct logind_bus logind_bus;

// Called from logind_process only. A callback must not close the connection.
typedef struct {
  // logind has answered the request for an inhibitor. `descriptor` is the inhibitor and now the receiver's; -1: refused.
  void (*_Nonnull inhibited)(void *_Nonnull context, int descriptor);
  // The request for an inhibitor has no answer of logind: it does not run, or it hangs.
  void (*_Nonnull unanswered)(void *_Nonnull context);
  // logind has started, or has ended.
  void (*_Nonnull owner_changed)(void *_Nonnull context, bool is_there);
  // PrepareForSleep, of the logind that answered last: sleep begins, or is over.
  void (*_Nonnull sleep)(void *_Nonnull context, bool is_beginning);
} logind_events;

// Whether the library is there.
bool logind_is_available(void);

// Begins to connect to $DBUS_SYSTEM_BUS_ADDRESS or the usual place, without waiting; only over Unix sockets, because a
// name would be looked up. Null and errno on failure.
logind_bus *_Nullable logind_open(logind_events events, void *_Nonnull context);
void logind_close(logind_bus *_Nonnull bus);

int logind_descriptor(const logind_bus *_Nonnull bus);
// What to wait for, of poll(2): a combination of POLLIN and POLLOUT.
int logind_poll_events(const logind_bus *_Nonnull bus);
// When logind_process must be called at the latest, in microseconds of CLOCK_MONOTONIC; UINT64_MAX: never.
uint64_t logind_deadline(const logind_bus *_Nonnull bus);

// Handles at most `maximum` messages and never blocks: 0: nothing is left; 1: there may be more; -1: the connection is lost.
int logind_process(logind_bus *_Nonnull bus, int maximum);

// Asks logind for a delay inhibitor of sleep; the answer comes within 10 seconds. False for lack of memory, or because
// the connection is lost.
bool logind_inhibit(logind_bus *_Nonnull bus, const char *_Nonnull who, const char *_Nonnull why);

#endif
