// Asynchronous copies between pinned and device memory go the way that the addresses say, whatever the direction is called. A
// program that measures the bandwidth in a loop is told of it once.
#include <cstdio>
#include <cstring>

int main() {
  const char *name = "said.txt";
  if (freopen(name, "w", stderr) == nullptr) return 1;
  int bad = 0, *pinned, *device;
  constexpr int n = 1000;
  cudaMallocHost(&pinned, n * sizeof(int));
  cudaMalloc(&device, n * sizeof(int));
  for (int i = 0; i < n; i++) pinned[i] = i;
  for (int k = 0; k < 50; k++)
    if (cudaMemcpyAsync(device, pinned, n * sizeof(int), cudaMemcpyDeviceToHost, nullptr) != cudaSuccess) bad = 1;
  cudaDeviceSynchronize();
  int got[n] = {};
  if (cudaMemcpy(got, device, sizeof got, cudaMemcpyDeviceToHost) != cudaSuccess) bad = 1;
  for (int i = 0; i < n; i++)
    if (got[i] != i) bad = 1;
  fflush(stderr);
  int lines = 0;
  char line[1000];
  FILE *said = fopen(name, "r");
  while (said != nullptr && fgets(line, sizeof line, said) != nullptr) lines += strstr(line, "direction") != nullptr;
  if (said == nullptr || lines > 1) bad = 1, printf("%d lines about the direction\n", lines);
  printf(bad ? "wrong\n" : "right\n");
  return bad;
}
