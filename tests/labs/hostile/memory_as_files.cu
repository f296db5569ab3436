// Verdict: no way
// Vetted: memfd_create
// Three gigabytes that belong to no process: files in memory, and memory that is shared by a number.
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <unistd.h>

#include <string>

static bool fill(int file) {
  const std::string megabyte(1 << 20, 'x');
  int megabytes = 0;
  for (; megabytes < 100 && write(file, megabyte.data(), megabyte.size()) > 0; megabytes++) {
  }
  return megabytes == 100;
}

void vector_add(const float*, const float*, float*, int) {
  int filled = 0;
  for (int i = 0; i < 10; i++) {
    filled += fill(memfd_create("memory", 0));
    for (const std::string folder : {"/dev/shm", "/tmp", "/var/tmp", "/run"})
      filled += fill(open((folder + "/memory" + std::to_string(i)).c_str(), O_CREAT | O_RDWR, 0600));
    filled += shmget(IPC_PRIVATE, 100 << 20, IPC_CREAT | 0600) >= 0;
  }
  fprintf(stderr, "%s\n", filled == 0 ? "no way" : "escaped");
  _exit(3);
}
