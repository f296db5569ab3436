// In the manner of programs with CUB: blocks and warps that load, scan, sort and reduce together,
// and the algorithms for whole arrays with their two calls.
#include <cstdio>
#include <cstdlib>
#include <cub/cub.cuh>

#include <algorithm>
#include <limits>
#include <type_traits>
#include <vector>

#define EXPECT(condition)                                     \
  do {                                                        \
    if (!(condition)) {                                       \
      fprintf(stderr, "line %d: %s\n", __LINE__, #condition); \
      exit(1);                                                \
    }                                                         \
  } while (0)

// Calls an algorithm twice, as CUB wants it: how much memory, then the work.
#define CUB(call)                                      \
  do {                                                 \
    void *memory = NULL;                               \
    size_t bytes = 0;                                  \
    EXPECT(call == cudaSuccess && bytes > 0);          \
    EXPECT(cudaMalloc(&memory, bytes) == cudaSuccess); \
    EXPECT(call == cudaSuccess);                       \
    EXPECT(cudaDeviceSynchronize() == cudaSuccess);    \
    cudaFree(memory);                                  \
  } while (0)

template <int Threads, int Items, cub::BlockScanAlgorithm Algorithm>
__global__ void scan_block(const int *in, int *out) {
  typedef cub::BlockLoad<int, Threads, Items, cub::BLOCK_LOAD_WARP_TRANSPOSE> Load;
  typedef cub::BlockStore<int, Threads, Items, cub::BLOCK_STORE_WARP_TRANSPOSE> Store;
  typedef cub::BlockScan<int, Threads, Algorithm> Scan;
  __shared__ union {
    typename Load::TempStorage load;
    typename Store::TempStorage store;
    typename Scan::TempStorage scan;
  } shared;
  int items[Items], total;
  Load(shared.load).Load(in, items);
  __syncthreads();
  Scan(shared.scan).ExclusiveSum(items, items, total);
  __syncthreads();
  Store(shared.store).Store(out, items);
  if (threadIdx.x == 0) out[Threads * Items] = total;
}

__global__ void reduce_and_sort(const int *in, int *sums, int *sorted) {
  typedef cub::BlockReduce<int, 128> Reduce;
  typedef cub::WarpReduce<int> Warp;
  typedef cub::BlockRadixSort<int, 128, 2> Sort;
  __shared__ typename Reduce::TempStorage reduce;
  __shared__ typename Warp::TempStorage warps[4];
  __shared__ typename Sort::TempStorage sort;
  int sum = Reduce(reduce).Sum(in[threadIdx.x]);
  if (threadIdx.x == 0) sums[0] = sum;
  int of_warp = Warp(warps[threadIdx.x / 32]).Sum(in[threadIdx.x]);
  if (threadIdx.x % 32 == 0) sums[1 + threadIdx.x / 32] = of_warp;
  int keys[2] = {in[2 * threadIdx.x], in[2 * threadIdx.x + 1]};
  Sort(sort).Sort(keys);
  sorted[2 * threadIdx.x] = keys[0];
  sorted[2 * threadIdx.x + 1] = keys[1];
}

#if __has_include(<cub/warp/warp_merge_sort.cuh>)
struct Less {
  __device__ bool operator()(int a, int b) const { return a < b; }
};
__global__ void sort_warps(const int *in, int *sorted) {
  typedef cub::WarpMergeSort<int, 4, 32> Sort;
  __shared__ typename Sort::TempStorage shared[2];
  const int first = threadIdx.x * 4;
  int keys[4] = {in[first], in[first + 1], in[first + 2], in[first + 3]};
  Sort(shared[threadIdx.x / 32]).Sort(keys, Less());
  for (int i = 0; i < 4; i++) sorted[first + i] = keys[i];
}
#endif

template <typename T>
T *managed(int n) {
  T *x;
  cudaMallocManaged(&x, n * sizeof(T));
  return x;
}

struct Even {
  __host__ __device__ bool operator()(int x) const { return x % 2 == 0; }
};

// Equal keys stay in their order, in both directions; -0 is equal to 0. Of integers, also only by some of their bits.
template <typename Key>
void sort_pairs() {
  typedef std::numeric_limits<Key> Limits;
  std::vector<Key> all = {Key(0), Key(1), Key(2), Key(-1), Key(-2), Key(100), Limits::lowest(), Limits::max(), Limits::min(), Key(Limits::max() / 2 + 1)};
  if constexpr (!Limits::is_integer)
    all.insert(all.end(), {Limits::infinity(), -Limits::infinity(), Limits::denorm_min(), -Limits::denorm_min(), -Key(0), -Limits::min()});
  const int n = 10 * static_cast<int>(all.size()), bits = 8 * sizeof(Key);
  Key *keys = managed<Key>(n), *keys_out = managed<Key>(n);
  int *places = managed<int>(n), *out = managed<int>(n);
  for (int i = 0; i < n; i++) keys[i] = all[i * 7 % (all.size() + 1) % all.size()], places[i] = i;
  std::vector<int> expected(n);
  const auto compare = [&](auto before) {
    for (int i = 0; i < n; i++) expected[i] = i;
    std::stable_sort(expected.begin(), expected.end(), [&](int a, int b) { return before(keys[a], keys[b]); });
    for (int i = 0; i < n; i++) EXPECT(out[i] == expected[i] && keys_out[i] == keys[expected[i]]);
  };
  CUB(cub::DeviceRadixSort::SortPairs(memory, bytes, keys, keys_out, places, out, n));
  compare([](Key a, Key b) { return a < b; });
  CUB(cub::DeviceRadixSort::SortPairsDescending(memory, bytes, keys, keys_out, places, out, n));
  compare([](Key a, Key b) { return a > b; });
  // Two buffers each: the current ones have the result afterwards, whichever of the two that is.
  const auto in_turn = [&](auto sort, bool pairs, auto before) {
    Key *a = managed<Key>(n), *b = managed<Key>(n);
    int *c = managed<int>(n), *d = managed<int>(n);
    for (int i = 0; i < n; i++) a[i] = keys[i], c[i] = places[i];
    cub::DoubleBuffer<Key> both(a, b);
    cub::DoubleBuffer<int> items(c, d);
    CUB(sort(memory, bytes, both, items));
    for (int i = 0; i < n; i++) expected[i] = i;
    std::stable_sort(expected.begin(), expected.end(), [&](int x, int y) { return before(keys[x], keys[y]); });
    for (int i = 0; i < n; i++) EXPECT(both.Current()[i] == keys[expected[i]] && (!pairs || items.Current()[i] == expected[i]));
    EXPECT(both.Current() != both.Alternate() && items.Current() != items.Alternate());
    cudaFree(a), cudaFree(b), cudaFree(c), cudaFree(d);
  };
  const auto less = [](Key a, Key b) { return a < b; };
  const auto more = [](Key a, Key b) { return a > b; };
  typedef cub::DeviceRadixSort Sort;
  in_turn([&](void *m, size_t &s, auto &k, auto &) { return Sort::SortKeys(m, s, k, n); }, false, less);
  in_turn([&](void *m, size_t &s, auto &k, auto &) { return Sort::SortKeysDescending(m, s, k, n); }, false, more);
  in_turn([&](void *m, size_t &s, auto &k, auto &v) { return Sort::SortPairs(m, s, k, v, n); }, true, less);
  in_turn([&](void *m, size_t &s, auto &k, auto &v) { return Sort::SortPairsDescending(m, s, k, v, n); }, true, more);
  if constexpr (Limits::is_integer) {
    typedef typename std::make_unsigned<Key>::type Bits;
    for (const int begin : {0, 1, bits - 1})
      for (const int end : {1, 2, bits - 1, bits}) {
        if (begin >= end) continue;
        const auto part = [&](Key key) {
          const Bits sign = std::is_signed<Key>::value ? Bits(Bits(1) << (bits - 1)) : Bits(0);
          const Bits below = end == bits ? Bits(~Bits(0)) : Bits((Bits(1) << end) - 1);
          return Bits(Bits(Bits(Bits(key) ^ sign) & below) >> begin);
        };
        CUB(cub::DeviceRadixSort::SortPairs(memory, bytes, keys, keys_out, places, out, n, begin, end));
        compare([&](Key a, Key b) { return part(a) < part(b); });
        CUB(cub::DeviceRadixSort::SortPairsDescending(memory, bytes, keys, keys_out, places, out, n, begin, end));
        compare([&](Key a, Key b) { return part(a) > part(b); });
      }
  }
}

// Reductions of few elements, and of none: then the result is what any element would replace.
template <typename T>
void reduce_few() {
  T *in = managed<T>(8), *out = managed<T>(1);
  for (int n = 0; n <= 8; n++)
    for (int round = 0; round < 4; round++) {
      T sum = 0, least = std::numeric_limits<T>::max(), most = std::numeric_limits<T>::lowest();
      for (int i = 0; i < n; i++) {
        in[i] = T((i * 29 + round * 17 + n) % 23 - (round % 2 == 0 ? 11 : 40));
        sum += in[i], least = std::min(least, in[i]), most = std::max(most, in[i]);
      }
      CUB(cub::DeviceReduce::Sum(memory, bytes, in, out, n));
      EXPECT(out[0] == sum);
      CUB(cub::DeviceReduce::Min(memory, bytes, in, out, n));
      EXPECT(out[0] == least);
      CUB(cub::DeviceReduce::Max(memory, bytes, in, out, n));
      EXPECT(out[0] == most);
    }
}

int main() {
  const int n = 512;
  int *in = managed<int>(n), *out = managed<int>(n + 1), *sums = managed<int>(8);
  for (int i = 0; i < n; i++) in[i] = (i * 37) % n - 100;  // each value once
  scan_block<128, 4, cub::BLOCK_SCAN_RAKING><<<1, 128>>>(in, out);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  int total = 0;
  for (int i = 0; i < n; i++) {
    EXPECT(out[i] == total);
    total += in[i];
  }
  EXPECT(out[n] == total);
  reduce_and_sort<<<1, 128>>>(in, sums, out);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  EXPECT(sums[0] == sums[1] + sums[2] + sums[3] + sums[4]);
  for (int i = 1; i < 256; i++) EXPECT(out[i - 1] <= out[i]);
#if __has_include(<cub/warp/warp_merge_sort.cuh>)
  sort_warps<<<1, 64>>>(in, out);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  for (int i = 1; i < 256; i++) EXPECT(i == 128 || out[i - 1] <= out[i]);
#endif

  CUB(cub::DeviceReduce::Sum(memory, bytes, in, out, n));
  EXPECT(out[0] == total);
  CUB(cub::DeviceReduce::Max(memory, bytes, in, out, n));
  EXPECT(out[0] == n - 101);
  cub::KeyValuePair<int, int> *least = managed<cub::KeyValuePair<int, int>>(1);
  CUB(cub::DeviceReduce::ArgMin(memory, bytes, in, least, n));
  EXPECT(least->key == 0 && least->value == -100);
  CUB(cub::DeviceScan::InclusiveSum(memory, bytes, in, out, n));
  EXPECT(out[0] == in[0] && out[n - 1] == total);
  CUB(cub::DeviceRadixSort::SortKeys(memory, bytes, in, out, n));
  for (int i = 0; i < n; i++) EXPECT(out[i] == i - 100);

  float *keys = managed<float>(n), *keys_out = managed<float>(n);
  for (int i = 0; i < n; i++) keys[i] = in[i] * 0.5f;
  CUB(cub::DeviceRadixSort::SortPairsDescending(memory, bytes, keys, keys_out, in, out, n));
  for (int i = 0; i < n; i++) EXPECT(keys_out[i] == (n - 101 - i) * 0.5f && out[i] == n - 101 - i);
  sort_pairs<signed char>(), sort_pairs<unsigned char>(), sort_pairs<short>(), sort_pairs<unsigned short>(), sort_pairs<int>();
  sort_pairs<unsigned>(), sort_pairs<long long>(), sort_pairs<unsigned long long>(), sort_pairs<float>(), sort_pairs<double>();
  reduce_few<signed char>(), reduce_few<short>(), reduce_few<int>(), reduce_few<unsigned>(), reduce_few<long long>();
  reduce_few<float>(), reduce_few<double>();
  CUB(cub::DeviceSelect::If(memory, bytes, in, out, sums, n, Even()));
  EXPECT(sums[0] == n / 2 && out[0] % 2 == 0);
  CUB(cub::DeviceHistogram::HistogramEven(memory, bytes, in, sums, 5, -100, 412, n));
  for (int i = 0; i < 4; i++) EXPECT(sums[i] == n / 4);
  for (int i = 0; i < n; i++) in[i] = i / 100;
  int *lengths = managed<int>(n);
  CUB(cub::DeviceRunLengthEncode::Encode(memory, bytes, in, out, lengths, sums, n));
  EXPECT(sums[0] == 6 && out[5] == 5 && lengths[0] == 100 && lengths[5] == 12);
  printf("right\n");
  return 0;
}
