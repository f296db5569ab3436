// Each algorithm of CUB for whole arrays, with random elements and few kinds of keys, against a plain loop: of no element, of one, of
// some. What lies behind a result must stay as it was, and the call that asks for the size of the memory must do nothing.
#include <algorithm>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cub/cub.cuh>
#include <limits>
#include <random>
#include <vector>
#if __has_include(<cub/device/device_adjacent_difference.cuh>)
#include <cub/device/device_adjacent_difference.cuh>
#endif
#include <cub/device/device_merge_sort.cuh>

int wrong = 0, size = 0;
#define EXPECT(...) ((__VA_ARGS__) ? void() : (wrong++, void(printf("line %d, %d elements: %s\n", __LINE__, size, #__VA_ARGS__))))

const int kUntouched = -77777777;
template <typename T>
struct Array {  // managed, with some elements behind its end
  T *data;
  size_t n;
  explicit Array(size_t count) : n(count) {
    if (cudaMallocManaged(&data, (n + 4) * sizeof(T)) != cudaSuccess) exit(1);
    for (size_t i = 0; i < n + 4; i++) data[i] = T(kUntouched);
  }
  explicit Array(const std::vector<T> &from) : Array(from.size()) { std::copy(from.begin(), from.end(), data); }
  Array(const Array &) = delete;
  ~Array() { cudaFree(data); }
  operator T *() { return data; }
  bool is(const std::vector<T> &expected) const {  // and nothing behind
    for (size_t i = 0; i < expected.size(); i++)
      if (data[i] != expected[i]) return false;
    for (size_t i = expected.size(); i < n + 4; i++)
      if (data[i] != T(kUntouched)) return false;
    return true;
  }
};

// Twice: how much memory, then the work, in a stream whose work before it takes a while. `result` must be untouched between the two.
cudaStream_t stream;
#define RUN(RESULT, ...)                                                                 \
  do {                                                                                   \
    void *memory = nullptr;                                                              \
    size_t bytes = 0;                                                                    \
    EXPECT((__VA_ARGS__) == cudaSuccess && bytes > 0);                                   \
    EXPECT(cudaDeviceSynchronize() == cudaSuccess && (RESULT)[0] == decltype((RESULT)[0] + 0)(before)); \
    EXPECT(cudaMalloc(&memory, bytes) == cudaSuccess);                                   \
    EXPECT((__VA_ARGS__) == cudaSuccess);                                                \
    EXPECT(cudaStreamSynchronize(stream) == cudaSuccess);                                \
    cudaFree(memory);                                                                    \
  } while (0)

struct Compose {  // a linear function after another, modulo 256, in one number: associative, not commutative
  __host__ __device__ int operator()(int a, int b) const {
    const unsigned slope = unsigned(a) % 256 * (unsigned(b) % 256), offset = unsigned(a) / 256 * (unsigned(b) % 256) + unsigned(b) / 256;
    return int(slope % 256 + offset % 256 * 256);
  }
};
struct Plus {
  __host__ __device__ int operator()(int a, int b) const { return a + b; }
};
struct Larger {
  __host__ __device__ int operator()(int a, int b) const { return a < b ? b : a; }
};
struct Odd {
  __host__ __device__ bool operator()(int x) const { return x % 2 != 0; }
};
struct Square {
  __host__ __device__ int operator()(int x) const { return x * x; }
};
struct ByTens {
  __host__ __device__ bool operator()(int a, int b) const { return a / 10 < b / 10; }
};
struct Apart {
  __host__ __device__ int operator()(int a, int b) const { return 3 * a - b; }
};

void reductions(const std::vector<int> &x, const std::vector<int> &keys) {
  const int n = size, before = kUntouched;
  Array<int> in(x), key(keys), out(1), sums(n), unique(n), count(1);
  int most = 5, sum = 9, total = 0;
  for (int e : x) most = std::max(most, e), sum += e * e, total += e;
  RUN(out, cub::DeviceReduce::Reduce(memory, bytes, in.data, out.data, n, Larger(), 5, stream));
  EXPECT(out.is({most}));
  out[0] = before;
  RUN(out, cub::DeviceReduce::Sum(memory, bytes, in.data, out.data, n, stream));
  EXPECT(out.is({total}));
  out[0] = before;
  RUN(out, cub::DeviceReduce::TransformReduce(memory, bytes, in.data, out.data, n, Plus(), Square(), 9, stream));
  EXPECT(out.is({sum}));
  std::vector<int> runs, lengths, largest;
  for (int i = 0; i < n; i++)
    if (i == 0 || keys[i] != keys[i - 1])
      runs.push_back(keys[i]), lengths.push_back(1), largest.push_back(x[i]);
    else
      lengths.back()++, largest.back() = std::max(largest.back(), x[i]);
  RUN(count, cub::DeviceReduce::ReduceByKey(memory, bytes, key.data, unique.data, in.data, sums.data, count.data, Larger(), n, stream));
  EXPECT(unique.is(runs) && sums.is(largest) && count.is({int(runs.size())}));
  Array<int> encoded(n), of_length(n);
  count[0] = before;
  RUN(count, cub::DeviceRunLengthEncode::Encode(memory, bytes, key.data, encoded.data, of_length.data, count.data, n, stream));
  EXPECT(encoded.is(runs) && of_length.is(lengths) && count.is({int(runs.size())}));
  if (n == 0) return;
  cub::KeyValuePair<int, int> *place;
  cudaMallocManaged(&place, sizeof *place);
  for (int largest_one = 0; largest_one < 2; largest_one++) {  // the first of equal ones
    place->key = place->value = before;
    const auto at = largest_one ? std::max_element(keys.begin(), keys.end()) : std::min_element(keys.begin(), keys.end());
    int *seen = &place->key;
    if (largest_one)
      RUN(seen, cub::DeviceReduce::ArgMax(memory, bytes, key.data, place, n, stream));
    else
      RUN(seen, cub::DeviceReduce::ArgMin(memory, bytes, key.data, place, n, stream));
    EXPECT(place->key == at - keys.begin() && place->value == *at);
  }
  cudaFree(place);
}

void scans(const std::vector<int> &values, const std::vector<int> &keys) {
  const int n = size;
  int before = kUntouched;
  std::vector<int> x, exclusive, inclusive, sums, sums_before;
  for (int v : values) x.push_back(v & 0xffff);
  int total = 0x123, sum = 0;
  for (int v : x) {
    exclusive.push_back(total), total = Compose()(total, v);
    inclusive.push_back(inclusive.empty() ? v : Compose()(inclusive.back(), v));
    sums_before.push_back(sum), sums.push_back(sum += v);
  }
  Array<int> in(x), a(n), b(n), c(n), d(n);
  RUN(a, cub::DeviceScan::ExclusiveScan(memory, bytes, in.data, a.data, Compose(), 0x123, n, stream));
  RUN(b, cub::DeviceScan::InclusiveScan(memory, bytes, in.data, b.data, Compose(), n, stream));
  RUN(c, cub::DeviceScan::ExclusiveSum(memory, bytes, in.data, c.data, n, stream));
  RUN(d, cub::DeviceScan::InclusiveSum(memory, bytes, in.data, d.data, n, stream));
  EXPECT(a.is(exclusive) && b.is(inclusive) && c.is(sums_before) && d.is(sums) && in.is(x));
  std::vector<int> exclusive_of_key, inclusive_of_key;  // anew where a key is not that of the element before
  for (int i = 0; i < n; i++) {
    const bool is_first = i == 0 || keys[i] != keys[i - 1];
    exclusive_of_key.push_back(is_first ? 0x123 : Compose()(exclusive_of_key.back(), x[i - 1]));
    inclusive_of_key.push_back(is_first ? x[i] : Compose()(inclusive_of_key.back(), x[i]));
  }
  Array<int> key(keys), of_key(n), with_own(n);
  RUN(of_key, cub::DeviceScan::ExclusiveScanByKey(memory, bytes, key.data, in.data, of_key.data, Compose(), 0x123, n));
  RUN(with_own, cub::DeviceScan::InclusiveScanByKey(memory, bytes, key.data, in.data, with_own.data, Compose(), n));
  EXPECT(cudaDeviceSynchronize() == cudaSuccess && of_key.is(exclusive_of_key) && with_own.is(inclusive_of_key));
  if (n == 0) return;
  Array<int> e(x), f(x), g(x);  // in place
  before = x[0];
  RUN(e, cub::DeviceScan::ExclusiveScan(memory, bytes, e.data, e.data, Compose(), 0x123, n, stream));
  RUN(f, cub::DeviceScan::ExclusiveSum(memory, bytes, f.data, n, stream));
  RUN(g, cub::DeviceScan::InclusiveSum(memory, bytes, g.data, n, stream));
  EXPECT(e.is(exclusive) && f.is(sums_before) && g.is(sums));
}

void sorts(const std::vector<int> &x) {
  const int n = size;
  int before = kUntouched;
  std::vector<int> places(n), sorted = x, by_tens = x;
  for (int i = 0; i < n; i++) places[i] = i;
  std::vector<int> moved = places;
  std::stable_sort(by_tens.begin(), by_tens.end(), ByTens());
  std::stable_sort(moved.begin(), moved.end(), [&](int a, int b) { return ByTens()(x[a], x[b]); });
  std::sort(sorted.begin(), sorted.end());
  Array<int> in(x), up(n), down(n);
  RUN(up, cub::DeviceRadixSort::SortKeys(memory, bytes, in.data, up.data, n, 0, 32, stream));
  RUN(down, cub::DeviceRadixSort::SortKeysDescending(memory, bytes, in.data, down.data, n, 0, 32, stream));
  Array<int> each_bit(n), each_bit_down(n);  // all of them unless it is said which
  RUN(each_bit, cub::DeviceRadixSort::SortKeys(memory, bytes, in.data, each_bit.data, n));
  RUN(each_bit_down, cub::DeviceRadixSort::SortKeysDescending(memory, bytes, in.data, each_bit_down.data, n));
  EXPECT(cudaDeviceSynchronize() == cudaSuccess && each_bit.is(sorted) && each_bit_down.is({sorted.rbegin(), sorted.rend()}));
  EXPECT(up.is(sorted) && down.is({sorted.rbegin(), sorted.rend()}) && in.is(x));
  if (n == 0) return;
  Array<int> a(x), b(x), c(x), d(x), items(places), more(places);
  before = x[0];
  RUN(a, cub::DeviceMergeSort::StableSortKeys(memory, bytes, a.data, n, ByTens(), stream));
  RUN(b, cub::DeviceMergeSort::SortKeys(memory, bytes, b.data, n, ByTens(), stream));
  RUN(c, cub::DeviceMergeSort::StableSortPairs(memory, bytes, c.data, items.data, n, ByTens(), stream));
  RUN(d, cub::DeviceMergeSort::SortPairs(memory, bytes, d.data, more.data, n, ByTens(), stream));
  EXPECT(a.is(by_tens) && c.is(by_tens) && items.is(moved) && std::is_sorted(b.data, b + n, ByTens()) && std::is_sorted(d.data, d + n, ByTens()));
  for (int i = 0; i < n; i++) EXPECT(d[i] == x[more[i]]);
}

void selections(const std::vector<int> &x, const std::vector<int> &keys) {
  const int n = size, before = kUntouched;
  std::vector<int> odd, odd_first(n), flagged, flagged_first(n), unique;
  std::vector<char> flags(n);
  int front = 0, back = n, first = 0, last = n;
  for (int i = 0; i < n; i++) {
    flags[i] = char(keys[i] == 2 ? 0x40 : keys[i] == 1);
    if (Odd()(x[i])) odd.push_back(x[i]);
    if (flags[i]) flagged.push_back(x[i]);
    odd_first[Odd()(x[i]) ? front++ : --back] = x[i];
    flagged_first[flags[i] ? first++ : --last] = x[i];
    if (i == 0 || keys[i] != keys[i - 1]) unique.push_back(keys[i]);
  }
  Array<int> in(x), key(keys), count(1), a(n), b(n), c(n), d(n), e(n);
  Array<char> flag(flags);
  RUN(count, cub::DeviceSelect::If(memory, bytes, in.data, a.data, count.data, n, Odd(), stream));
  EXPECT(a.is(odd) && count.is({int(odd.size())}));
  count[0] = before;
  RUN(count, cub::DeviceSelect::Flagged(memory, bytes, in.data, flag.data, b.data, count.data, n, stream));
  EXPECT(b.is(flagged) && count.is({int(flagged.size())}));
  count[0] = before;
  RUN(count, cub::DeviceSelect::Unique(memory, bytes, key.data, c.data, count.data, n, stream));
  EXPECT(c.is(unique) && count.is({int(unique.size())}));
  count[0] = before;
  RUN(count, cub::DevicePartition::If(memory, bytes, in.data, d.data, count.data, n, Odd(), stream));
  EXPECT(d.is(odd_first) && count.is({int(odd.size())}));
  count[0] = before;
  RUN(count, cub::DevicePartition::Flagged(memory, bytes, in.data, flag.data, e.data, count.data, n, stream));
  EXPECT(e.is(flagged_first) && count.is({int(flagged.size())}));
}

void histograms(const std::vector<int> &x) {
  const int n = size, before = kUntouched;
  std::vector<int> even(6), ranges(4), real(5), bounds = {-400, -31, 0, 5, 444};
  std::vector<float> y, real_bounds = {-8, -4, 0, 4, 8, 12};
  for (int e : x) {
    y.push_back(float(e) / 16);
    for (int bin = 0; bin < 6; bin++)  // 100 numbers: of 16 and of 17 numbers
      if (e >= -40 && e < 60 && (e + 40) * 6 / 100 == bin) even[bin]++;
    for (int bin = 0; bin < 4; bin++)
      if (e >= bounds[bin] && e < bounds[bin + 1]) ranges[bin]++;
    for (int bin = 0; bin < 5; bin++)
      if (y.back() >= real_bounds[bin] && y.back() < real_bounds[bin + 1]) real[bin]++;
  }
  Array<int> in(x), limits(bounds), a(6), b(4), c(5);
  Array<float> in_float(y);
  RUN(a, cub::DeviceHistogram::HistogramEven(memory, bytes, in.data, a.data, 7, -40, 60, n, stream));
  RUN(b, cub::DeviceHistogram::HistogramRange(memory, bytes, in.data, b.data, 5, limits.data, n, stream));
  RUN(c, cub::DeviceHistogram::HistogramEven(memory, bytes, in_float.data, c.data, 6, -8.f, 12.f, n, stream));
  EXPECT(a.is(even) && b.is(ranges) && c.is(real));
}

void segments(const std::vector<int> &x, std::mt19937 &random) {
  const int n = size, before = kUntouched;
  const int count = 5;
  std::vector<int> ends = {0, n};
  for (int i = 1; i < count; i++) ends.push_back(int(random() % unsigned(n + 1)));  // some are empty
  std::sort(ends.begin(), ends.end());
  std::vector<int> sums(count, 0), least(count, INT_MAX), most(count, INT_MIN), products(count, 21), sorted = x, places(n), moved(n);
  for (int i = 0; i < n; i++) moved[i] = places[i] = i;
  for (int s = 0; s < count; s++) {
    for (int i = ends[s]; i < ends[s + 1]; i++)
      sums[s] += x[i], least[s] = std::min(least[s], x[i]), most[s] = std::max(most[s], x[i]), products[s] = std::max(products[s], x[i]);
    std::sort(sorted.begin() + ends[s], sorted.begin() + ends[s + 1]);
    std::stable_sort(moved.begin() + ends[s], moved.begin() + ends[s + 1], [&](int a, int b) { return x[a] < x[b]; });
  }
  Array<int> in(x), limits(ends), a(count), b(count), c(count), d(count), e(n), f(n), items(places), items_out(n);
  const int *from = limits.data, *to = limits.data + 1;
  RUN(a, cub::DeviceSegmentedReduce::Sum(memory, bytes, in.data, a.data, count, from, to, stream));
  RUN(b, cub::DeviceSegmentedReduce::Min(memory, bytes, in.data, b.data, count, from, to, stream));
  RUN(c, cub::DeviceSegmentedReduce::Max(memory, bytes, in.data, c.data, count, from, to, stream));
  RUN(d, cub::DeviceSegmentedReduce::Reduce(memory, bytes, in.data, d.data, count, from, to, Larger(), 21, stream));
  EXPECT(a.is(sums) && b.is(least) && c.is(most) && d.is(products));
  std::vector<float> real(n), lowest(count, std::numeric_limits<float>::max()), highest(count, std::numeric_limits<float>::lowest());
  for (int s = 0; s < count; s++)
    for (int i = ends[s]; i < ends[s + 1]; i++) {
      real[i] = -1.5f - float(unsigned(x[i]) % 1000);  // all are negative
      lowest[s] = std::min(lowest[s], real[i]), highest[s] = std::max(highest[s], real[i]);
    }
  Array<float> reals(real), low(count), high(count);
  RUN(low, cub::DeviceSegmentedReduce::Min(memory, bytes, reals.data, low.data, count, from, to, stream));
  RUN(high, cub::DeviceSegmentedReduce::Max(memory, bytes, reals.data, high.data, count, from, to, stream));
  EXPECT(low.is(lowest) && high.is(highest));
  RUN(e, cub::DeviceSegmentedRadixSort::SortKeys(memory, bytes, in.data, e.data, n, count, from, to, 0, 32, stream));
  RUN(f, cub::DeviceSegmentedRadixSort::SortPairs(memory, bytes, in.data, f.data, items.data, items_out.data, n, count, from, to, 0, 32, stream));
  Array<int> g(n), h(n), moved_out(n);
  RUN(g, cub::DeviceSegmentedRadixSort::SortKeys(memory, bytes, in.data, g.data, n, count, from, to));
  RUN(h, cub::DeviceSegmentedRadixSort::SortPairs(memory, bytes, in.data, h.data, items.data, moved_out.data, n, count, from, to));
  EXPECT(cudaDeviceSynchronize() == cudaSuccess && g.is(sorted) && h.is(sorted) && moved_out.is(moved));
  EXPECT(e.is(sorted) && f.is(sorted) && items_out.is(moved));
}

void differences(const std::vector<int> &x) {
#if __has_include(<cub/device/device_adjacent_difference.cuh>)
  const int n = size, before = kUntouched;
  std::vector<int> left(n), right(n), minus(n), plus(n);
  for (int i = 0; i < n; i++) {
    left[i] = i == 0 ? x[i] : 3 * x[i] - x[i - 1], minus[i] = i == 0 ? x[i] : x[i] - x[i - 1];
    right[i] = i + 1 == n ? x[i] : 3 * x[i] - x[i + 1], plus[i] = i + 1 == n ? x[i] : x[i] - x[i + 1];
  }
  typedef cub::DeviceAdjacentDifference Neighbors;
  Array<int> in(x), a(n), b(n), c(n), d(n);
  RUN(a, Neighbors::SubtractLeftCopy(memory, bytes, in.data, a.data, n, Apart(), stream));
  RUN(b, Neighbors::SubtractRightCopy(memory, bytes, in.data, b.data, n, Apart(), stream));
  RUN(c, Neighbors::SubtractLeftCopy(memory, bytes, in.data, c.data, n));
  cudaDeviceSynchronize();
  RUN(d, Neighbors::SubtractRightCopy(memory, bytes, in.data, d.data, n));
  cudaDeviceSynchronize();
  EXPECT(a.is(left) && b.is(right) && c.is(minus) && d.is(plus) && in.is(x));
#endif
}

int main() {
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  std::mt19937 random(20);
  for (int n : {0, 1, 2, 3, 7, 64, 100, 257}) {
    size = n;
    std::vector<int> x(n), keys(n);
    for (int &e : x) e = int(random() % 512) - 256;
    for (int &e : keys) e = int(random() % 3);
    reductions(x, keys), scans(x, keys), sorts(x), selections(x, keys), histograms(x), segments(x, random), differences(x);
  }
  printf("%d wrong\n", wrong);
  return wrong != 0;
}
