#include "CLinux.h"

static int argument_count;
static char *const *argument_list;

// The C library passes the arguments of `main` to every constructor. Swift reads /proc/self/cmdline instead, which is
// not there in every container: a daemon would run without what it was told.
__attribute__((constructor)) static void keep_arguments(int count, char *const *arguments) {
  argument_count = count;
  argument_list = arguments;
}

const char *clinux_argument(int index) {
  return argument_list && index >= 0 && index < argument_count ? argument_list[index] : NULL;
}
