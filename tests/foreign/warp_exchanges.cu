// In the manner of code from before Volta, beyond reductions: lanes of a warp that tell each other something through volatile
// memory. CPU_DEVICE_LOCKSTEP=1 runs them as older GPUs did. Without it they are right as well, and a note says why; with
// CPU_DEVICE_LOCKSTEP=0 they are wrong. The same with __syncwarp() is right anyway, and nothing is said.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>


__global__ void sortWarp(unsigned *data) {
  __shared__ volatile unsigned buf[64];
  unsigned lane = threadIdx.x, half = 0, below = (1u << lane) - 1;
  buf[lane] = data[lane];
  for (int bit = 0; bit < 32; bit++) {
    unsigned key = buf[half + lane];
    unsigned ones = __ballot_sync(0xffffffffu, key >> bit & 1), zeros = ~ones;
    unsigned at = key >> bit & 1 ? __popc(zeros) + __popc(ones & below) : __popc(zeros & below);
    half ^= 32;
    buf[half + at] = key;
  }
  data[lane] = buf[half + lane];
}

__device__ void addByte(volatile unsigned *hist, unsigned value, unsigned tag) {
  unsigned count;
  do {
    count = hist[value] & 0x07ffffffu;
    count = tag | (count + 1);
    hist[value] = count;
  } while (hist[value] != count);
}
__global__ void histogram(const unsigned char *in, unsigned *out, int n) {
  __shared__ unsigned hist[256];
  for (int i = threadIdx.x; i < 256; i += 32) hist[i] = 0;
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += 32) addByte(hist, in[i], threadIdx.x << 27);
  __syncthreads();
  for (int i = threadIdx.x; i < 256; i += 32) out[i] = hist[i] & 0x07ffffffu;
}

__global__ void rowLengths(const int *starts, int *lengths, int rows) {
  __shared__ volatile int ends[4][2];
  int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
  for (int row = warp; row < rows; row += 4) {
    if (lane < 2) ends[warp][lane] = starts[row + lane];
    int from = ends[warp][0];
    int to = ends[warp][1];
    for (int i = from + lane; i < to; i += 32) atomicAdd(&lengths[row], 1);
  }
}

__global__ void work(int *next, int *done, int n) {
  volatile __shared__ int chunk[2];
  int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  while (true) {
    if (lane == 0) {
      chunk[warp] = atomicAdd(next, 32);
    }
    int i = chunk[warp] + lane;
    if (chunk[warp] >= n) break;
    if (i < n) atomicAdd(&done[i], 1);
  }
}

__global__ void butterfly(int *x) {
  __shared__ int s[32];
  const int t = threadIdx.x;
  s[t] = x[t];
  __syncwarp();
  s[t] += s[t ^ 16];
  __syncwarp();
  s[t] += s[t ^ 8];
  __syncwarp();
  s[t] += s[t ^ 4];
  __syncwarp();
  s[t] += s[t ^ 2];
  __syncwarp();
  s[t] += s[t ^ 1];
  x[t] = s[t];
}

// Without any barrier, as GPUs before Volta allowed it.
__global__ void butterflyVolatile(int *x) {
  __shared__ volatile int s[32];
  int t = threadIdx.x;
  s[t] = x[t];
  s[t] += s[t ^ 16];
  s[t] += s[t ^ 8];
  s[t] += s[t ^ 4];
  s[t] += s[t ^ 2];
  s[t] += s[t ^ 1];
  x[t] = s[t];
}
__global__ void butterflyPlain(int *x) {
  __shared__ int s[32];
  int t = threadIdx.x;
  s[t] = x[t];
  s[t] += s[t ^ 16];
  s[t] += s[t ^ 8];
  s[t] += s[t ^ 4];
  s[t] += s[t ^ 2];
  s[t] += s[t ^ 1];
  x[t] = s[t];
}

// ---- right, and nothing is said ----

__global__ void tellAll(int *next, int *done, int n) {
  volatile __shared__ int chunk[2];
  int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  while (true) {
    if (lane == 0) chunk[warp] = atomicAdd(next, 32);
    __syncwarp();
    int i = chunk[warp] + lane;
    __syncwarp();
    if (i - lane >= n) break;
    if (i < n) atomicAdd(&done[i], 1);
  }
}

// A stack for each lane, in a column of its own.
__global__ void columns(int *out) {
  volatile __shared__ int stack[8 * 64];
  int lane = threadIdx.x, depth = 0, sum = 0;
  for (int i = 0; i < 8; i++) {
    stack[depth * 64 + lane] = i + lane;
    depth++;
  }
  while (depth > 0) {
    depth--;
    int top = stack[depth * 64 + lane];
    sum += top;
  }
  stack[lane] = sum;
  int mine = stack[lane];
  __syncthreads();
  int others = stack[63 - lane];
  out[lane] = mine + others;
}

template <typename T>
T *managed(int n) {
  T *p;
  cudaMallocManaged(&p, n * sizeof(T));
  memset(p, 0, n * sizeof(T));
  return p;
}

static int old_code() {
  int bad = 0;
  unsigned *keys = managed<unsigned>(32), *counts = managed<unsigned>(256), sum = 0;
  unsigned char *bytes = managed<unsigned char>(1000);
  int *starts = managed<int>(38), *lengths = managed<int>(37), *next = managed<int>(1), *done = managed<int>(1000), *x = managed<int>(32), *y = managed<int>(32), *z = managed<int>(32);
  for (int i = 0; i < 32; i++) keys[i] = (i * 2654435761u) ^ 0x5bd1e995u, x[i] = y[i] = z[i] = i;
  for (int i = 0; i < 1000; i++) bytes[i] = i * i % 17;
  for (int r = 0; r < 37; r++) starts[r + 1] = starts[r] + r % 7 * 11;
  sortWarp<<<1, 32>>>(keys);
  histogram<<<1, 32>>>(bytes, counts, 1000);
  rowLengths<<<1, 128>>>(starts, lengths, 37);
  work<<<1, 64>>>(next, done, 1000);
  butterfly<<<1, 32>>>(x);
  butterflyVolatile<<<1, 32>>>(y);
  butterflyPlain<<<1, 32>>>(z);
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  for (int i = 1; i < 32; i++)
    if (keys[i - 1] > keys[i]) bad++, printf("not sorted at %d\n", i);
  for (int i = 0; i < 256; i++) sum += counts[i];
  if (sum != 1000) bad++, printf("%u of 1000 counted\n", sum);
  for (int r = 0; r < 37; r++)
    if (lengths[r] != r % 7 * 11) bad++, printf("row %d has %d\n", r, lengths[r]);
  for (int i = 0; i < 1000; i++)
    if (done[i] != 1) bad++, printf("%d is done %d times\n", i, done[i]);
  for (int i = 0; i < 32; i++)
    if (x[i] != 496 || y[i] != 496 || z[i] != 496) bad++, printf("sums %d: %d %d %d\n", i, x[i], y[i], z[i]);
  return bad;
}

static int right_code() {
  int bad = 0, *next = managed<int>(1), *done = managed<int>(1000), *out = managed<int>(64);
  tellAll<<<1, 64>>>(next, done, 1000);
  columns<<<1, 64>>>(out);
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  for (int i = 0; i < 1000; i++)
    if (done[i] != 1) bad++, printf("%d is done %d times\n", i, done[i]);
  for (int i = 0; i < 64; i++)
    if (out[i] != 2 * 28 + 8 * 63) bad++, printf("column %d: %d\n", i, out[i]);
  return bad;
}

// The output of this program with an argument and a setting for env.
static std::string output_of(const char *program, const char *part, const char *setting) {
  const std::string command = std::string("env ") + setting + " '" + program + "' " + part + " 2>&1";
  std::string text;
  FILE *pipe = popen(command.c_str(), "r");
  char piece[1000];
  while (fgets(piece, sizeof piece, pipe) != nullptr) text += piece;
  pclose(pipe);
  return text;
}

int main(int argc, char **argv) {
  if (argc > 1) {
    const int bad = strcmp(argv[1], "old") == 0 ? old_code() : right_code();
    printf(bad ? "wrong\n" : "right\n");
    return bad != 0;
  }
  // In other orders, lanes that come too early count to what fresh memory holds.
  const char *const in_lockstep = "CPU_DEVICE_LOCKSTEP=1", *const as_usual = "-u CPU_DEVICE_LOCKSTEP";
  const char *const each_alone = "CPU_DEVICE_LOCKSTEP=0 CPU_DEVICE_ORDER=forward";
  const std::string old = output_of(argv[0], "old", in_lockstep), usual = output_of(argv[0], "old", as_usual), alone = output_of(argv[0], "old", each_alone);
  const auto has = [](const std::string &text, const char *part) { return text.find(part) != std::string::npos; };
  const char *const note = "CPU device: warp-synchronous code in kernel ";
  bool good = old == "right\n" && has(usual, note) && has(usual, "\nright\n") && has(alone, note) && has(alone, "\nwrong\n");
  for (const char *setting : {in_lockstep, each_alone, as_usual}) good &= output_of(argv[0], "right", setting) == "right\n";
  if (good) return 0;
  fprintf(stderr, "error: %s%s%s", old.c_str(), usual.c_str(), alone.c_str());
  return 1;
}
