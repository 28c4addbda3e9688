internal import CJansson
internal import Glibc

/// Jansson's allocators and hash seed, set before anything else of it is used.
enum JSONMemory {
  static func prepare() { ready }

  private static let ready: Void = {
    // Whatever Jansson frees may have held a password. It never calls realloc: it copies and frees.
    json_set_alloc_funcs(
      { malloc($0) },
      { pointer in
        guard let pointer else { return }
        explicit_bzero(pointer, malloc_usable_size(pointer))
        free(pointer)
      })
    // From /dev/urandom, so that nobody can choose names that collide.
    json_object_seed(0)
  }()
}
