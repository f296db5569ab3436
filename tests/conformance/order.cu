// Records which calls wait, and for what. First: whether the host, after a call, sees what a kernel did that was busy in a
// stream. Then: whether work of one stream waits for work of another one, with a call in between. 1: it does, 0: it need not.
//
//   order [MILLISECONDS]     how long that kernel is busy: 0 where work runs as late as it may, as on the CPU device
#include <functional>
#include <string>
#include <vector>

#include "rows.h"

__global__ void be_busy(volatile int* done, unsigned long long cycles) {
  const long long begin = clock64();
  while (static_cast<unsigned long long>(clock64() - begin) < cycles) {
  }
  *done = 1;
}
__global__ void look(const volatile int* done, volatile int* seen) { *seen = *done; }
__global__ void nothing() {}
__device__ int symbol;

unsigned long long cycles;
volatile int* flags;  // in memory of the host that kernels write: [0] it is done, [1] what another kernel saw of that
int* device_flags;
cudaStream_t blocking, other_blocking, non_blocking, other_non_blocking;
cudaEvent_t event, finished, unused;
char *pinned, *memory, *second_memory, *managed;
char pageable[1 << 18];
cudaArray_t array;
cudaGraphExec_t graph, empty_graph;
std::vector<void*> spare, spare_pinned, registered;  // to be freed
std::vector<cudaStream_t> spare_streams;
std::vector<cudaEvent_t> spare_events;
std::vector<cudaGraphExec_t> spare_graphs;

template <typename T>
T last_of(std::vector<T>& all) {
  const T last = all.back();
  all.pop_back();
  return last;
}

cudaGraphExec_t graph_of(bool with_node) {
  cudaGraphExec_t executable;
  cudaGraph_t built;
  NEEDED(cudaGraphCreate(&built, 0));
  cudaGraphNode_t node;
  cudaKernelNodeParams what{};
  what.func = reinterpret_cast<void*>(nothing);
  what.gridDim = what.blockDim = dim3(1);
  if (with_node) NEEDED(cudaGraphAddKernelNode(&node, built, nullptr, 0, &what));
  NEEDED(cudaGraphInstantiate(&executable, built, 0));
  return executable;
}

void call_back(void*) {}

struct Call {
  const char* name;
  std::function<void()> run;
};

// What a program does between two launches. `other`: a stream in which nothing happens otherwise.
std::vector<Call> calls_of_host() {
  const size_t small = 64, large = sizeof pageable;
  static int number;
  static size_t size;
  static void* place;
  static cudaDeviceProp properties;
  static cudaPointerAttributes attributes;
  static cudaFuncAttributes of_kernel;
  return {
    {"nothing", [] {}},
    {"cudaDeviceSynchronize", [] { cudaDeviceSynchronize(); }},
    {"cudaStreamSynchronize(legacy)", [] { cudaStreamSynchronize(nullptr); }},
    {"cudaStreamSynchronize(per thread)", [] { cudaStreamSynchronize(cudaStreamPerThread); }},
    {"cudaStreamSynchronize(blocking)", [] { cudaStreamSynchronize(other_blocking); }},
    {"cudaStreamSynchronize(non-blocking)", [] { cudaStreamSynchronize(other_non_blocking); }},
    {"cudaStreamQuery(legacy)", [] { cudaStreamQuery(other_non_blocking); }},
    {"event of legacy", [] { cudaEventRecord(event, nullptr); cudaEventSynchronize(event); }},
    {"event of blocking", [] { cudaEventRecord(event, other_blocking); cudaEventSynchronize(event); }},
    {"event of non-blocking", [] { cudaEventRecord(event, other_non_blocking); cudaEventSynchronize(event); }},
    {"event that was never recorded", [] { cudaEventSynchronize(unused); }},
    {"event that is over", [] { cudaEventSynchronize(finished); }},
    {"cudaEventRecord", [] { cudaEventRecord(event, nullptr); }},
    {"cudaMemcpy host to device", [=] { cudaMemcpy(memory, pageable, small, cudaMemcpyHostToDevice); }},
    {"cudaMemcpy host to device, large", [=] { cudaMemcpy(memory, pageable, large, cudaMemcpyHostToDevice); }},
    {"cudaMemcpy pinned to device", [=] { cudaMemcpy(memory, pinned, small, cudaMemcpyHostToDevice); }},
    {"cudaMemcpy device to host", [=] { cudaMemcpy(pageable, memory, small, cudaMemcpyDeviceToHost); }},
    {"cudaMemcpy device to pinned", [=] { cudaMemcpy(pinned, memory, small, cudaMemcpyDeviceToHost); }},
    {"cudaMemcpy within device", [=] { cudaMemcpy(memory, second_memory, small, cudaMemcpyDeviceToDevice); }},
    {"cudaMemcpy within host", [=] { cudaMemcpy(pinned, pageable, small, cudaMemcpyHostToHost); }},
    {"cudaMemcpy managed to managed", [=] { cudaMemcpy(managed, managed + 1000, small, cudaMemcpyDefault); }},
    {"cudaMemcpy of 0 bytes", [] { cudaMemcpy(pageable, memory, 0, cudaMemcpyDeviceToHost); }},
    {"cudaMemcpy2D device to host", [] { cudaMemcpy2D(pageable, 32, memory, 64, 16, 4, cudaMemcpyDeviceToHost); }},
    {"cudaMemcpyToSymbol", [] { cudaMemcpyToSymbol(symbol, pageable, sizeof symbol); }},
    {"cudaMemcpyFromSymbol", [] { cudaMemcpyFromSymbol(pageable, symbol, sizeof symbol); }},
    {"cudaMemcpy2DToArray", [] { cudaMemcpy2DToArray(array, 0, 0, pageable, 16, 16, 4, cudaMemcpyHostToDevice); }},
    {"cudaMemcpyAsync pageable to device", [=] { cudaMemcpyAsync(memory, pageable, small, cudaMemcpyHostToDevice, nullptr); }},
    {"cudaMemcpyAsync pageable to device, large",
     [=] { cudaMemcpyAsync(memory, pageable, large, cudaMemcpyHostToDevice, nullptr); }},
    {"cudaMemcpyAsync device to pageable", [=] { cudaMemcpyAsync(pageable, memory, small, cudaMemcpyDeviceToHost, nullptr); }},
    {"cudaMemcpyAsync device to pageable, non-blocking",
     [=] { cudaMemcpyAsync(pageable, memory, small, cudaMemcpyDeviceToHost, other_non_blocking); }},
    {"cudaMemcpyAsync pinned to device", [=] { cudaMemcpyAsync(memory, pinned, small, cudaMemcpyHostToDevice, nullptr); }},
    {"cudaMemcpyAsync device to pinned", [=] { cudaMemcpyAsync(pinned, memory, small, cudaMemcpyDeviceToHost, nullptr); }},
    {"cudaMemcpyAsync within host", [=] { cudaMemcpyAsync(pinned, pageable, small, cudaMemcpyHostToHost, nullptr); }},
    {"cudaMemset device", [=] { cudaMemset(memory, 1, small); }},
    {"cudaMemset pinned", [=] { cudaMemset(pinned, 1, small); }},
    {"cudaMemset managed", [=] { cudaMemset(managed, 1, small); }},
    {"cudaMemset of 0 bytes", [] { cudaMemset(memory, 1, 0); }},
    {"cudaMemset2D device", [] { cudaMemset2D(memory, 64, 1, 16, 4); }},
    {"cudaMalloc", [] { cudaMalloc(&place, 1 << 20); spare.push_back(place); }},
    {"cudaFree", [] { cudaFree(last_of(spare)); }},
    {"cudaFree(NULL)", [] { cudaFree(nullptr); }},
    {"cudaMallocHost", [] { cudaMallocHost(&place, 1 << 16); spare_pinned.push_back(place); }},
    {"cudaFreeHost", [] { cudaFreeHost(last_of(spare_pinned)); }},
    {"cudaMallocManaged", [] { cudaMallocManaged(&place, 1 << 16); spare.push_back(place); }},
    {"cudaFree of managed memory", [] { cudaFree(last_of(spare)); }},
    {"cudaMallocArray", [] {
       const cudaChannelFormatDesc floats = cudaCreateChannelDesc<float>();
       cudaArray_t extra;
       cudaMallocArray(&extra, &floats, 16, 4);
       spare.push_back(extra);
     }},
    {"cudaFreeArray", [] { cudaFreeArray(static_cast<cudaArray_t>(last_of(spare))); }},
    {"cudaMallocAsync", [] { cudaMallocAsync(&place, 1 << 16, other_non_blocking); spare.push_back(place); }},
    {"cudaFreeAsync", [] { cudaFreeAsync(last_of(spare), other_non_blocking); }},
    {"cudaHostRegister", [] { registered.push_back(malloc(1 << 16)); cudaHostRegister(registered.back(), 1 << 16, 0); }},
    {"cudaHostUnregister", [] { cudaHostUnregister(last_of(registered)); }},
    {"cudaStreamCreate", [] { cudaStream_t made; cudaStreamCreate(&made); spare_streams.push_back(made); }},
    {"cudaStreamDestroy", [] { cudaStreamDestroy(last_of(spare_streams)); }},
    {"cudaEventCreate", [] { cudaEvent_t made; cudaEventCreate(&made); spare_events.push_back(made); }},
    {"cudaEventDestroy", [] { cudaEventDestroy(last_of(spare_events)); }},
    {"cudaEventQuery of one that is over", [] { cudaEventQuery(finished); }},
    {"cudaGetLastError", [] { cudaGetLastError(); }},
    {"cudaMemGetInfo", [] { size_t all; cudaMemGetInfo(&size, &all); }},
    {"cudaGetDeviceProperties", [] { cudaGetDeviceProperties(&properties, 0); }},
    {"cudaPointerGetAttributes", [] { cudaPointerGetAttributes(&attributes, memory); }},
    {"cudaFuncGetAttributes", [] { cudaFuncGetAttributes(&of_kernel, nothing); }},
    {"cudaFuncSetAttribute", [] { cudaFuncSetAttribute(nothing, cudaFuncAttributeMaxDynamicSharedMemorySize, 1000); }},
    {"cudaGetSymbolAddress", [] { cudaGetSymbolAddress(&place, symbol); }},
    {"cudaOccupancyMaxActiveBlocksPerMultiprocessor",
     [] { cudaOccupancyMaxActiveBlocksPerMultiprocessor(&number, nothing, 64, 0); }},
    {"cudaLaunchHostFunc", [] { cudaLaunchHostFunc(other_non_blocking, call_back, nullptr); }},
    {"cudaGraphInstantiate", [] { spare_graphs.push_back(graph_of(true)); }},
    {"cudaGraphLaunch", [] { cudaGraphLaunch(graph, other_non_blocking); }},
    {"cudaGraphExecDestroy", [] { cudaGraphExecDestroy(last_of(spare_graphs)); }},
    {"cudaDeviceGetAttribute", [] { cudaDeviceGetAttribute(&number, cudaDevAttrWarpSize, 0); }},
    {"cudaDeviceSetLimit", [] { cudaDeviceSetLimit(cudaLimitStackSize, 1024); }},
    {"cudaMemcpyAsync of 0 bytes", [] { cudaMemcpyAsync(pageable, memory, 0, cudaMemcpyDeviceToHost, nullptr); }},
  };
}

// What is done in a stream, or with one, between work in a first and in a second one.
struct Between {
  const char* name;
  std::function<void(cudaStream_t first, cudaStream_t second)> run;
};
std::vector<Between> calls_between() {
  return {
    {"nothing", [](auto, auto) {}},
    {"event from first to second", [](auto a, auto b) { cudaEventRecord(event, a); cudaStreamWaitEvent(b, event, 0); }},
    {"event of second in second", [](auto, auto b) { cudaEventRecord(event, b); cudaStreamWaitEvent(b, event, 0); }},
    {"event from second to first", [](auto a, auto b) { cudaEventRecord(event, b); cudaStreamWaitEvent(a, event, 0); }},
    {"event of first recorded again in second",
     [](auto a, auto b) { cudaEventRecord(event, a); cudaEventRecord(event, b); cudaStreamWaitEvent(b, event, 0); }},
    {"event of first waited for before it is recorded again",
     [](auto a, auto b) { cudaEventRecord(event, a); cudaStreamWaitEvent(b, event, 0); cudaEventRecord(event, other_non_blocking); }},
    {"event that is over, waited for in legacy", [](auto, auto) { cudaStreamWaitEvent(nullptr, finished, 0); }},
    {"event that was never recorded, waited for in legacy", [](auto, auto) { cudaStreamWaitEvent(nullptr, unused, 0); }},
    {"event recorded in legacy", [](auto, auto) { cudaEventRecord(event, nullptr); }},
    {"event of non-blocking waited for in legacy",
     [](auto, auto) { cudaEventRecord(event, other_non_blocking); cudaStreamWaitEvent(nullptr, event, 0); }},
    {"kernel in legacy", [](auto, auto) { nothing<<<1, 1>>>(); }},
    {"kernel in legacy that cannot be launched", [](auto, auto) { nothing<<<1, 2000>>>(); cudaGetLastError(); }},
    {"kernel in per thread", [](auto, auto) { nothing<<<1, 1, 0, cudaStreamPerThread>>>(); }},
    {"kernel in another blocking", [](auto, auto) { nothing<<<1, 1, 0, other_blocking>>>(); }},
    {"kernel in another non-blocking", [](auto, auto) { nothing<<<1, 1, 0, other_non_blocking>>>(); }},
    {"fill in legacy", [](auto, auto) { cudaMemset(memory, 1, 64); }},
    {"fill of 0 bytes in legacy", [](auto, auto) { cudaMemset(memory, 1, 0); }},
    {"fill of 0 bytes, asynchronous, in legacy", [](auto, auto) { cudaMemsetAsync(memory, 1, 0, nullptr); }},
    {"copy of 0 bytes in legacy", [](auto, auto) { cudaMemcpyAsync(memory, pinned, 0, cudaMemcpyHostToDevice, nullptr); }},
    {"copy within device in legacy", [](auto, auto) { cudaMemcpy(memory, second_memory, 64, cudaMemcpyDeviceToDevice); }},
    {"copy from pinned in legacy", [](auto, auto) { cudaMemcpyAsync(memory, pinned, 64, cudaMemcpyHostToDevice, nullptr); }},
    {"copy from pageable in legacy", [](auto, auto) { cudaMemcpyAsync(memory, pageable, 64, cudaMemcpyHostToDevice, nullptr); }},
    {"host function in legacy", [](auto, auto) { cudaLaunchHostFunc(nullptr, call_back, nullptr); }},
    {"graph in legacy", [](auto, auto) { cudaGraphLaunch(graph, nullptr); }},
    {"graph without nodes in legacy", [](auto, auto) { cudaGraphLaunch(empty_graph, nullptr); }},
    {"one graph in both", [](auto a, auto b) { cudaGraphLaunch(graph, a); cudaGraphLaunch(graph, b); }},
    {"memory allocated in first, freed in second", [](auto a, auto b) {
       void* place = nullptr;
       cudaMallocAsync(&place, 1 << 16, a);
       cudaFreeAsync(place, b);
     }},
    {"memory allocated in legacy", [](auto, auto) {
       void* place = nullptr;
       cudaMallocAsync(&place, 1 << 16, static_cast<cudaStream_t>(nullptr));
       spare.push_back(place);
     }},
    {"a stream is created", [](auto, auto) { cudaStream_t s; cudaStreamCreate(&s); cudaStreamDestroy(s); }},
  };
}

struct Named {
  const char* name;
  cudaStream_t* stream;
};

void start(cudaStream_t stream) {
  NEEDED(cudaDeviceSynchronize());
  cudaGetLastError();
  flags[0] = flags[1] = 0;
  be_busy<<<1, 1, 0, stream>>>(device_flags, cycles);
}

int main(int count, char** arguments) {
  int kilohertz = 0;
  NEEDED(cudaDeviceGetAttribute(&kilohertz, cudaDevAttrClockRate, 0));
  cycles = static_cast<unsigned long long>(kilohertz) * (count > 1 ? atoi(arguments[1]) : 10);
  int* host_flags;
  NEEDED(cudaHostAlloc(&host_flags, 2 * sizeof(int), cudaHostAllocMapped));
  NEEDED(cudaHostGetDevicePointer(&device_flags, host_flags, 0));
  flags = host_flags;
  NEEDED(cudaMallocHost(&pinned, sizeof pageable));
  NEEDED(cudaMalloc(&memory, sizeof pageable));
  NEEDED(cudaMalloc(&second_memory, sizeof pageable));
  NEEDED(cudaMallocManaged(&managed, 4096));
  const cudaChannelFormatDesc floats = cudaCreateChannelDesc<float>();
  NEEDED(cudaMallocArray(&array, &floats, 16, 4));
  for (cudaStream_t* s : {&blocking, &other_blocking}) NEEDED(cudaStreamCreate(s));
  for (cudaStream_t* s : {&non_blocking, &other_non_blocking}) NEEDED(cudaStreamCreateWithFlags(s, cudaStreamNonBlocking));
  for (cudaEvent_t* e : {&event, &finished, &unused}) NEEDED(cudaEventCreate(e));
  graph = graph_of(true);
  empty_graph = graph_of(false);
  // All that is loaded or allocated at its first use is used once.
  NEEDED(cudaEventRecord(finished, other_blocking));
  cudaStream_t legacy = nullptr, per_thread = cudaStreamPerThread;
  const Named streams[] = {{"legacy", &legacy}, {"per thread", &per_thread}, {"blocking", &blocking}, {"non-blocking", &non_blocking}};
  nothing<<<1, 1>>>();
  look<<<1, 1>>>(device_flags, device_flags + 1);
  cudaGraphLaunch(graph, nullptr);
  cudaGraphLaunch(empty_graph, nullptr);
  {
    void* place;
    NEEDED(cudaMallocAsync(&place, 1 << 16, other_non_blocking));
    NEEDED(cudaFreeAsync(place, other_non_blocking));
  }
  for (const Named& s : streams) {
    start(*s.stream);
    NEEDED(cudaDeviceSynchronize());
  }
  for (const Call& call : calls_of_host())
    for (const Named& s : streams) {
      start(*s.stream);
      call.run();
      printf("kernel in %s, host calls %s = %d\n", s.name, call.name, flags[0]);
    }
  NEEDED(cudaDeviceSynchronize());
  cudaStream_t second_of_kind[] = {legacy, per_thread, other_blocking, other_non_blocking};
  for (const Between& call : calls_between())
    for (size_t a = 0; a < 4; a++)
      for (size_t b = 0; b < 4; b++) {
        start(*streams[a].stream);
        call.run(*streams[a].stream, second_of_kind[b]);
        look<<<1, 1, 0, second_of_kind[b]>>>(device_flags, device_flags + 1);
        NEEDED(cudaDeviceSynchronize());
        printf("kernel in %s, %s, kernel in %s = %d\n", streams[a].name, call.name, streams[b].name, flags[1]);
      }
  // Streams that are destroyed while they are busy.
  for (size_t b = 0; b < 4; b++)
    for (const bool blocks : {true, false}) {
      cudaStream_t s;
      NEEDED(cudaStreamCreateWithFlags(&s, blocks ? cudaStreamDefault : cudaStreamNonBlocking));
      start(s);
      NEEDED(cudaStreamDestroy(s));
      const int after_call = flags[0];
      look<<<1, 1, 0, second_of_kind[b]>>>(device_flags, device_flags + 1);
      NEEDED(cudaDeviceSynchronize());
      printf("kernel in %s that is destroyed, kernel in %s = %d, after the call %d\n", blocks ? "blocking" : "non-blocking",
             streams[b].name, flags[1], after_call);
    }
  return 0;
}
