internal import CJansson
internal import Glibc

/// Sets Jansson's allocators and hash seed before any other use of it.
enum JSONMemory {
  static func prepare() { ready }

  private static let ready: Void = {
    // Memory that Jansson frees may contain a password. It never calls realloc: it copies and frees.
    json_set_alloc_funcs(
      { malloc($0) },
      { pointer in
        guard let pointer else { return }
        explicit_bzero(pointer, malloc_usable_size(pointer))
        free(pointer)
      })
    // From /dev/urandom, so that a peer cannot choose names that collide.
    json_object_seed(0)
  }()
}
