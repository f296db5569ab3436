// Records what a device refuses and what it allows: sizes of launches, shared memory, occupancy, cooperative grids, and which errors
// stay. For a device with compute capability 9.0 and 132 multiprocessors; occupancy counts per multiprocessor.
#include <cooperative_groups.h>

#include <thread>

#include "rows.h"

__global__ void nothing() {}
__global__ void __launch_bounds__(256) at_most_256() {}
__global__ void with_static() {
  __shared__ volatile int tile[3000];
  tile[threadIdx.x % 3000] = 1;
}
__global__ void with_dynamic(int* out) {
  extern __shared__ int tile[];
  tile[threadIdx.x] = threadIdx.x;
  if (out != nullptr) *out = tile[threadIdx.x];
}
__global__ void with_both() {
  __shared__ volatile int fixed[1000];
  extern __shared__ int tile[];
  fixed[threadIdx.x % 1000] = 1;
  tile[0] = 1;
}
__global__ void write_to(int* p) { *p = 1; }
__global__ void trap_now() { __trap(); }
__global__ void cooperative() { cooperative_groups::this_grid().sync(); }

void launch_row(const char* name, const void* kernel, dim3 grid, dim3 block, size_t shared) {
  int* none = nullptr;
  void* arguments[] = {&none};
  const cudaError_t error = cudaLaunchKernel(kernel, grid, block, arguments, shared, nullptr);
  const cudaError_t seen = cudaPeekAtLastError(), taken = cudaGetLastError(), after = cudaGetLastError();
  const cudaError_t later = cudaDeviceSynchronize();
  printf("launch %s grid %u %u %u block %u %u %u shared %zu = %d %d %d %d %d\n", name, grid.x, grid.y, grid.z, block.x, block.y,
         block.z, shared, error, seen, taken, after, later);
  cudaGetLastError();
}

void launches() {
  const auto* kernel = reinterpret_cast<const void*>(nothing);
  for (const dim3 block : {dim3(1), dim3(1024), dim3(1025), dim3(0), dim3(1, 1024), dim3(1, 1025), dim3(1, 1, 64), dim3(1, 1, 65),
                           dim3(32, 32), dim3(32, 33), dim3(16, 16, 4), dim3(16, 16, 5), dim3(2048), dim3(1, 0), dim3(1, 1, 0), dim3(65536)})
    launch_row("nothing", kernel, dim3(1), block, 0);
  for (const dim3 grid : {dim3(0), dim3(1, 0), dim3(1, 1, 0), dim3(1, 65535), dim3(1, 65536), dim3(1, 1, 65535), dim3(1, 1, 65536), dim3(65536)})
    launch_row("nothing", kernel, grid, dim3(1), 0);
  for (const unsigned threads : {1u, 256u, 257u, 512u})
    launch_row("at_most_256", reinterpret_cast<const void*>(at_most_256), dim3(1), dim3(threads), 0);
  for (const size_t bytes : {size_t(0), size_t(1), size_t(48 << 10), size_t((48 << 10) + 1), size_t(100 << 10), size_t(227 << 10), size_t(228 << 10), size_t(1) << 30}) {
    launch_row("nothing", kernel, dim3(1), dim3(32), bytes);
    launch_row("with_both", reinterpret_cast<const void*>(with_both), dim3(1), dim3(32), bytes);
  }
}

void occupancy(const char* name, const void* kernel) {
  for (const int threads : {1, 31, 32, 33, 64, 96, 128, 160, 192, 256, 320, 384, 512, 640, 768, 1024, 1025, 0, -1})
    for (const size_t shared : {0, 1, 1000, 1024, 8192, 16384, 32768, 49152, 60000, 102400, 232448}) {
      int blocks = -1;
      const cudaError_t error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, threads, shared);
      cudaGetLastError();
      printf("occupancy %s threads %d shared %zu = %d %d\n", name, threads, shared, error, blocks);
    }
}

void attributes() {
  const auto* kernel = reinterpret_cast<const void*>(with_dynamic);
  for (const int bytes : {0, 49152, 49153, 100000, 232448, 232449, 233472, -1}) {
    const cudaError_t error = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
    cudaFuncAttributes known;
    NEEDED(cudaFuncGetAttributes(&known, kernel));
    cudaGetLastError();
    printf("dynamic shared memory %d = %d %d\n", bytes, error, known.maxDynamicSharedSizeBytes);
    for (const size_t wanted : {size_t(49152), size_t(49156), size_t(100000), size_t(232448), size_t(232452)})
      launch_row("with_dynamic", kernel, dim3(1), dim3(32), wanted);
  }
  for (const int percent : {-1, 0, 50, 100, 101}) {
    const cudaError_t error = cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout, percent);
    cudaGetLastError();
    printf("carveout %d = %d\n", percent, error);
  }
  cudaFuncAttributes known;
  NEEDED(cudaFuncGetAttributes(&known, reinterpret_cast<const void*>(with_static)));
  printf("static shared memory = %zu\n", known.sharedSizeBytes);
  NEEDED(cudaFuncGetAttributes(&known, reinterpret_cast<const void*>(at_most_256)));
  printf("launch bounds = %d\n", known.maxThreadsPerBlock);
}

void cooperative_grids() {
  const auto* kernel = reinterpret_cast<const void*>(cooperative);
  int per_multiprocessor = 0, multiprocessors = 0;
  NEEDED(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
  for (const int threads : {32, 128, 1024})
    for (const size_t shared : {0, 16384, 49152}) {
      NEEDED(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_multiprocessor, kernel, threads, shared));
      for (const int more : {0, 1}) {
        const unsigned blocks = static_cast<unsigned>(per_multiprocessor * multiprocessors + more);
        const cudaError_t error = cudaLaunchCooperativeKernel(kernel, dim3(blocks), dim3(threads), nullptr, shared, nullptr);
        cudaGetLastError();
        printf("cooperative threads %d shared %zu, %s = %d %d\n", threads, shared, more == 0 ? "as many as fit" : "one more", error,
               cudaDeviceSynchronize());
      }
    }
}

void calls() {
  int* p = nullptr;
  size_t pitch = 0;
  cudaEvent_t event = nullptr, other = nullptr;
  cudaStream_t stream = nullptr;
  float ms = 0;
  const auto show = [](const char* what, cudaError_t error) {
    printf("call %s = %d %d\n", what, error, cudaGetLastError());
  };
  show("cudaMalloc 0", cudaMalloc(&p, 0));
  show("cudaMalloc null", cudaMalloc(static_cast<int**>(nullptr), 4));
  show("cudaMalloc too much", cudaMalloc(&p, size_t(1) << 50));
  show("cudaFree null", cudaFree(nullptr));
  NEEDED(cudaMalloc(&p, 64));
  show("cudaFree", cudaFree(p));
  show("cudaFree twice", cudaFree(p));
  show("cudaFreeHost null", cudaFreeHost(nullptr));
  show("cudaMallocPitch", cudaMallocPitch(reinterpret_cast<void**>(&p), &pitch, 100, 3));
  printf("pitch of 100 = %zu\n", pitch);
  show("cudaMallocPitch 0", cudaMallocPitch(reinterpret_cast<void**>(&p), &pitch, 0, 3));
  show("cudaMemcpy null", cudaMemcpy(nullptr, nullptr, 4, cudaMemcpyDefault));
  show("cudaMemcpy null 0", cudaMemcpy(nullptr, nullptr, 0, cudaMemcpyDefault));
  show("cudaMemset null 0", cudaMemset(nullptr, 0, 0));
  show("cudaMemset null", cudaMemset(nullptr, 0, 4));
  show("cudaSetDevice -1", cudaSetDevice(-1));
  show("cudaSetDevice 1000", cudaSetDevice(1000));
  show("cudaGetDevice null", cudaGetDevice(nullptr));
  show("cudaDeviceGetAttribute 0", cudaDeviceGetAttribute(reinterpret_cast<int*>(&ms), static_cast<cudaDeviceAttr>(0), 0));
  show("cudaDeviceGetAttribute device 99", cudaDeviceGetAttribute(reinterpret_cast<int*>(&ms), cudaDevAttrWarpSize, 99));
  NEEDED(cudaEventCreate(&event));
  NEEDED(cudaEventCreate(&other));
  show("cudaEventQuery not recorded", cudaEventQuery(event));
  show("cudaEventSynchronize not recorded", cudaEventSynchronize(event));
  show("cudaEventElapsedTime not recorded", cudaEventElapsedTime(&ms, event, other));
  NEEDED(cudaEventRecord(event));
  show("cudaEventElapsedTime half recorded", cudaEventElapsedTime(&ms, event, other));
  NEEDED(cudaEventRecord(other));
  NEEDED(cudaDeviceSynchronize());
  show("cudaEventElapsedTime", cudaEventElapsedTime(&ms, event, other));
  cudaEvent_t quick;
  NEEDED(cudaEventCreateWithFlags(&quick, cudaEventDisableTiming));
  NEEDED(cudaEventRecord(quick));
  NEEDED(cudaDeviceSynchronize());
  show("cudaEventElapsedTime without timing", cudaEventElapsedTime(&ms, quick, other));
  show("cudaEventCreateWithFlags 64", cudaEventCreateWithFlags(&quick, 64));
  show("cudaEventDestroy", cudaEventDestroy(event));
  show("cudaStreamCreateWithFlags 7", cudaStreamCreateWithFlags(&stream, 7));
  show("cudaStreamCreateWithPriority 100", cudaStreamCreateWithPriority(&stream, cudaStreamDefault, 100));
  show("cudaStreamQuery 0", cudaStreamQuery(nullptr));
  show("cudaMallocHost 0", cudaMallocHost(reinterpret_cast<void**>(&p), 0));
  show("cudaHostAlloc flags 255", cudaHostAlloc(reinterpret_cast<void**>(&p), 4, 255));
  int local = 0;
  show("cudaHostGetDevicePointer of a local", cudaHostGetDevicePointer(reinterpret_cast<void**>(&p), &local, 0));
  show("cudaHostUnregister of a local", cudaHostUnregister(&local));
  show("cudaFree of a local", cudaFree(&local));
  cudaPointerAttributes known;
  show("cudaPointerGetAttributes of a local", cudaPointerGetAttributes(&known, &local));
  printf("a local is of type %d\n", known.type);
  cudaFuncAttributes of_function;
  show("cudaFuncGetAttributes of a local", cudaFuncGetAttributes(&of_function, &local));
  show("cudaDeviceEnablePeerAccess to itself", cudaDeviceEnablePeerAccess(0, 0));
  show("cudaDeviceCanAccessPeer itself", cudaDeviceCanAccessPeer(&local, 0, 0));
  show("cudaStreamEndCapture without begin", cudaStreamEndCapture(nullptr, reinterpret_cast<cudaGraph_t*>(&p)));
}

// Errors per host thread: what one has not seen, the other does not get.
void threads() {
  nothing<<<1, 2000>>>();
  cudaError_t elsewhere = cudaSuccess;
  std::thread([&] { elsewhere = cudaGetLastError(); }).join();
  printf("another thread sees = %d, this one %d, then %d\n", elsewhere, cudaGetLastError(), cudaGetLastError());
}

// Last, since nothing works after it.
void sticky(bool trap) {
  if (trap)
    trap_now<<<1, 1>>>();
  else
    write_to<<<1, 1>>>(nullptr);
  printf("launch of a fault = %d\n", cudaGetLastError());
  printf("wait = %d\n", cudaDeviceSynchronize());
  printf("last error = %d, again %d\n", cudaGetLastError(), cudaGetLastError());
  int* p = nullptr;
  printf("cudaMalloc = %d\n", cudaMalloc(&p, 4));
  nothing<<<1, 1>>>();
  printf("launch = %d\n", cudaGetLastError());
  int count = 0;
  printf("cudaGetDeviceCount = %d\n", cudaGetDeviceCount(&count));
  cudaError_t elsewhere = cudaSuccess;
  std::thread([&] { elsewhere = cudaDeviceSynchronize(); }).join();
  printf("another thread waits = %d\n", elsewhere);
}

int main(int argc, char** argv) {
  if (argc > 1) {
    sticky(strcmp(argv[1], "trap") == 0);
    return 0;
  }
  launches();
  occupancy("nothing", reinterpret_cast<const void*>(nothing));
  occupancy("with_static", reinterpret_cast<const void*>(with_static));
  attributes();
  cooperative_grids();
  calls();
  threads();
  return 0;
}
