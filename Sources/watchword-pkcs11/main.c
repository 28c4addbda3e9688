// watchword-pkcs11: holds one key of a PKCS#11 token for watchwordd, which starts one for each identity.
//
// The administrator's modules run here and not in the daemon: a crash or hang affects only one identity, and a token
// that one session has logged in to stays closed to the others. It exchanges packets (token_wire.h) on its standard
// input; its arguments are the modules. It ends when the daemon closes the socket.

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "key.h"
#include "listing.h"
#include "objects.h"

enum { connection = STDIN_FILENO };

/// The key of this process once it is open, and the PIN for a token that requires it for each signature.
static struct key key;
static bool is_open;

/// Memory that is never swapped out: the packet with the PIN, and the stored PIN.
static struct {
  uint8_t packet[token_packet_bytes];
  uint8_t pin[token_pin_bytes];
  size_t pin_bytes;
} secrets;

static void send_packet(enum token_packet kind, const void *payload, size_t count) {
  uint8_t packet[token_packet_bytes];
  if (count >= sizeof packet) return;
  packet[0] = kind;
  if (count > 0) memcpy(packet + 1, payload, count);
  (void)!send(connection, packet, count + 1, MSG_NOSIGNAL);
}

static void send_fault(enum token_fault fault) {
  uint8_t code = fault;
  send_packet(TOKEN_FAULT, &code, 1);
}

static void send_certificate(enum token_packet kind, CK_OBJECT_HANDLE handle) {
  uint8_t certificate[token_packet_bytes - 1];
  CK_ULONG bytes =
    objects_read(key.token.module, key.session, handle, CKA_VALUE, certificate, sizeof certificate);
  if (bytes > 0) send_packet(kind, certificate, bytes);
}

static void send_certificates(void) {
  CK_OBJECT_HANDLE own[token_maximum_own_certificates], all[token_maximum_certificates];
  CK_FUNCTION_LIST *module = key.token.module;
  if (key.identifier_bytes == 0) return;
  CK_ATTRIBUTE identifier = {CKA_ID, key.identifier, key.identifier_bytes};
  CK_ULONG own_count =
    objects_find_certificates(module, key.session, identifier, own, token_maximum_own_certificates);
  CK_ULONG count = objects_find_certificates(
    module, key.session, (CK_ATTRIBUTE){CKA_ID, NULL, 0}, all, token_maximum_certificates);
  for (CK_ULONG index = 0; index < own_count; index++) send_certificate(TOKEN_OWN_CERTIFICATE, own[index]);
  for (CK_ULONG index = 0; index < count; index++) {
    bool is_own = false;
    for (CK_ULONG other = 0; other < own_count; other++) is_own = is_own || own[other] == all[index];
    if (!is_own) send_certificate(TOKEN_CERTIFICATE, all[index]);
  }
}

/// 1 or 0, the PIN's length, the PIN, the URI.
static void open_key(const struct modules *modules, const uint8_t *payload, size_t count) {
  char uri[token_packet_bytes];
  if (is_open || count < 2 || payload[1] > count - 2) return send_fault(TOKEN_UNAVAILABLE);
  bool has_pin = payload[0];
  size_t pin_bytes = payload[1], uri_bytes = count - 2 - pin_bytes;
  memcpy(uri, payload + 2 + pin_bytes, uri_bytes);
  uri[uri_bytes] = 0;
  enum token_fault fault = key_open(&key, modules, uri, has_pin ? payload + 2 : NULL, pin_bytes);
  if (fault) return send_fault(fault);
  is_open = true;
  if (key.asks_always && has_pin) {
    memcpy(secrets.pin, payload + 2, pin_bytes);
    secrets.pin_bytes = pin_bytes;
  }
  send_certificates();
  send_packet(TOKEN_READY, NULL, 0);
}

static void sign(const uint8_t *payload, size_t count) {
  uint8_t signature[1024];
  bool is_sound = is_open && count > 2 && payload[0] >= TOKEN_RSA_PKCS1 && payload[0] <= TOKEN_ECDSA
    && token_hash_bytes(payload[1]) == count - 2;
  size_t bytes = is_sound ? key_sign(
    &key, payload[0], payload[1], payload + 2, secrets.pin, secrets.pin_bytes, signature, sizeof signature) : 0;
  if (bytes == 0) return send_fault(TOKEN_UNAVAILABLE);
  send_packet(TOKEN_SIGNATURE, signature, bytes);
}

static void list(const struct modules *modules) {
  listing_send(modules, send_packet);
  send_packet(TOKEN_END, NULL, 0);
}

/// The next packet's length; a signal that a module handles does not end the wait.
static ssize_t receive_packet(void) {
  ssize_t count;
  do {
    count = recv(connection, secrets.packet, sizeof secrets.packet, 0);
  } while (count < 0 && errno == EINTR);
  return count;
}

/// Ends the process when the daemon has ended, even if a module never returns.
static void *watch(void *unused) {
  struct pollfd daemon = {.fd = connection, .events = POLLRDHUP};
  while (poll(&daemon, 1, -1) < 0) {}
  // Unless it is blocked, the main thread logs out of the token and exits first.
  sleep(1);
  _exit(0);
}

static bool protect(void) {
  struct rlimit none = {0, 0};
  return prctl(PR_SET_DUMPABLE, 0) == 0 && setrlimit(RLIMIT_CORE, &none) == 0
    && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0;
}

int main(int argument_count, char *arguments[]) {
  if (!protect()) return 1;
  // If memory cannot be locked, the PIN is as safe as the daemon's.
  (void)mlock(&secrets, sizeof secrets);
  signal(SIGPIPE, SIG_IGN);
  pthread_t watcher;
  if (pthread_create(&watcher, NULL, watch, NULL) != 0) return 1;
  struct modules modules = modules_load(arguments + 1, argument_count > 0 ? argument_count - 1 : 0);
  ssize_t count;
  while ((count = receive_packet()) > 0) {
    const uint8_t *payload = secrets.packet + 1;
    switch (secrets.packet[0]) {
    case TOKEN_OPEN: open_key(&modules, payload, (size_t)count - 1); break;
    case TOKEN_LIST: list(&modules); break;
    case TOKEN_SIGN: sign(payload, (size_t)count - 1); break;
    default: send_fault(TOKEN_UNAVAILABLE);
    }
    explicit_bzero(secrets.packet, (size_t)count);
  }
  explicit_bzero(&secrets, sizeof secrets);
  modules_unload(&modules);
  return 0;
}
