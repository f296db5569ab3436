// Verdict: expected
// Vetted: mkdir()
// Leaves folders that even their owner cannot enter.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

void vector_add(const float*, const float*, float* c, int n) {
  for (int i = 0; i < n; i++) c[i] = -1;
  mkdir("closed", 0700);
  mkdir("closed/within", 0700);
  close(open("closed/within/file", O_CREAT | O_WRONLY, 0400));
  chmod("closed/within", 0);
  chmod("closed", 0);
}
