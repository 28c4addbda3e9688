// watchword-secret-service: keeps the key of a vault in the Secret Service of a desktop session, for watchwordd.
//
// libsecret and GLib run here and not in the daemon: they wait for a service that may hang, start threads, and end the
// process when the bus does. The daemon starts one for each call, waits some seconds for its answer and then kills it.
//
//   watchword-secret-service lookup IDENTIFIER           the key of an item
//   watchword-secret-service store IDENTIFIER LABEL      the key is on standard input, as hexadecimal digits
//   watchword-secret-service remove IDENTIFIER
//
// The answer on standard output is one letter: `k` and the key, `s` (done), `m` (there is no item), `l` (its collection is
// locked, or there is no default collection), `a` (there is no bus or no service) or `f` (it failed). Nothing prompts.

#include <libsecret/secret.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

enum { key_digits = 64 };

static const SecretSchema schema = {
  .name = "watchword.vault",
  .attributes = {{"application", SECRET_SCHEMA_ATTRIBUTE_STRING}, {"vault", SECRET_SCHEMA_ATTRIBUTE_STRING}},
};

// The key on its way in, in memory that is not swapped out.
static char key[key_digits];

static void answer(char letter) { (void)!write(STDOUT_FILENO, &letter, 1); }

static void answer_fault(const GError *fault) {
  bool is_absent = g_error_matches(fault, G_DBUS_ERROR, G_DBUS_ERROR_SERVICE_UNKNOWN)
      || g_error_matches(fault, G_DBUS_ERROR, G_DBUS_ERROR_NAME_HAS_NO_OWNER)
      || g_error_matches(fault, G_IO_ERROR, G_IO_ERROR_NOT_FOUND)
      || g_error_matches(fault, G_IO_ERROR, G_IO_ERROR_CONNECTION_REFUSED);
  answer(is_absent ? 'a' : g_error_matches(fault, SECRET_ERROR, SECRET_ERROR_IS_LOCKED) ? 'l' : 'f');
}

static GHashTable *attributes_of(const char *identifier) {
  GHashTable *attributes = g_hash_table_new(g_str_hash, g_str_equal);
  g_hash_table_insert(attributes, "application", "watchword");
  g_hash_table_insert(attributes, "vault", (char *)identifier);
  return attributes;
}

static bool is_key(const char *text, gsize count) {
  if (count != key_digits) return false;
  for (gsize index = 0; index < count; index++) {
    if (!g_ascii_isxdigit(text[index])) return false;
  }
  return true;
}

static void look_up(const char *identifier) {
  GError *fault = NULL;
  // Without SECRET_SEARCH_UNLOCK nothing prompts.
  GList *items = secret_service_search_sync(
      NULL, &schema, attributes_of(identifier), SECRET_SEARCH_ALL | SECRET_SEARCH_LOAD_SECRETS, NULL, &fault);
  if (fault != NULL) return answer_fault(fault);
  char letter = items == NULL ? 'm' : 'f';
  for (GList *item = items; item != NULL; item = item->next) {
    if (secret_item_get_locked(item->data)) {
      letter = 'l';
      continue;
    }
    SecretValue *value = secret_item_get_secret(item->data);
    if (value == NULL) continue;
    gsize count = 0;
    const char *text = secret_value_get(value, &count);
    bool is_found = text != NULL && is_key(text, count);
    if (is_found) {
      answer('k');
      (void)!write(STDOUT_FILENO, text, count);
    }
    // libsecret wipes it.
    secret_value_unref(value);
    if (is_found) return;
  }
  answer(letter);
}

static bool has_service(GError **fault) {
  GDBusConnection *bus = g_bus_get_sync(G_BUS_TYPE_SESSION, NULL, fault);
  if (bus == NULL) return false;
  g_dbus_connection_set_exit_on_close(bus, FALSE);
  GVariant *reply = g_dbus_connection_call_sync(
      bus, "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "NameHasOwner",
      g_variant_new("(s)", "org.freedesktop.secrets"), G_VARIANT_TYPE("(b)"), G_DBUS_CALL_FLAGS_NONE, -1, NULL, fault);
  if (reply == NULL) return false;
  gboolean has_owner = FALSE;
  g_variant_get(reply, "(b)", &has_owner);
  return has_owner;
}

static void store(const char *identifier, const char *label) {
  for (size_t count = 0; count < sizeof key;) {
    ssize_t taken = read(STDIN_FILENO, key + count, sizeof key - count);
    if (taken <= 0) return answer('f');
    count += (size_t)taken;
  }
  if (!is_key(key, sizeof key)) return answer('f');
  GError *fault = NULL;
  // A new key goes only to a service that is there and open: one that must be started first belongs to no session.
  if (!has_service(&fault)) return fault == NULL ? answer('a') : answer_fault(fault);
  SecretService *service = secret_service_get_sync(SECRET_SERVICE_NONE, NULL, &fault);
  if (service == NULL) return answer_fault(fault);
  SecretCollection *collection =
      secret_collection_for_alias_sync(service, SECRET_COLLECTION_DEFAULT, SECRET_COLLECTION_NONE, NULL, &fault);
  if (fault != NULL) return answer_fault(fault);
  if (collection == NULL || secret_collection_get_locked(collection)) return answer('l');
  SecretValue *value = secret_value_new(key, sizeof key, "text/plain");
  bool is_stored = secret_service_store_sync(
      service, &schema, attributes_of(identifier), SECRET_COLLECTION_DEFAULT, label, value, NULL, &fault);
  secret_value_unref(value);
  if (fault != NULL) return answer_fault(fault);
  answer(is_stored ? 's' : 'f');
}

static void discard(const char *identifier) {
  GError *fault = NULL;
  secret_service_clear_sync(NULL, &schema, attributes_of(identifier), NULL, &fault);
  if (fault != NULL) return answer_fault(fault);
  answer('s');
}

int main(int count, char *arguments[]) {
  struct rlimit none = {0, 0};
  if (setrlimit(RLIMIT_CORE, &none) != 0 || prctl(PR_SET_DUMPABLE, 0) != 0) return 1;
  // If memory cannot be locked, the key is as safe as libsecret's copy.
  (void)mlock(key, sizeof key);
  if (count == 3 && strcmp(arguments[1], "lookup") == 0) look_up(arguments[2]);
  else if (count == 4 && strcmp(arguments[1], "store") == 0) store(arguments[2], arguments[3]);
  else if (count == 3 && strcmp(arguments[1], "remove") == 0) discard(arguments[2]);
  else return 2;
  explicit_bzero(key, sizeof key);
  return 0;
}
