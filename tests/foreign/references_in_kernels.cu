// References as variables of a kernel: another name for an element of global or shared memory, not a copy of it. They are declared
// alone or after others, used before and after barriers, in loops and in branches, and by address. Compared with plain loops.
#include <cstdio>
#include <cstring>

struct Pair { int x, y; };
constexpr int N = 64;

__global__ void acrossBarriers(Pair *p, int) {
  __shared__ Pair s[N];
  s[threadIdx.x] = p[threadIdx.x];
  __syncthreads();
  Pair &r = p[N - 1 - threadIdx.x];
  __syncthreads();
  r.x += s[threadIdx.x].y;
  r.y = 1;
}
__global__ void inLoop(Pair *p, int n) {
  Pair &r = p[threadIdx.x];
  for (int k = 0; k < n; k++) {
    r.x += k;
    atomicAdd(&r.y, 2);
  }
}
__global__ void twoAtOnce(Pair *p, int n) {
  __shared__ Pair s[N];
  s[threadIdx.x] = p[threadIdx.x];
  __syncthreads();
  if (threadIdx.x < n) {
    Pair &a = s[threadIdx.x], &g = p[threadIdx.x];
    atomicAdd(&g.x, a.y);
    g.y = 7;
  }
}
__global__ void inBranch(Pair *p, int n) {
  int i = threadIdx.x;
  if (i < n) {
    Pair &a = p[i];
    atomicAdd(&a.x, 5);
    a.y++;
  }
}
__global__ void afterPointer(Pair *p, int n) {
  int i = threadIdx.x;
  if (i < n) {
    Pair *q = p + i, &a = *q;
    a.x = 8 + q->y;
  }
}
__global__ void afterIndex(Pair *p, int n) {
  int *words = &p[0].x;
  int i = threadIdx.x, &a = words[i];
  if (i < n) a = i * 3;
}
__global__ void afterCopy(Pair *p, int n) {
  Pair old = p[threadIdx.x], &a = p[threadIdx.x];
  a.x = old.x + n;
  old.x = 0;
}
__global__ void readLater(Pair *p, int) {
  const int &later = p[threadIdx.x].x;
  __syncthreads();
  p[N - 1 - threadIdx.x].x = threadIdx.x + 100;
  __syncthreads();
  p[threadIdx.x].y = later;
}

int wrong = 0;
void run(const char *name, void (*kernel)(Pair *, int), int n, void (*change)(const Pair *, Pair *, int)) {
  Pair *p, before[N], expected[N];
  if (cudaMallocManaged(&p, sizeof before) != cudaSuccess) return void(wrong++);
  for (int i = 0; i < N; i++) before[i] = {i * i % 37, 1000 - 3 * i};
  memcpy(p, before, sizeof before), memcpy(expected, before, sizeof before);
  change(before, expected, n);
  kernel<<<1, N>>>(p, n);
  if (cudaDeviceSynchronize() != cudaSuccess || memcmp(p, expected, sizeof expected) != 0) wrong++, printf("%s, n = %d\n", name, n);
  cudaFree(p);
}

int main() {
  for (int n : {0, 1, 17, 50, 64}) {
    run("acrossBarriers", acrossBarriers, n, [](const Pair *old, Pair *p, int) {
      for (int i = 0; i < N; i++) p[N - 1 - i] = {old[N - 1 - i].x + old[i].y, 1};
    });
    run("inLoop", inLoop, n, [](const Pair *, Pair *p, int n) {
      for (int i = 0; i < N; i++) p[i].x += n * (n - 1) / 2, p[i].y += 2 * n;
    });
    run("twoAtOnce", twoAtOnce, n, [](const Pair *old, Pair *p, int n) {
      for (int i = 0; i < n; i++) p[i] = {old[i].x + old[i].y, 7};
    });
    run("inBranch", inBranch, n, [](const Pair *, Pair *p, int n) {
      for (int i = 0; i < n; i++) p[i].x += 5, p[i].y++;
    });
    run("afterPointer", afterPointer, n, [](const Pair *old, Pair *p, int n) {
      for (int i = 0; i < n; i++) p[i].x = 8 + old[i].y;
    });
    run("afterIndex", afterIndex, n, [](const Pair *, Pair *p, int n) {
      for (int i = 0; i < n; i++) (i % 2 == 0 ? p[i / 2].x : p[i / 2].y) = i * 3;
    });
    run("afterCopy", afterCopy, n, [](const Pair *, Pair *p, int n) {
      for (int i = 0; i < N; i++) p[i].x += n;
    });
    run("readLater", readLater, n, [](const Pair *, Pair *p, int) {
      for (int i = 0; i < N; i++) p[i] = {N - 1 - i + 100, N - 1 - i + 100};
    });
  }
  printf("%d wrong\n", wrong);
  return wrong != 0;
}
