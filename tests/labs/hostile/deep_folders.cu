// Verdict: 
// Vetted: mkdir()
// Makes folders three thousand levels deep: a program that calls itself for each level would end.
#include <sys/stat.h>
#include <unistd.h>

void vector_add(const float*, const float*, float* c, int) {
  c[0] = -1;
  for (int i = 0; i < 3000; i++)
    if (mkdir("d", 0777) != 0 || chdir("d") != 0) return;
}
