// Kernels whose form as loops over the threads of a block is easy to get wrong. Each is compared with what
// its threads do one by one on the host.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

static int wrong = 0;
static void check(const char* name, const std::vector<int>& got, const std::vector<int>& want) {
  for (size_t i = 0; i < want.size(); i++)
    if (got[i] != want[i]) {
      printf("%s: element %zu is %d instead of %d\n", name, i, got[i], want[i]);
      wrong++;
      return;
    }
}
// Runs launch(device memory) on n ints that hold start(i), and returns them.
template <typename Launch>
static std::vector<int> run(int n, Launch launch) {
  std::vector<int> host(n);
  for (int i = 0; i < n; i++) host[i] = i * 7 % 101;
  int* memory;
  cudaMalloc(&memory, n * sizeof(int));
  cudaMemcpy(memory, host.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  launch(memory);
  cudaMemcpy(host.data(), memory, n * sizeof(int), cudaMemcpyDeviceToHost);
  if (cudaError_t error = cudaGetLastError()) {
    printf("%s\n", cudaGetErrorString(error));
    exit(1);
  }
  cudaFree(memory);
  return host;
}

// An index that wraps around 32 bits, and is guarded.
__global__ void left_neighbor(const int* in, int* out, int n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = i > 0 ? in[i - 1] : -1;
}
__global__ void shifted(const int* in, int* out, int n, int shift) {
  int i = blockIdx.x * blockDim.x + threadIdx.x - shift;
  if (i >= 0 && i < n) out[i] = in[i] + 1;
}
__global__ void huge_offset(int* out, unsigned base, unsigned n) {
  unsigned i = base + threadIdx.x;  // wraps around in the middle of a row
  if (i < n) out[i] = threadIdx.x + 1;
}
__global__ void huge_sum(int* out, unsigned base, int n) {
  out[base + threadIdx.x] = threadIdx.x + 1;
}
// What lives across barriers: a value, an array, an address.
__global__ void across(const int* in, int* out) {
  __shared__ int tile[96];
  int t = threadIdx.x, before = in[blockIdx.x * blockDim.x + t];
  int parts[3] = {before, before * 2, before * 3};
  int* middle = &parts[1];
  tile[t] = before;
  __syncthreads();
  int right = tile[(t + 1) % blockDim.x];
  *middle += right;
  __syncthreads();
  tile[t] = parts[0] + parts[1] + parts[2];
  __syncthreads();
  out[blockIdx.x * blockDim.x + t] = tile[blockDim.x - 1 - t] + before;
}
// A counter that changes between barriers, and a loop in it.
__global__ void tree(const int* in, int* out) {
  extern __shared__ int cache[];
  unsigned t = threadIdx.x;
  cache[t] = in[blockIdx.x * blockDim.x + t];
  __syncthreads();
  int step = blockDim.x / 2;
  while (step != 0) {
    if (t < step) cache[t] += cache[t + step];
    __syncthreads();
    step /= 2;
  }
  if (t == 0) out[blockIdx.x] = cache[0];
}
// Names that mean something else inside, loops within loops, and one that differs between threads.
__global__ void names(const int* in, int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int sum = 0;
  for (int k = 0; k < 4; k++) {
    int i = k * 2;
    for (int j = 0; j <= i; j++) sum += in[j] * (j + 1);
    if (k == 2) continue;
    sum -= k;
  }
  for (int k = 0; k < in[i] % 7; k++) sum += k;
  { int i = 5; sum += i; }
  out[i] = sum + i;
}
// Loops that all lanes go through together, with what lives in them.
__global__ void together(const int* in, int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int sum = 0, product = 1;
  for (int a = 0; a < 3; a++) {
    int inner = in[(i + a) % n];
    for (int b = a; b < 5; b += 2) {
      sum += inner * b;
      product = product * 3 % 1009;
      if (inner % 2) sum ^= b;
    }
    int k = 0;
    while (k < a) { sum += k; k++; }
  }
  if (i < n) out[i] = sum + product;
}
// Leaves early, after it has written.
__global__ void early(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  out[i] += 1;
  if (out[i] % 3 == 0) return;
  out[i] *= 2;
  for (int k = 0; k < 10; k++) {
    if (k == out[i] % 11) return;
    out[i] += k;
  }
}
// Reads its own writes through other pointers.
__global__ void aliases(int* a, int* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    a[2 * i] = i;
    int first = b[2 * i + 1];
    a[2 * i + 1] = first + b[2 * i];
    b[2 * i] += a[2 * i + 1];
  }
}
__device__ int helper(int value) { return value * 2 + threadIdx.x; }
__device__ int outer(int value) { return helper(value) - blockIdx.x; }
__global__ void calls(const int* in, int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = outer(in[i]);
}
__device__ void add_to(int& value, int more) { value += more; }
__global__ void references(const int* in, int* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int total = 3;
  add_to(total, in[i]);
  int& same = total;
  same += 2;
  out[i] = total;
}
__global__ void volumes(int* out) {
  int x = threadIdx.x, y = threadIdx.y, z = threadIdx.z;
  int row = (z * blockDim.y + y) * blockDim.x;
  __shared__ int all[2 * 3 * 37];
  all[row + x] = x + 100 * y + 10000 * z;
  __syncthreads();
  int last = blockDim.x * blockDim.y * blockDim.z - 1;
  out[row + x] = all[last - (row + x)];
}
__global__ void counts(const int* in, int* bins, int n) {
  __shared__ int own[101];
  for (int k = threadIdx.x; k < 101; k += blockDim.x) own[k] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) atomicAdd(&own[in[i]], 1);
  __syncthreads();
  for (int k = threadIdx.x; k < 101; k += blockDim.x) atomicAdd(&bins[k], own[k]);
}
template <typename T, int N>
__global__ void repeats(T* out, T more) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  T value = out[i];
  for (int k = 0; k < N; k++) value = value * 3 + more;
  out[i] = value;
}
__global__ void uniform_if(const int* in, int* out, int n) {
  __shared__ int tile[64];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  int value = in[i];
  if (blockIdx.x % 2 == 0) {
    tile[t] = value;
    __syncthreads();
    value += tile[63 - t];
  } else {
    for (int k = 0; k < n; k++) value += k;
  }
  out[i] = value;
}

// Pointers whose type has another name; and a thread's own copy of something whose type looks like one.
typedef int* Row;
template <typename T>
using Restricted = T* __restrict__;
namespace elsewhere {
typedef int* Four;
}
struct Four {
  int value[4];
  __host__ __device__ int& operator[](int i) { return value[i]; }
};
__global__ void named_pointers(const Restricted<const int> in, Row out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  out[i] = 0;
  for (int k = 0; k < 5; k++) out[i] += in[(i + k) % n];
}
__global__ void own_copy(Four four, const Row out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  four[i % 4] += i;
  out[i] = four[i % 4];
}
// Lambdas that only compute, one of them over several lines, called within each other; one whose name `shift` means
// something else where it is called; and one whose argument must be taken once.
__global__ void indexed(const int* in, int* out, int width, int n) {
  auto at = [&width](int row, unsigned column) { return row * width + column; };
  const auto clamped = [=](auto i) {
    return i < 0 ? 0
                 : min(i, n - 1);
  };
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int row = i / width, column = i % width;
  out[at(row, column)] = in[at(0, clamped(
      i - 3))] - 2 * in[clamped(at(row, column) + 1)] + at(1.9, 0u);
}
__global__ void shadowed(int* out, int shift, int n) {
  auto shifted = [&](int i) { return i + shift; };
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int sum = 0;
  for (int k = 0; k < 3; k++) {
    int *shift = &sum;
    *shift += shifted(k);
  }
  out[i] = sum + i;
}
__global__ void taken_once(int* out, int n) {
  auto square = [](int i) { return i * i; };
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int k = i;
  out[i] = square(k++) + k;
}
// Parameters that threads change: pointers, numbers, a member; the same for all, or not; also across a barrier.
struct Range {
  int first, count;
};
__global__ void changed_parameters(const int* __restrict__ in, int out[], const Restricted<const int> more, Range range, int n) {
  __shared__ int tile[256];
  in += blockIdx.x * blockDim.x;
  out += blockIdx.x * blockDim.x;
  n -= blockIdx.x * blockDim.x;
  range.first += threadIdx.x;
  const int n_of_all = n;
  tile[threadIdx.x] = threadIdx.x < n ? in[threadIdx.x] : 0;
  __syncthreads();
  if (threadIdx.x % 3 == 1) n -= 1;
  while (range.count > 0) range.first += range.count--;
  if (static_cast<int>(threadIdx.x) < n_of_all)
    out[threadIdx.x] = tile[blockDim.x - 1 - threadIdx.x] + range.first + (n_of_all - n) + more[0];
}
// An array of each thread's own, of which the thread decides where it writes; and a store that is read again.
__global__ void own_parts(const int* in, int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    int parts[4] = {1, 10, 100, 1000};
    parts[in[i] & 3] = in[i];
    out[i] = parts[0] + parts[1] + parts[2] + parts[3];
  }
}
__global__ void read_again(int* a, const int* same, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    a[2 * i] = i;
    int sum = same[2 * i] + same[2 * i + 1];
    a[2 * i + 1] = sum;
  }
}

int main() {
  const std::vector<int> start = run(4096, [](int*) {});
  for (int threads : {1, 5, 16, 32, 48, 100, 256}) {
    const int n = 1000, blocks = (n + threads - 1) / threads + 3;
    std::vector<int> want(n);
    int* in;
    cudaMalloc(&in, 4096 * sizeof(int));
    cudaMemcpy(in, start.data(), 4096 * sizeof(int), cudaMemcpyHostToDevice);
    for (int i = 0; i < n; i++) want[i] = i > 0 ? start[i - 1] : -1;
    check("left_neighbor", run(n, [&](int* out) { left_neighbor<<<blocks, threads>>>(in, out, n); }), want);
    for (int i = 0; i < n; i++) want[i] = start[i] + 1;
    check("shifted", run(n, [&](int* out) { shifted<<<blocks, threads>>>(in, out, n, 3); }), want);
    for (int i = 0; i < n; i++) {
      want[i] = 0;
      for (int k = 0; k < 5; k++) want[i] += start[(i + k) % n];
    }
    check("named_pointers", run(n, [&](int* out) { named_pointers<<<blocks, threads>>>(in, out, n); }), want);
    for (int i = 0; i < n; i++) want[i] = 10 * (i % 4) + i;
    check("own_copy", run(n, [&](int* out) { own_copy<<<blocks, threads>>>({{0, 10, 20, 30}}, out, n); }), want);
    for (int i = 0; i < n; i++) want[i] = start[std::max(i - 3, 0)] - 2 * start[std::min(i + 1, n - 1)] + 10;
    check("indexed", run(n, [&](int* out) { indexed<<<blocks, threads>>>(in, out, 10, n); }), want);
    for (int i = 0; i < n; i++) want[i] = 3 + 3 * 7 + i;
    check("shadowed", run(n, [&](int* out) { shadowed<<<blocks, threads>>>(out, 7, n); }), want);
    for (int i = 0; i < n; i++) want[i] = i * i + i + 1;
    check("taken_once", run(n, [&](int* out) { taken_once<<<blocks, threads>>>(out, n); }), want);
    for (int i = 0; i < n; i++) {
      const int t = i % threads, other = i - t + threads - 1 - t;
      want[i] = (other < n ? start[other] : 0) + 100 + t + 4 + 3 + 2 + 1 + (t % 3 == 1) + start[0];
    }
    check("changed_parameters", run(n, [&](int* out) { changed_parameters<<<blocks, threads>>>(in, out, in, {100, 4}, n); }), want);
    want = start;
    for (unsigned t = 0; t < unsigned(threads); t++)
      if (0xfffffff9u + t < 4096) want[0xfffffff9u + t] = t + 1;
    check("huge_offset", run(4096, [&](int* out) { huge_offset<<<1, threads>>>(out, 0xfffffff9u, 4096); }), want);
    want = start;
    for (int t = 0; t < threads; t++) want[t] = t + 1;
    check("huge_sum", run(4096, [&](int* out) { huge_sum<<<1, threads>>>(out + 7 - 7, 0u, n); }), want);
    want.resize(n);
    for (int i = 0; i < n; i++) {
      int sum = 0;
      for (int k = 0; k < 4; k++) {
        for (int j = 0; j <= 2 * k; j++) sum += start[j] * (j + 1);
        if (k != 2) sum -= k;
      }
      for (int k = 0; k < start[i] % 7; k++) sum += k;
      want[i] = sum + 5 + i;
    }
    check("names", run(n, [&](int* out) { names<<<blocks, threads>>>(in, out, n); }), want);
    for (int i = 0; i < n; i++) {
      int sum = 0, product = 1;
      for (int a = 0; a < 3; a++) {
        const int inner = start[(i + a) % n];
        for (int b = a; b < 5; b += 2) {
          sum += inner * b;
          product = product * 3 % 1009;
          if (inner % 2) sum ^= b;
        }
        for (int k = 0; k < a; k++) sum += k;
      }
      want[i] = sum + product;
    }
    check("together", run(n, [&](int* out) { together<<<blocks, threads>>>(in, out, n); }), want);
    for (int i = 0; i < n; i++) {
      int v = start[i] + 1;
      if (v % 3 != 0) {
        v *= 2;
        for (int k = 0; k < 10 && k != v % 11; k++) v += k;
      }
      want[i] = v;
    }
    check("early", run(n, [&](int* out) { early<<<blocks, threads>>>(out, n); }), want);
    want = start;
    for (int i = 0; i < n; i++) {
      want[2 * i] = i;
      want[2 * i + 1] = want[2 * i + 1] + want[2 * i];
      want[2 * i] += want[2 * i + 1];
    }
    check("aliases", run(4096, [&](int* out) { aliases<<<blocks, threads>>>(out, out, n); }), want);
    want = start;
    for (int i = 0; i < n; i++) {
      want[2 * i] = i;
      want[2 * i + 1] += i;
    }
    check("read_again", run(4096, [&](int* out) { read_again<<<blocks, threads>>>(out, out, n); }), want);
    want.resize(n);
    for (int i = 0; i < n; i++) {
      static constexpr int kParts[] = {1, 10, 100, 1000};
      want[i] = 1111 - kParts[start[i] & 3] + start[i];
    }
    check("own_parts", run(n, [&](int* out) { own_parts<<<blocks, threads>>>(in, out, n); }), want);
    for (int i = 0; i < n; i++) want[i] = start[i] * 2 + i % threads - i / threads;
    check("calls", run(n, [&](int* out) { calls<<<blocks, threads>>>(in, out, n); }), want);
    const int whole = 1000 / threads;
    want = start;
    for (int i = 0; i < whole * threads; i++) want[i] = start[i] + 5;
    check("references", run(4096, [&](int* out) { references<<<whole, threads>>>(in, out); }), want);
    want = start;
    for (int i = 0; i < whole * threads; i++)
      for (int k = 0; k < 5; k++) want[i] = want[i] * 3 + 2;
    check("repeats", run(4096, [&](int* out) { repeats<int, 5><<<whole, threads>>>(out, 2); }), want);
    want.assign(101, 0);
    std::vector<int> zero = want;
    for (int i = 0; i < n; i++) want[start[i]]++;
    std::vector<int> got = run(4096, [&](int* out) {
      cudaMemset(out, 0, 101 * sizeof(int));
      counts<<<3, threads>>>(in, out, n);
    });
    check("counts", got, want);
    if (threads <= 96) {
      want = start;
      for (int b = 0; b < whole; b++)
        for (int t = 0; t < threads; t++) {
          const auto value = [&](int s) {
            const int v = start[b * threads + s];
            return v + v * 2 + start[b * threads + (s + 1) % threads] + v * 3;
          };
          want[b * threads + t] = value(threads - 1 - t) + start[b * threads + t];
        }
      check("across", run(4096, [&](int* out) { across<<<whole, threads>>>(in, out); }), want);
    }
    if ((threads & (threads - 1)) == 0) {
      want = start;
      for (int b = 0; b < 3; b++) {
        want[b] = 0;
        for (int t = 0; t < threads; t++) want[b] += start[b * threads + t];
      }
      check("tree", run(4096, [&](int* out) { tree<<<3, threads, threads * sizeof(int)>>>(in, out); }), want);
    }
    cudaFree(in);
  }
  std::vector<int> want = start;
  for (int z = 0, i = 0; z < 2; z++)
    for (int y = 0; y < 3; y++)
      for (int x = 0; x < 37; x++, i++) want[i] = (36 - x) + 100 * (2 - y) + 10000 * (1 - z);
  check("volumes", run(4096, [&](int* out) { volumes<<<1, dim3(37, 3, 2)>>>(out); }), want);
  want = start;
  for (int b = 0; b < 8; b++)
    for (int t = 0; t < 64; t++) {
      int v = start[b * 64 + t];
      if (b % 2 == 0)
        v += start[b * 64 + 63 - t];
      else
        v += 45;
      want[b * 64 + t] = v;
    }
  int* in;
  cudaMalloc(&in, 4096 * sizeof(int));
  cudaMemcpy(in, start.data(), 4096 * sizeof(int), cudaMemcpyHostToDevice);
  check("uniform_if", run(4096, [&](int* out) { uniform_if<<<8, 64>>>(in, out, 10); }), want);
  printf(wrong == 0 ? "all right\n" : "%d wrong\n", wrong);
  return wrong != 0;
}
