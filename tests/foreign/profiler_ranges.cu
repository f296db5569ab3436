// In the manner of programs made to be looked at with a profiler: ranges and marks, which do nothing.
#include <cuda_profiler_api.h>
#include <nvToolsExt.h>

#include <cstdio>

__global__ void work(int *x) { x[threadIdx.x] += threadIdx.x; }

int main() {
  int *x;
  cudaMallocManaged(&x, 64 * sizeof(int));
  for (int i = 0; i < 64; i++) x[i] = 1;
  cudaProfilerStart();
  nvtxRangePushA("work");
  nvtxEventAttributes_t event = {0};
  event.version = NVTX_VERSION;
  event.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
  event.colorType = NVTX_COLOR_ARGB;
  event.color = 0xff00ff00;
  event.messageType = NVTX_MESSAGE_TYPE_ASCII;
  event.message.ascii = "launch";
  nvtxMarkEx(&event);
  nvtxRangeId_t range = nvtxRangeStartA("kernel");
  work<<<1, 64>>>(x);
  cudaDeviceSynchronize();
  nvtxRangeEnd(range);
  nvtxRangePop();
  cudaProfilerStop();
  for (int i = 0; i < 64; i++)
    if (x[i] != 1 + i) return 1;
  printf("right\n");
  return 0;
}
