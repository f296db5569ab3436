// CCCL's classes for streams, memory, events and launches (CUDA 13.2 and newer), and nothing else of CUDA.
#include <cstdio>
#include <cstdlib>

#include <cuda/version>

#if CCCL_VERSION >= 3004000
#include <cuda/algorithm>
#include <cuda/buffer>
#include <cuda/devices>
#include <cuda/launch>
#include <cuda/memory_pool>
#include <cuda/memory_resource>
#include <cuda/std/span>
#include <cuda/stream>
#include <vector>

#define EXPECT(condition)                                     \
  do {                                                        \
    if (!(condition)) {                                       \
      fprintf(stderr, "line %d: %s\n", __LINE__, #condition); \
      exit(1);                                                \
    }                                                         \
  } while (0)

struct Scale {
  template <typename Config>
  __device__ void operator()(Config config, cuda::std::span<int> values, int factor) {
    const auto i = cuda::gpu_thread.rank(cuda::grid, config);
    if (i < values.size()) values[i] *= factor;
  }
};
// Each block reverses its part in dynamic shared memory.
template <typename Config>
__global__ void reverse_parts(Config config, cuda::std::span<int> values) {
  const auto part = cuda::dynamic_shared_memory(config);
  const int i = static_cast<int>(cuda::gpu_thread.rank(cuda::block, config));
  const auto at = cuda::gpu_thread.rank(cuda::grid, config);
  part[i] = values[at];
  __syncthreads();
  values[at] = part[part.size() - 1 - i];
}
__global__ void add_one(int *values, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i]++;
}

static std::vector<int> on_host(cuda::stream_ref stream, cuda::std::span<const int> values) {
  std::vector<int> result(values.size());
  cuda::copy_bytes(stream, values, cuda::std::span{result.data(), result.size()});
  stream.sync();
  return result;
}

static void devices() {
  EXPECT(cuda::devices.size() >= 1);
  const cuda::device_ref device = cuda::devices[0];
  EXPECT(!device.name().empty());
  EXPECT(device.attribute(cuda::device_attributes::warp_size) == 32);
  EXPECT(device.attribute<cuda::device_attributes::max_threads_per_block>() == 1024);
  EXPECT(device.attribute(cuda::device_attributes::compute_capability).get() > 0);
}

static void buffers(cuda::stream_ref stream) {
  const auto pool = cuda::device_default_memory_pool(cuda::devices[0]);
  EXPECT(cuda::make_buffer<int>(stream, pool).size() == 0);
  const auto sevens = cuda::make_buffer<int>(stream, pool, 1000, 7);
  EXPECT(on_host(stream, sevens) == std::vector<int>(1000, 7));
  const auto listed = cuda::make_buffer<int>(stream, pool, {1, 2, 3});
  EXPECT(on_host(stream, listed) == (std::vector<int>{1, 2, 3}));
  const std::vector<double> numbers(100, 2.5);
  const auto wide = cuda::make_buffer<double>(stream, pool, numbers.begin(), numbers.end());
  EXPECT(wide.size() == 100);
  // Values of 8 bytes are set by a kernel.
  const auto doubles = cuda::make_buffer<double>(stream, pool, 50, 1.25);
  std::vector<double> back(50);
  cuda::copy_bytes(stream, doubles, back);
  stream.sync();
  EXPECT(back == std::vector<double>(50, 1.25));
  auto filled = cuda::make_buffer<int>(stream, pool, 10, cuda::no_init);
  cuda::fill_bytes(stream, filled, 0x11);
  EXPECT(on_host(stream, filled) == std::vector<int>(10, 0x11111111));
  auto moved = std::move(filled);
  EXPECT(moved.size() == 10 && filled.size() == 0);
  // The host can access pinned memory.
  auto pinned = cuda::make_buffer<int>(stream, cuda::pinned_default_memory_pool(), 10, cuda::no_init);
  cuda::copy_bytes(stream, moved, pinned);
  stream.sync();
  EXPECT(pinned.get_unsynchronized(9) == 0x11111111);
  if (!cuda::devices[0].attribute(cuda::device_attributes::concurrent_managed_access)) return;
  auto managed = cuda::make_buffer<int>(stream, cuda::managed_default_memory_pool(), 10, 4);
  cuda::launch(stream, cuda::distribute<32>(10), Scale{}, managed, 2);
  stream.sync();
  EXPECT(managed.get_unsynchronized(9) == 8);
}

static void pools(cuda::stream_ref stream) {
  cuda::device_memory_pool pool{cuda::devices[0]};
  {
    const auto some = cuda::make_buffer<int>(stream, pool.as_ref(), 1024, cuda::no_init);
    EXPECT(pool.attribute(cuda::memory_pool_attributes::used_mem_current) == 4096);
  }
  stream.sync();
  EXPECT(pool.attribute(cuda::memory_pool_attributes::used_mem_current) == 0);
  EXPECT(pool.attribute(cuda::memory_pool_attributes::used_mem_high) == 4096);
}

static void resources() {
  cuda::mr::legacy_pinned_memory_resource resource;
  void *memory = resource.allocate_sync(100, 16);
  static_cast<char *>(memory)[99] = 1;
  resource.deallocate_sync(memory, 100, 16);
}

static void launches(cuda::stream_ref stream) {
  const int n = 1000;
  std::vector<int> start(n), right(n);
  for (int i = 0; i < n; i++) start[i] = i;
  auto values = cuda::make_buffer<int>(stream, cuda::device_default_memory_pool(cuda::devices[0]), start);
  cuda::launch(stream, cuda::distribute<128>(n), Scale{}, values, 3);
  // A kernel that is a function; it gets a pointer.
  cuda::launch(stream, cuda::distribute<128>(n), add_one, values.data(), n);
  // Blocks of 100 threads with 100 ints of shared memory each.
  const auto config =
      cuda::make_config(cuda::make_hierarchy(cuda::grid_dims(n / 100), cuda::block_dims<100>()),
                        cuda::dynamic_shared_memory<int[]>(100));
  cuda::launch(stream, config, reverse_parts<decltype(config)>, values);
  for (int i = 0; i < n; i++) right[i] = 3 * (i / 100 * 100 + 99 - i % 100) + 1;
  EXPECT(on_host(stream, values) == right);
  int answer = 0;
  cuda::host_launch(stream, [&](int x) { answer = x; }, 42);
  stream.sync();
  EXPECT(answer == 42);
}

static void events(cuda::stream_ref stream) {
  cuda::stream other{cuda::devices[0]};
  EXPECT(other.id() != stream.id());
  auto values = cuda::make_buffer<int>(stream, cuda::device_default_memory_pool(cuda::devices[0]), 100, 1);
  const cuda::timed_event start{stream};
  cuda::launch(stream, cuda::distribute<32>(100), Scale{}, values, 5);
  const cuda::event done{stream};
  other.wait(done);
  cuda::launch(other, cuda::distribute<32>(100), Scale{}, values, 2);
  stream.wait(other);
  const cuda::timed_event stop = stream.record_timed_event();
  EXPECT(on_host(stream, values) == std::vector<int>(100, 10));
  EXPECT(done.is_done() && stop.is_done() && stream.is_done());
  EXPECT((stop - start).count() >= 0);
}

// Work on another device leaves the runtime's current device as it was.
static void another_device() {
  if (cuda::devices.size() < 2) return;
  cuda::stream other{cuda::devices[1]};
  EXPECT(other.device() == cuda::devices[1]);
  const auto pool = cuda::device_default_memory_pool(cuda::devices[1]);
  auto values = cuda::make_buffer<int>(other, pool, 100, 3);
  cuda::launch(other, cuda::distribute<32>(100), Scale{}, values, 3);
  EXPECT(on_host(other, values) == std::vector<int>(100, 9));
  int current = -1;
  EXPECT(cudaGetDevice(&current) == cudaSuccess && current == 0);
}

static void errors(cuda::stream_ref stream) {
  bool thrown = false;
  try {
    cuda::launch(stream, cuda::make_config(cuda::grid_dims(1), cuda::block_dims(2048)), Scale{},
                 cuda::std::span<int>{}, 1);
  } catch (const cuda::cuda_error &error) {
    thrown = error.status() == cudaErrorInvalidValue || error.status() == cudaErrorInvalidConfiguration;
  }
  EXPECT(thrown);
}

int main() {
  devices();
  cuda::stream stream{cuda::devices[0]};
  buffers(stream);
  pools(stream);
  resources();
  launches(stream);
  events(stream);
  another_device();
  errors(stream);
  printf("all right\n");
}
#else
int main() {
  printf("CCCL 3.4 or newer is not installed\n");
  return 77;
}
#endif
