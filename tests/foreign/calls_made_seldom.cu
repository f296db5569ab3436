// Calls that hardly any program makes, each with what its documentation says of it.
#include <cuda.h>
#include <curand.h>
#include <cusolverDn.h>
#include <cusparse.h>
#include <nvrtc.h>

#include <cmath>
#include <cstdio>
#include <cstring>
#include <set>
#include <vector>

int wrong = 0;
void failed(int line, const char *what) { wrong++, printf("line %d: %s\n", line, what); }
#define EXPECT(...) ((__VA_ARGS__) ? void() : failed(__LINE__, #__VA_ARGS__))
#define GOOD(...) EXPECT((__VA_ARGS__) == 0)

__global__ void scale(int *values, int by, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] = by * values[i] + i;
}

std::vector<int> counted(int n, int from) {
  std::vector<int> all(n);
  for (int i = 0; i < n; i++) all[i] = from + i;
  return all;
}
template <typename T>
T *on_device(const std::vector<T> &values) {
  T *to = nullptr;
  GOOD(cudaMalloc(&to, values.size() * sizeof(T)));
  GOOD(cudaMemcpy(to, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice));
  return to;
}
template <typename T>
std::vector<T> on_host(const T *from, size_t n) {
  std::vector<T> values(n);
  GOOD(cudaMemcpy(values.data(), from, n * sizeof(T), cudaMemcpyDeviceToHost));
  return values;
}

// One-dimensional arrays: offsets are in bytes.
void arrays_and_the_host() {
  CUDA_ARRAY_DESCRIPTOR form = {};
  form.Width = 32, form.Format = CU_AD_FORMAT_SIGNED_INT32, form.NumChannels = 1;
  CUarray array;
  GOOD(cuArrayCreate(&array, &form));
  const std::vector<int> all = counted(32, 100), part = counted(5, 900);
  std::vector<int> back(32, -1);
  GOOD(cuMemcpyHtoA(array, 0, all.data(), 128));
  GOOD(cuMemcpyHtoA(array, 12, part.data(), 20));
  GOOD(cuMemcpyAtoH(back.data(), array, 0, 128));
  for (int i = 0; i < 32; i++) EXPECT(back[i] == (i >= 3 && i < 8 ? 900 + i - 3 : 100 + i));
  int two[2];
  GOOD(cuMemcpyAtoH(two, array, 28, 8));
  EXPECT(two[0] == 904 && two[1] == 108);
  EXPECT(cuMemcpyAtoH(back.data(), array, 124, 8) == CUDA_ERROR_INVALID_VALUE);
  GOOD(cuArrayDestroy(array));
}

void kernels_of_the_driver_in_graphs() {
  const int n = 100;
  int *values = on_device(counted(n, 7)), by = 3, count = n;
  void *arguments[] = {&values, &by, &count};
  cudaGraph_t graph;  // the same type as in the driver interface
  cudaGraphExec_t ready;
  cudaGraphNode_t first, second;
  CUDA_KERNEL_NODE_PARAMS node = {};
  GOOD(cudaGetFuncBySymbol(&node.func, reinterpret_cast<const void *>(scale)));
  node.gridDimX = 4, node.gridDimY = node.gridDimZ = 1, node.blockDimX = 32, node.blockDimY = node.blockDimZ = 1;
  node.kernelParams = arguments;
  GOOD(cudaGraphCreate(&graph, 0));
  GOOD(cuGraphAddKernelNode(&first, graph, nullptr, 0, &node));
  by = 5;  // arguments are copied when the node is added
  GOOD(cuGraphAddKernelNode(&second, graph, &first, 1, &node));
  by = 1000;
  GOOD(cudaGraphInstantiate(&ready, graph, 0));
  GOOD(cudaGraphLaunch(ready, nullptr));
  const std::vector<int> result = on_host(values, n);
  for (int i = 0; i < n; i++) EXPECT(result[i] == 5 * (3 * (7 + i) + i) + i);
  size_t nodes = 0;
  GOOD(cudaGraphGetNodes(graph, nullptr, &nodes));
  EXPECT(nodes == 2);
  GOOD(cudaGraphExecDestroy(ready));
  GOOD(cudaGraphDestroy(graph));
  GOOD(cudaFree(values));
}

void pools_and_batches() {
  CUmemoryPool pool;
  CUmemLocation here = {};
  here.type = CU_MEM_LOCATION_TYPE_DEVICE;
  CUmemAccess_flags access = CU_MEM_ACCESS_FLAGS_PROT_NONE;
  GOOD(cuDeviceGetDefaultMemPool(&pool, 0));
  GOOD(cuMemPoolGetAccess(&access, pool, &here));
  EXPECT(access == CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
  CUmemAccessDesc wanted = {here, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
  GOOD(cuMemPoolSetAccess(pool, &wanted, 1));

  int *from = on_device(counted(40, 0)), *to = on_device(std::vector<int>(40, -1));
  CUdeviceptr targets[] = {CUdeviceptr(to), CUdeviceptr(to + 20), CUdeviceptr(to + 39)};
  CUdeviceptr sources[] = {CUdeviceptr(from + 10), CUdeviceptr(from), CUdeviceptr(from + 5)};
  size_t sizes[] = {20, 32, 4}, of = 0;
  CUmemcpyAttributes how = {};
  how.srcAccessOrder = CU_MEMCPY_SRC_ACCESS_ORDER_STREAM;
  CUstream stream;
  GOOD(cuStreamCreate(&stream, CU_STREAM_DEFAULT));
#if CUDA_VERSION >= 13000
  GOOD(cuMemcpyBatchAsync(targets, sources, sizes, 3, &how, &of, 1, stream));
#else
  size_t fails;
  GOOD(cuMemcpyBatchAsync(targets, sources, sizes, 3, &how, &of, 1, &fails, stream));
#endif
  GOOD(cuStreamSynchronize(stream));
  const std::vector<int> result = on_host(to, 40);
  for (int i = 0; i < 40; i++) EXPECT(result[i] == (i < 5 ? 10 + i : i >= 20 && i < 28 ? i - 20 : i == 39 ? 5 : -1));
  CUcontext context = nullptr, current = nullptr;
  GOOD(cuStreamGetCtx(stream, &context));
  GOOD(cuCtxGetCurrent(&current));
  EXPECT(context == current && context != nullptr);
  GOOD(cuStreamDestroy(stream));
  GOOD(cudaFree(from));
  GOOD(cudaFree(to));
}

void memory_of_graphs() {
  cudaGraph_t graph;
  cudaGraphExec_t ready;
  cudaGraphNode_t made, filled, copied, freed;
  cudaMemAllocNodeParams memory = {};
  memory.poolProps.allocType = cudaMemAllocationTypePinned;
  memory.poolProps.location.type = cudaMemLocationTypeDevice;
  memory.bytesize = 1 << 20;
  GOOD(cudaGraphCreate(&graph, 0));
  GOOD(cudaGraphAddMemAllocNode(&made, graph, nullptr, 0, &memory));
  cudaMemsetParams set = {};
  set.dst = memory.dptr, set.elementSize = 1, set.value = 0x5a, set.width = 1000, set.height = 1;
  GOOD(cudaGraphAddMemsetNode(&filled, graph, &made, 1, &set));
  unsigned char host[1000] = {};
  GOOD(cudaGraphAddMemcpyNode1D(&copied, graph, &filled, 1, host, memory.dptr, sizeof host, cudaMemcpyDeviceToHost));
  GOOD(cudaGraphAddMemFreeNode(&freed, graph, &copied, 1, memory.dptr));
  cudaGraphNode_t again;
  EXPECT(cudaGraphAddMemFreeNode(&again, graph, &copied, 1, memory.dptr) != cudaSuccess);  // only once
  GOOD(cudaGraphInstantiate(&ready, graph, 0));
  for (int i = 0; i < 3; i++) {
    memset(host, 0, sizeof host);
    GOOD(cudaGraphLaunch(ready, 0));
    GOOD(cudaDeviceSynchronize());
    EXPECT(host[0] == 0x5a && host[999] == 0x5a);
  }
  GOOD(cudaGraphExecDestroy(ready));
  GOOD(cudaGraphDestroy(graph));
  GOOD(cudaDeviceGraphMemTrim(0));
}

void ranges_of_managed_memory() {
  int *values;
  GOOD(cudaMallocManaged(&values, 1 << 16));
  cudaMemLocation device = {};
  device.type = cudaMemLocationTypeDevice;
  int mostly_read = -1, preferred = -1;
  void *to[] = {&mostly_read, &preferred};
  size_t bytes[] = {sizeof(int), sizeof(int)};
  cudaMemRangeAttribute which[] = {cudaMemRangeAttributeReadMostly, cudaMemRangeAttributePreferredLocation};
  GOOD(cudaMemRangeGetAttributes(to, bytes, which, 2, values, 1 << 16));
  EXPECT(mostly_read == 0 && preferred == cudaInvalidDeviceId);
#if CUDART_VERSION >= 13000
  GOOD(cudaMemAdvise(values, 1 << 16, cudaMemAdviseSetReadMostly, device));
#else
  GOOD(cudaMemAdvise(values, 1 << 16, cudaMemAdviseSetReadMostly, 0));
#endif
  GOOD(cudaMemRangeGetAttributes(to, bytes, which, 2, values, 1 << 16));
  EXPECT(mostly_read == 1 && preferred == cudaInvalidDeviceId);
#if CUDART_VERSION >= 13000
  cudaMemLocation host = {};
  host.type = cudaMemLocationTypeHost;
  for (const cudaMemLocation &place : {device, host, device}) {
    GOOD(cudaMemAdvise(values, 1 << 16, cudaMemAdviseSetPreferredLocation, place));
    GOOD(cudaMemRangeGetAttributes(to, bytes, which, 2, values, 1 << 16));
    EXPECT(preferred == (place.type == cudaMemLocationTypeHost ? cudaCpuDeviceId : 0));
  }
#endif
  GOOD(cudaFree(values));
}

// The first place of each layer of a box, from one pitch to another.
void boxes_between_devices() {
  const cudaExtent box = make_cudaExtent(12, 3, 2);
  std::vector<unsigned char> from(16 * 4 * 2), back(20 * 3 * 2, 0xee);
  for (size_t i = 0; i < from.size(); i++) from[i] = static_cast<unsigned char>(i);
  unsigned char *source = on_device(from), *target = on_device(back);
  cudaMemcpy3DPeerParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr(source, 16, 16, 4), copy.dstPtr = make_cudaPitchedPtr(target, 20, 20, 3);
  copy.srcPos = make_cudaPos(2, 1, 0), copy.dstPos = make_cudaPos(4, 0, 0), copy.extent = box;
  GOOD(cudaMemcpy3DPeer(&copy));
  back = on_host(target, back.size());
  for (int z = 0; z < 2; z++)
    for (int y = 0; y < 3; y++)
      for (int x = 0; x < 20; x++)
        EXPECT(back[(z * 3 + y) * 20 + x] == (x >= 4 && x < 16 ? from[(z * 4 + y + 1) * 16 + x - 2] : 0xee));
  int value;
  EXPECT(cudaDeviceGetP2PAttribute(&value, cudaDevP2PAttrAccessSupported, 0, 0) == cudaErrorInvalidDevice);
  cudaGetLastError();
  GOOD(cudaFree(source));
  GOOD(cudaFree(target));
}

void libraries() {
  unsigned *narrow = nullptr;
  unsigned long long *wide = nullptr;
  GOOD(curandGetScrambleConstants32(&narrow));
  GOOD(curandGetScrambleConstants64(&wide));
  EXPECT(std::set<unsigned>(narrow, narrow + 1000).size() == 1000);
  EXPECT(std::set<unsigned long long>(wide, wide + 1000).size() == 1000);

  int count = 0;
  GOOD(nvrtcGetNumSupportedArchs(&count));
  EXPECT(count > 0);
  std::vector<int> all(count);
  GOOD(nvrtcGetSupportedArchs(all.data()));
  const std::set<int> known(all.begin(), all.end());
  EXPECT(known.count(75) == 1 && known.count(80) == 1 && known.count(90) == 1 && known.size() == all.size());

  // The eigenvalues of {{2, i}, {-i, 2}} are 1 and 3. Column by column; the upper triangle.
  cusolverDnHandle_t solver;
  GOOD(cusolverDnCreate(&solver));
  cuComplex *matrix = on_device(std::vector<cuComplex>{{2, 0}, {9, 9}, {0, 1}, {2, 0}}), *work;
  float *values = on_device(std::vector<float>(2));
  int length = 0, *info = on_device(std::vector<int>(1, 7));
  GOOD(cusolverDnCheevd_bufferSize(solver, CUSOLVER_EIG_MODE_VECTOR, CUBLAS_FILL_MODE_UPPER, 2, matrix, 2, values, &length));
  GOOD(cudaMalloc(&work, (length + 1) * sizeof *work));
  GOOD(cusolverDnCheevd(solver, CUSOLVER_EIG_MODE_VECTOR, CUBLAS_FILL_MODE_UPPER, 2, matrix, 2, values, work, length, info));
  GOOD(cudaDeviceSynchronize());
  const std::vector<float> eigenvalues = on_host(values, 2);
  const std::vector<cuComplex> v = on_host(matrix, 4);
  EXPECT(on_host(info, 1)[0] == 0 && std::fabs(eigenvalues[0] - 1) < 1e-5 && std::fabs(eigenvalues[1] - 3) < 1e-5);
  for (int k = 0; k < 2; k++) {  // A v = lambda v, first row: 2 x + i y
    const cuComplex x = v[2 * k], y = v[2 * k + 1];
    EXPECT(std::fabs(2 * x.x - y.y - eigenvalues[k] * x.x) < 1e-5 && std::fabs(2 * x.y + y.x - eigenvalues[k] * x.y) < 1e-5);
  }
  GOOD(cusolverDnDestroy(solver));
  cudaFree(matrix), cudaFree(values), cudaFree(info), cudaFree(work);
}

// An incomplete LU factorization of a tridiagonal matrix is its LU factorization.
void incomplete_factors() {
  const int n = 6;
  std::vector<int> rows = {0}, columns;
  std::vector<float> values;
  for (int i = 0; i < n; i++) {
    for (int j = i - 1; j <= i + 1; j++)
      if (j >= 0 && j < n) columns.push_back(j), values.push_back(i == j ? 4.0f + i : j < i ? -1.0f : 0.5f * (i + 1));
    rows.push_back(static_cast<int>(columns.size()));
  }
  const int count = rows[n];
  int *row = on_device(rows), *column = on_device(columns);
  float *value = on_device(values);
  cusparseHandle_t sparse;
  cusparseMatDescr_t form;
  csrilu02Info_t info;
  GOOD(cusparseCreate(&sparse));
  GOOD(cusparseCreateMatDescr(&form));
  GOOD(cusparseCreateCsrilu02Info(&info));
  int bytes = 0;
  void *buffer;
  GOOD(cusparseScsrilu02_bufferSize(sparse, n, count, form, value, row, column, info, &bytes));
  GOOD(cudaMalloc(&buffer, bytes + 1));
  GOOD(cusparseScsrilu02_analysis(sparse, n, count, form, value, row, column, info, CUSPARSE_SOLVE_POLICY_NO_LEVEL, buffer));
  GOOD(cusparseScsrilu02(sparse, n, count, form, value, row, column, info, CUSPARSE_SOLVE_POLICY_NO_LEVEL, buffer));
  GOOD(cudaDeviceSynchronize());
  const std::vector<float> factors = on_host(value, count);
  double pivot = 0;
  for (int i = 0; i < n; i++) {
    const int first = rows[i];
    double below = 0;
    if (i > 0) below = -1 / pivot, EXPECT(std::fabs(factors[first] - below) < 1e-5);
    pivot = 4.0 + i - below * 0.5 * i;
    const int at = first + (i > 0);
    EXPECT(std::fabs(factors[at] - pivot) < 1e-5);
    if (i + 1 < n) EXPECT(factors[at + 1] == values[at + 1]);
  }

  // Another set of values in the same places; a matrix that is only read.
  std::vector<float> ones(n, 1);
  float *x = on_device(ones), *y = on_device(ones), *doubled = on_device(std::vector<float>(count, 2));
  cusparseSpMatDescr_t matrix;
  cusparseDnVecDescr_t in, out;
  GOOD(cusparseCreateCsr(&matrix, n, n, count, row, column, value, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F));
  GOOD(cusparseSpMatSetValues(matrix, doubled));
  GOOD(cusparseCreateDnVec(&in, n, x, CUDA_R_32F));
  GOOD(cusparseCreateDnVec(&out, n, y, CUDA_R_32F));
  const float one = 1, none = 0;
  size_t room = 0;
  void *more;
  const auto multiply = [&](cusparseConstSpMatDescr_t by) {
    GOOD(cusparseSpMV_bufferSize(sparse, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, by, in, &none, out, CUDA_R_32F, CUSPARSE_SPMV_ALG_DEFAULT, &room));
    GOOD(cudaMalloc(&more, room + 1));
    GOOD(cusparseSpMV(sparse, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, by, in, &none, out, CUDA_R_32F, CUSPARSE_SPMV_ALG_DEFAULT, more));
    const std::vector<float> result = on_host(y, n);
    for (int i = 0; i < n; i++) EXPECT(result[i] == 2 * (rows[i + 1] - rows[i]));
    cudaFree(more);
  };
  multiply(matrix);
  cusparseConstSpMatDescr_t only_read;
  GOOD(cusparseCreateConstCsr(&only_read, n, n, count, row, column, doubled, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F));
  multiply(only_read);
  GOOD(cusparseDestroySpMat(matrix));
  GOOD(cusparseDestroySpMat(only_read));
  GOOD(cusparseDestroyDnVec(in));
  GOOD(cusparseDestroyDnVec(out));
  GOOD(cusparseDestroyCsrilu02Info(info));
  GOOD(cusparseDestroyMatDescr(form));
  GOOD(cusparseDestroy(sparse));
  for (void *p : {(void *)row, (void *)column, (void *)value, (void *)x, (void *)y, (void *)doubled, buffer}) cudaFree(p);
}

// Flags that are "reserved for future use".
void flags_that_must_be_zero() {
  int *pinned, *device, *managed;
  GOOD(cudaHostAlloc(&pinned, 8, cudaHostAllocMapped));
  EXPECT(cudaHostGetDevicePointer(&device, pinned, 1) == cudaErrorInvalidValue);
  GOOD(cudaHostGetDevicePointer(&device, pinned, 0));
  GOOD(cudaFreeHost(pinned));
  GOOD(cudaMallocManaged(&managed, 8));
  cudaMemLocation place = {};
  place.type = cudaMemLocationTypeDevice;
  EXPECT(cudaMemPrefetchAsync(managed, 8, place, 1, 0) == cudaErrorInvalidValue);
  GOOD(cudaMemPrefetchAsync(managed, 8, place, 0, 0));
  GOOD(cudaFree(managed));
  int devices = 0;
  GOOD(cudaGetDeviceCount(&devices));
  if (devices > 1) EXPECT(cudaDeviceEnablePeerAccess(1, 1) == cudaErrorInvalidValue);
  cudaGetLastError();
}

// Last: it takes everything away.
void the_primary_context() {
  unsigned flags = 77;
  int active = -1;
  GOOD(cuDevicePrimaryCtxGetState(0, &flags, &active));
  EXPECT(active == 1);
  GOOD(cuDevicePrimaryCtxReset(0));
  GOOD(cuDevicePrimaryCtxSetFlags(0, CU_CTX_SCHED_YIELD));
  GOOD(cuDevicePrimaryCtxGetState(0, &flags, &active));
  EXPECT(flags == CU_CTX_SCHED_YIELD);
  EXPECT(cuDevicePrimaryCtxSetFlags(0, 1 << 20) == CUDA_ERROR_INVALID_VALUE);
}

int main() {
  GOOD(cudaFree(nullptr));
  arrays_and_the_host();
  kernels_of_the_driver_in_graphs();
  pools_and_batches();
  memory_of_graphs();
  ranges_of_managed_memory();
  boxes_between_devices();
  libraries();
  incomplete_factors();
  flags_that_must_be_zero();
  the_primary_context();
  return wrong != 0;
}
