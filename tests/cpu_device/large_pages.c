/* A machine with larger pages, as far as a program can tell. Preloaded, with PRETENDED_PAGE bytes:
 *   gcc -shared -fPIC tests/cpu_device/large_pages.c -o large_pages.so
 *   PRETENDED_PAGE=65536 LD_PRELOAD=./large_pages.so build/cpu/tests/cpu_device_test
 * What the program maps begins at such a page, and what it asks for within one ends it with a message. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static uintptr_t page(void) {
  static uintptr_t bytes;
  if (bytes == 0) bytes = getenv("PRETENDED_PAGE") ? strtoul(getenv("PRETENDED_PAGE"), NULL, 10) : 4096;
  return bytes;
}

static void must_be_page(const char* function, const void* address) {
  if ((uintptr_t)address % page() == 0) return;
  fprintf(stderr, "large_pages: %s(%p): not at a page of %zu bytes\n", function, address, (size_t)page());
  _exit(3);
}

long sysconf(int name) {
  if (name == _SC_PAGESIZE) return (long)page();
  return ((long (*)(int))dlsym(RTLD_NEXT, "sysconf"))(name);
}

int getpagesize(void) { return (int)page(); }

static void* system_mmap(void* at, size_t bytes, int use, int kind, int file, off_t offset) {
  return (void*)syscall(SYS_mmap, at, bytes, use, kind, file, offset);
}

void* mmap(void* at, size_t bytes, int use, int kind, int file, off_t offset) {
  bytes = (bytes + page() - 1) / page() * page();
  if (kind & (MAP_FIXED | MAP_FIXED_NOREPLACE)) must_be_page("mmap", at);
  if (at != NULL || file >= 0) return system_mmap(at, bytes, use, kind, file, offset);
  char* wide = system_mmap(NULL, bytes + page(), use, kind, file, offset);
  if (wide == MAP_FAILED) return wide;
  char* start = wide + (page() - (uintptr_t)wide % page()) % page();
  if (start > wide) syscall(SYS_munmap, wide, start - wide);
  if (wide + page() > start) syscall(SYS_munmap, start + bytes, wide + page() - start);
  return start;
}

int munmap(void* at, size_t bytes) {
  must_be_page("munmap", at);
  return (int)syscall(SYS_munmap, at, (bytes + page() - 1) / page() * page());
}

int mprotect(void* at, size_t bytes, int use) {
  must_be_page("mprotect", at);
  return (int)syscall(SYS_mprotect, at, (bytes + page() - 1) / page() * page(), use);
}

int madvise(void* at, size_t bytes, int advice) {
  must_be_page("madvise", at);
  return (int)syscall(SYS_madvise, at, (bytes + page() - 1) / page() * page(), advice);
}
