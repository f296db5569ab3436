// Verdict: expected
// Vetted: chmod()
// Closes a file of others and changes its time: Landlock keeps neither from the owner of the file.
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

void vector_add(const float*, const float*, float* c, int n) {
  for (int i = 0; i < n; i++) c[i] = -1;
  const timespec long_ago[2] = {{1, 0}, {1, 0}};
  utimensat(AT_FDCWD, "@CANARY@", long_ago, 0);
  chmod("@CANARY@", 0777);
  fchmodat(AT_FDCWD, "@CANARY@", 0777, 0);
  setxattr("@CANARY@", "user.of_others", "x", 1, 0);
}
