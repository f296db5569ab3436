// The calls that no other program here makes: those that only report something, those that change nothing here, second forms of a call
// that must do the same as the first, and what few use of the libraries.
#include <cooperative_groups.h>
#include <cublasLt.h>
#include <cublasXt.h>
#include <cublas_v2.h>
#include <cuda.h>
#include <cuda_fp16.h>
#include <cufft.h>
#include <curand.h>
#include <curand_kernel.h>
#include <cusparse.h>
#include <mma.h>
#include <nvtx3/nvToolsExt.h>
#include <nvrtc.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

int wrong = 0;
void failed(int line, const char *what) { wrong++, printf("line %d: %s\n", line, what); }
#define EXPECT(...) ((__VA_ARGS__) ? void() : failed(__LINE__, #__VA_ARGS__))
#define GOOD(...) EXPECT((__VA_ARGS__) == 0)

template <typename T>
T *on_device(const std::vector<T> &values) {
  T *to = nullptr;
  GOOD(cudaMallocManaged(&to, values.size() * sizeof(T)));
  std::copy(values.begin(), values.end(), to);
  return to;
}

bool is(const cudaChannelFormatDesc &f, int x, int y, int z, int w, cudaChannelFormatKind kind) {
  return f.x == x && f.y == y && f.z == z && f.w == w && f.f == kind;
}
void channels_and_arrays() {
  EXPECT(is(cudaCreateChannelDescHalf(), 16, 0, 0, 0, cudaChannelFormatKindFloat));
  EXPECT(is(cudaCreateChannelDescHalf1(), 16, 0, 0, 0, cudaChannelFormatKindFloat));
  EXPECT(is(cudaCreateChannelDescHalf2(), 16, 16, 0, 0, cudaChannelFormatKindFloat));
  EXPECT(is(cudaCreateChannelDescHalf4(), 16, 16, 16, 16, cudaChannelFormatKindFloat));
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<short2>();
  EXPECT(is(format, 16, 16, 0, 0, cudaChannelFormatKindSigned) && is(cudaCreateChannelDesc<float4>(), 32, 32, 32, 32, cudaChannelFormatKindFloat));
  cudaArray_t from, to;
  cudaStream_t stream;
  GOOD(cudaStreamCreate(&stream));
  GOOD(cudaMallocArray(&from, &format, 8, 4));
  GOOD(cudaMallocArray(&to, &format, 8, 4));
  cudaChannelFormatDesc said = {};
  cudaArray_t box_array;  // with no flags unless they are said
  cudaExtent extent = {};
  unsigned flags = 99;
  GOOD(cudaMalloc3DArray(&box_array, &format, make_cudaExtent(3, 4, 5)));
  GOOD(cudaArrayGetInfo(&said, &extent, &flags, box_array));
  EXPECT(flags == cudaArrayDefault && extent.width == 3 && extent.height == 4 && extent.depth == 5);
  GOOD(cudaFreeArray(box_array));
  GOOD(cudaGetChannelDesc(&said, from));
  EXPECT(is(said, 16, 16, 0, 0, cudaChannelFormatKindSigned));
  std::vector<unsigned> in(32), out(32, 7), part(5, 7);
  for (unsigned i = 0; i < 32; i++) in[i] = 1000 + i;
  // A run of bytes that goes on in the next row: from (12 bytes, row 1), 5 elements of 4 bytes.
  GOOD(cudaMemcpyToArrayAsync(from, 0, 0, in.data(), 128, cudaMemcpyHostToDevice, stream));
  GOOD(cudaMemcpyToArrayAsync(to, 0, 0, out.data(), 128, cudaMemcpyHostToDevice, stream));
  GOOD(cudaMemcpyFromArrayAsync(part.data(), from, 20, 1, 20, cudaMemcpyDeviceToHost, stream));
  GOOD(cudaStreamSynchronize(stream));
  for (unsigned i = 0; i < 5; i++) EXPECT(part[i] == 1000 + 8 + 5 + i);
  GOOD(cudaMemcpyArrayToArray(to, 8, 3, from, 4, 2, 16));
  GOOD(cudaMemcpyFromArrayAsync(out.data(), to, 0, 0, 128, cudaMemcpyDeviceToHost, stream));
  GOOD(cudaStreamSynchronize(stream));
  for (unsigned i = 0; i < 32; i++) EXPECT(out[i] == (i >= 26 && i < 30 ? 1000 + 17 + i - 26 : 7));
  // The same box as cudaMemcpy3DPeer() copies, in a stream.
  unsigned char *source = on_device(std::vector<unsigned char>(64)), *target = on_device(std::vector<unsigned char>(64, 0xee));
  for (int i = 0; i < 64; i++) source[i] = static_cast<unsigned char>(i);
  cudaMemcpy3DPeerParms box = {};
  box.srcPtr = make_cudaPitchedPtr(source, 8, 8, 4), box.dstPtr = make_cudaPitchedPtr(target, 16, 16, 2);
  box.srcPos = make_cudaPos(1, 2, 0), box.dstPos = make_cudaPos(3, 0, 1), box.extent = make_cudaExtent(5, 2, 1);
  GOOD(cudaMemcpy3DPeerAsync(&box, stream));
  GOOD(cudaStreamSynchronize(stream));
  for (int i = 0; i < 64; i++) {
    const int x = i % 16 - 3, y = i / 16 % 2;
    EXPECT(target[i] == (i >= 32 && x >= 0 && x < 5 ? (y + 2) * 8 + x + 1 : 0xee));
  }
  cudaFree(source), cudaFree(target), cudaFreeArray(from), cudaFreeArray(to), cudaStreamDestroy(stream);
}

__global__ void nothing() {}
void settings() {
  cudaEvent_t event;
  cudaStream_t stream, other;
  GOOD(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));  // so that it matters in which stream the event is
  GOOD(cudaStreamCreate(&other));
  GOOD(cudaEventCreate(&event));
  volatile int done = 0;
  GOOD(cudaLaunchHostFunc(stream, [](void *is_done) { usleep(20000), *static_cast<volatile int *>(is_done) = 1; }, const_cast<int *>(&done)));
  GOOD(cudaEventRecordWithFlags(event, stream, cudaEventRecordDefault));
  GOOD(cudaEventSynchronize(event));
  EXPECT(done == 1);
  cudaStreamAttrValue value = {};
  for (int policy = 0; policy < 6; policy++) {
    value.syncPolicy = static_cast<cudaSynchronizationPolicy>(policy);
    const bool exists = policy >= cudaSyncPolicyAuto && policy <= cudaSyncPolicyBlockingSync;
    EXPECT(cudaStreamSetAttribute(stream, cudaLaunchAttributeSynchronizationPolicy, &value) ==
           (exists ? cudaSuccess : cudaErrorInvalidValue));
    EXPECT(cudaGetLastError() == (exists ? cudaSuccess : cudaErrorInvalidValue));
    GOOD(cudaStreamGetAttribute(stream, cudaLaunchAttributeSynchronizationPolicy, &value));
    EXPECT(value.syncPolicy == (policy == 0 ? -1 : std::min(policy, 4)));  // as on an H200: none until one is set
  }
  GOOD(cudaStreamCopyAttributes(other, stream));
  GOOD(cudaStreamGetAttribute(other, cudaLaunchAttributeSynchronizationPolicy, &value));
  EXPECT(value.syncPolicy == cudaSyncPolicyBlockingSync);
  int *managed = on_device(std::vector<int>(4, 5));
  GOOD(cudaStreamAttachMemAsync(stream, managed, 0, cudaMemAttachGlobal));
  GOOD(cudaStreamSynchronize(stream));
  cudaFree(managed);
  cudaSharedMemConfig config = cudaSharedMemBankSizeEightByte;
  GOOD(cudaDeviceSetSharedMemConfig(cudaSharedMemBankSizeFourByte));
  GOOD(cudaDeviceGetSharedMemConfig(&config));
  EXPECT(config == cudaSharedMemBankSizeFourByte);
  GOOD(cudaFuncSetSharedMemConfig(nothing, cudaSharedMemBankSizeEightByte));
  cudaFuncCache cache = cudaFuncCachePreferShared;
  GOOD(cudaDeviceGetCacheConfig(&cache));
  EXPECT(cache == cudaFuncCachePreferNone);
  int device = 0, blocks = -1, size = -1, threads = -1, fewest = -1;
  GOOD(cudaSetValidDevices(&device, 1));
  cudaLaunchAttribute cluster = {};
  cluster.id = cudaLaunchAttributeClusterDimension, cluster.val.clusterDim = {2, 1, 1};
  cudaLaunchConfig_t how = {};
  how.gridDim = 4, how.blockDim = 32, how.attrs = &cluster, how.numAttrs = 1;
  GOOD(cudaOccupancyMaxActiveClusters(&blocks, nothing, &how));
  GOOD(cudaOccupancyMaxPotentialClusterSize(&size, nothing, &how));
  EXPECT(blocks > 0 && size == 8);
  // A second form of a call gives what the first one does.
  const auto bytes = [](int block) { return size_t(block) * 64; };
  int same_threads = -2, same_fewest = -2;
  GOOD(cudaOccupancyMaxPotentialBlockSizeVariableSMem(&fewest, &threads, nothing, bytes, 512));
  GOOD(cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(&same_fewest, &same_threads, nothing, bytes, 512, cudaOccupancyDefault));
  EXPECT(fewest == same_fewest && threads == same_threads && threads > 0 && threads <= 512);
  cudaMemPool_t pool, default_pool;
  cudaMemLocation here = {};
  here.type = cudaMemLocationTypeDevice;
  GOOD(cudaDeviceGetDefaultMemPool(&default_pool, 0));
  GOOD(cudaMemGetDefaultMemPool(&pool, &here, cudaMemAllocationTypePinned));
  EXPECT(pool == default_pool);
  CUmemoryPool of_driver;
  CUmemLocation there = {};
  there.type = CU_MEM_LOCATION_TYPE_DEVICE;
  GOOD(cuMemGetDefaultMemPool(&of_driver, &there, CU_MEM_ALLOCATION_TYPE_PINNED));
  EXPECT(of_driver == default_pool);
  cudaMemAccessFlags access = cudaMemAccessFlagsProtNone;
  const cudaMemAccessDesc wanted = {here, cudaMemAccessFlagsProtReadWrite};
  GOOD(cudaMemPoolSetAccess(pool, &wanted, 1));
  GOOD(cudaMemPoolGetAccess(&access, pool, &here));
  EXPECT(access == cudaMemAccessFlagsProtReadWrite);
  unsigned long long used = 99;
  GOOD(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent, &used));
  EXPECT(used == 0);
  used = 0;
  GOOD(cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrUsedMemHigh, &used));
  // Memory of other processes.
  cudaIpcMemHandle_t memory = {};
  cudaIpcEventHandle_t of_event = {};
  void *got = nullptr;
#ifdef __CPU_DEVICE__
  EXPECT(cudaIpcGetMemHandle(&memory, managed) == cudaErrorNotSupported && cudaIpcGetEventHandle(&of_event, event) == cudaErrorNotSupported);
  EXPECT(cudaIpcOpenMemHandle(&got, memory, cudaIpcMemLazyEnablePeerAccess) == cudaErrorNotSupported && got == nullptr);
  EXPECT(cudaIpcCloseMemHandle(nullptr) == cudaErrorNotSupported && cudaIpcOpenEventHandle(&event, of_event) == cudaErrorNotSupported);
  GOOD(cudaThreadSynchronize());
#endif
  (void)memory, (void)of_event, (void)got;
  cudaGetLastError();
  cudaEventDestroy(event), cudaStreamDestroy(stream), cudaStreamDestroy(other);
}

__device__ int wrong_in_kernels;
#define IN_KERNEL(...) ((__VA_ARGS__) ? void() : (atomicAdd(&wrong_in_kernels, 1), void(printf("line %d: %s\n", __LINE__, #__VA_ARGS__))))
__global__ void functions() {
  for (unsigned i = 0; i < 200; i++) {
    const unsigned x = i * 2654435761u;
    const unsigned long long wide = x * 11400714819323198485ull;
    unsigned long long turned = 0;
    for (int byte = 0; byte < 8; byte++) turned |= (wide >> 8 * byte & 255) << 8 * (7 - byte);
    IN_KERNEL(__nv_bswap64(wide) == turned && __nv_bswap32(x) == __byte_perm(x, 0, 0x0123));
    IN_KERNEL(__nv_bswap16(static_cast<unsigned short>(x)) == static_cast<unsigned short>((x & 255) << 8 | (x >> 8 & 255)));
    // The nearest number of 10 bits of fraction.
    const float value = __uint_as_float((x & 0x807fffffu) | (100 + i % 50) << 23);
    const unsigned bits = __float_as_uint(nvcuda::wmma::__float_to_tf32(value));
    IN_KERNEL((bits & 0x1fff) == 0 && (bits >> 31) == (x >> 31));
    const double off = fabs(double(__uint_as_float(bits)) - value), step = ldexp(1.0, int(100 + i % 50) - 127 - 10);
    IN_KERNEL(off <= step / 2);
    IN_KERNEL(__double2float_rn(1.0 + i * 0x1p-30) == static_cast<float>(1.0 + i * 0x1p-30));
  }
  // A carry over all four words of the counter: the last numbers of sequence 2^32 - 1, then those of sequence 2^32.
  curandStatePhilox4_32_10_t last, next;
  curand_init(5, 0xffffffffull, 0, &last), curand_init(5, 0x100000000ull, 0, &next);
  for (int i = 0; i < 4; i++) skipahead(0xfffffffffffffffcull, &last);
  for (int i = 0; i < 12; i++) curand(&last);
  for (int i = 0; i < 4; i++) curand(&last);
  for (int i = 0; i < 8; i++) IN_KERNEL(curand(&last) == curand(&next));
  const auto all = cooperative_groups::coalesced_threads();
  IN_KERNEL(all.meta_group_rank() == 0 && all.meta_group_size() == 1 && all.size() == 1);
  curandStatePhilox4_32_10_t one, two;
  curand_init(5, 6, 7, &one), curand_init(5, 6, 7, &two);
  for (int i = 0; i < 10; i++) {
    // Two numbers make each of two doubles, and one number makes a double alone.
    const double2 both = curand_uniform2_double(&one);
    const unsigned a = curand(&two), b = curand(&two), c = curand(&two), d = curand(&two);
    IN_KERNEL(both.x == (a ^ (unsigned long long)b << 21) * 0x1p-53 + 0x1p-54);
    IN_KERNEL(both.y == (c ^ (unsigned long long)d << 21) * 0x1p-53 + 0x1p-54);
    const double alone = curand_uniform_double(&one);
    IN_KERNEL(alone == curand(&two) * 0x1p-32 + 0x1p-32);
  }
}

void transforms() {
  // Sizes of 64 bits: the same as with 32. Two transforms of 3 x 4 elements, apart, with gaps.
  long long n[] = {3, 4}, in_box[] = {3, 5}, out_box[] = {4, 6};
  int n32[] = {3, 4}, in_box32[] = {3, 5}, out_box32[] = {4, 6};
  const int size = 2 * 64;
  std::vector<cufftComplex> values(size);
  for (int i = 0; i < size; i++) values[i] = {float(i % 7) - 3, float(i % 5)};
  cufftComplex *in = on_device(values), *out[] = {on_device(std::vector<cufftComplex>(size)), on_device(std::vector<cufftComplex>(size))};
  cufftHandle plan[2];
  size_t work = 77;
  for (int wide = 0; wide < 2; wide++) {
    GOOD(cufftCreate(&plan[wide]));
    GOOD(cufftSetAutoAllocation(plan[wide], 1));
    if (wide)
      GOOD(cufftMakePlanMany64(plan[1], 2, n, in_box, 2, 31, out_box, 1, 25, CUFFT_C2C, 2, &work));
    else
      GOOD(cufftMakePlanMany(plan[0], 2, n32, in_box32, 2, 31, out_box32, 1, 25, CUFFT_C2C, 2, &work));
    GOOD(cufftExecC2C(plan[wide], in, out[wide], CUFFT_FORWARD));
    GOOD(cudaDeviceSynchronize());
    GOOD(cufftDestroy(plan[wide]));
  }
  EXPECT(memcmp(out[0], out[1], size * sizeof(cufftComplex)) == 0 && out[0][0].x != 0);
  GOOD(cufftCreate(&plan[0]));
  GOOD(cufftMakePlanMany64(plan[0], 2, n, nullptr, 1, 12, nullptr, 1, 12, CUFFT_C2C, 2, &work));
  GOOD(cufftExecC2C(plan[0], in, out[0], CUFFT_INVERSE));
  GOOD(cudaDeviceSynchronize());
  for (int b = 0; b < 2; b++) {
    cufftComplex sum = {0, 0};
    for (int i = 0; i < 12; i++) sum.x += values[b * 12 + i].x, sum.y += values[b * 12 + i].y;
    EXPECT(std::fabs(out[0][b * 12].x - sum.x) < 1e-4f && std::fabs(out[0][b * 12].y - sum.y) < 1e-4f);
  }
  GOOD(cufftGetSize(plan[0], &work));
  GOOD(cufftDestroy(plan[0]));
  for (int rank : {0, 4}) {
    GOOD(cufftCreate(&plan[0]));
    EXPECT(cufftMakePlanMany64(plan[0], rank, n, nullptr, 1, 12, nullptr, 1, 12, CUFFT_C2C, 2, &work) != CUFFT_SUCCESS);
    cufftDestroy(plan[0]);
  }
#ifdef __CPU_DEVICE__
  long long large[] = {(1ll << 32) + 3, 4};
  GOOD(cufftCreate(&plan[0]));
  EXPECT(cufftMakePlanMany64(plan[0], 2, large, nullptr, 1, 12, nullptr, 1, 12, CUFFT_C2C, 2, &work) == CUFFT_INVALID_SIZE);
  GOOD(cufftSetWorkArea(plan[0], nullptr));
  cufftDestroy(plan[0]);
  const auto is_none = [&](cufftResult result) { return result == CUFFT_SUCCESS && work == 0 && (work = 77); };
  work = 77;
  EXPECT(is_none(cufftEstimate1d(8, CUFFT_C2C, 1, &work)) && is_none(cufftEstimate2d(8, 8, CUFFT_R2C, &work)) && is_none(cufftEstimate3d(8, 8, 8, CUFFT_D2Z, &work)));
#endif
  int version = 0;
  GOOD(cufftGetVersion(&version));
  EXPECT(version >= 10000);
  cudaFree(in), cudaFree(out[0]), cudaFree(out[1]);
}

// Matrices and vectors that are only read; a look at the matrix before the product. {{0, 2, 0}, {3, 0, 5}}
void sparse_that_is_only_read() {
  cusparseHandle_t sparse;
  int version = 0;
  GOOD(cusparseCreate(&sparse));
  GOOD(cusparseGetVersion(sparse, &version));
  EXPECT(version >= 10000);
  int *starts = on_device<int>({0, 1, 3}), *columns = on_device<int>({1, 0, 2});
  double *values = on_device<double>({2, 3, 5}), *x = on_device<double>({1, 10, 100}), *y = on_device<double>({7, 8});
  double *b = on_device<double>({1, 2, 3, 4, 5, 6}), *c = on_device<double>({1, 1, 1, 1}), one = 2, half = 0.5;
  cusparseSpMatDescr_t matrix;
  cusparseConstDnVecDescr_t in;
  cusparseDnVecDescr_t out;
  cusparseConstDnMatDescr_t right;
  cusparseDnMatDescr_t product;
  const auto op = CUSPARSE_OPERATION_NON_TRANSPOSE;
  GOOD(cusparseCreateCsr(&matrix, 2, 3, 3, starts, columns, values, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_64F));
  GOOD(cusparseCreateConstDnVec(&in, 3, x, CUDA_R_64F));
  GOOD(cusparseCreateDnVec(&out, 2, y, CUDA_R_64F));
  size_t bytes = 0;
  void *buffer = nullptr;
  GOOD(cusparseSpMV_bufferSize(sparse, op, &one, matrix, in, &half, out, CUDA_R_64F, CUSPARSE_SPMV_CSR_ALG1, &bytes));
  GOOD(cudaMalloc(&buffer, bytes + 1));
  GOOD(cusparseSpMV_preprocess(sparse, op, &one, matrix, in, &half, out, CUDA_R_64F, CUSPARSE_SPMV_CSR_ALG1, buffer));
  GOOD(cudaDeviceSynchronize());
  EXPECT(y[0] == 7 && y[1] == 8);
  GOOD(cusparseSpMV(sparse, op, &one, matrix, in, &half, out, CUDA_R_64F, CUSPARSE_SPMV_CSR_ALG1, buffer));
  GOOD(cudaDeviceSynchronize());
  EXPECT(y[0] == 2 * 20 + 3.5 && y[1] == 2 * 503 + 4);
  cudaFree(buffer);
  for (const auto order : {CUSPARSE_ORDER_ROW, CUSPARSE_ORDER_COL}) {  // B of 3 x 2, rows or columns one after the other
    const bool by_rows = order == CUSPARSE_ORDER_ROW;
    GOOD(cusparseCreateConstDnMat(&right, 3, 2, by_rows ? 2 : 3, b, CUDA_R_64F, order));
    GOOD(cusparseCreateDnMat(&product, 2, 2, 2, c, CUDA_R_64F, order));
    for (int i = 0; i < 4; i++) c[i] = 1;
    GOOD(cusparseSpMM_bufferSize(sparse, op, op, &one, matrix, right, &half, product, CUDA_R_64F, CUSPARSE_SPMM_CSR_ALG1, &bytes));
    GOOD(cudaMalloc(&buffer, bytes + 1));
    GOOD(cusparseSpMM_preprocess(sparse, op, op, &one, matrix, right, &half, product, CUDA_R_64F, CUSPARSE_SPMM_CSR_ALG1, buffer));
    GOOD(cudaDeviceSynchronize());
    EXPECT(c[0] == 1 && c[3] == 1);
    GOOD(cusparseSpMM(sparse, op, op, &one, matrix, right, &half, product, CUDA_R_64F, CUSPARSE_SPMM_CSR_ALG1, buffer));
    GOOD(cudaDeviceSynchronize());
    for (int i = 0; i < 2; i++)
      for (int j = 0; j < 2; j++) {
        const auto at = [&](int row) { return by_rows ? b[row * 2 + j] : b[row + j * 3]; };
        EXPECT(c[by_rows ? i * 2 + j : i + j * 2] == 2 * (i == 0 ? 2 * at(1) : 3 * at(0) + 5 * at(2)) + 0.5);
      }
    GOOD(cusparseDestroyDnMat(right));
    GOOD(cusparseDestroyDnMat(product));
    cudaFree(buffer);
  }
  cusparseMatDescr_t form;
  GOOD(cusparseCreateMatDescr(&form));
  EXPECT(cusparseGetMatType(form) == CUSPARSE_MATRIX_TYPE_GENERAL && cusparseGetMatIndexBase(form) == CUSPARSE_INDEX_BASE_ZERO);
  GOOD(cusparseSetMatFillMode(form, CUSPARSE_FILL_MODE_UPPER));
  GOOD(cusparseSetMatDiagType(form, CUSPARSE_DIAG_TYPE_UNIT));
  GOOD(cusparseSetMatIndexBase(form, CUSPARSE_INDEX_BASE_ONE));
  EXPECT(cusparseGetMatType(form) == CUSPARSE_MATRIX_TYPE_GENERAL && cusparseGetMatIndexBase(form) == CUSPARSE_INDEX_BASE_ONE);
#ifdef __CPU_DEVICE__  // what is no form, and no value of one
  for (cusparseMatDescr_t it : {(cusparseMatDescr_t) nullptr, form}) {
    EXPECT((cusparseSetMatType(it, CUSPARSE_MATRIX_TYPE_SYMMETRIC) == CUSPARSE_STATUS_INVALID_VALUE) == (it == nullptr));
    EXPECT((cusparseSetMatFillMode(it, CUSPARSE_FILL_MODE_UPPER) == CUSPARSE_STATUS_INVALID_VALUE) == (it == nullptr));
    EXPECT((cusparseSetMatDiagType(it, CUSPARSE_DIAG_TYPE_UNIT) == CUSPARSE_STATUS_INVALID_VALUE) == (it == nullptr));
    EXPECT((cusparseSetMatIndexBase(it, CUSPARSE_INDEX_BASE_ONE) == CUSPARSE_STATUS_INVALID_VALUE) == (it == nullptr));
    EXPECT(cusparseSetMatType(it, (cusparseMatrixType_t)4) == CUSPARSE_STATUS_INVALID_VALUE);
    EXPECT(cusparseSetMatFillMode(it, (cusparseFillMode_t)2) == CUSPARSE_STATUS_INVALID_VALUE);
    EXPECT(cusparseSetMatDiagType(it, (cusparseDiagType_t)-1) == CUSPARSE_STATUS_INVALID_VALUE);
    EXPECT(cusparseSetMatIndexBase(it, (cusparseIndexBase_t)2) == CUSPARSE_STATUS_INVALID_VALUE);
  }
  EXPECT(cusparseGetMatType(form) == CUSPARSE_MATRIX_TYPE_SYMMETRIC && cusparseGetMatType(nullptr) == CUSPARSE_MATRIX_TYPE_GENERAL);
  EXPECT(cusparseCreateMatDescr(nullptr) == CUSPARSE_STATUS_INVALID_VALUE && cusparseGetMatIndexBase(nullptr) == CUSPARSE_INDEX_BASE_ZERO);
#endif
  GOOD(cusparseDestroyMatDescr(form));
  GOOD(cusparseDestroySpMat(matrix));
  GOOD(cusparseDestroyDnVec(in));
  GOOD(cusparseDestroyDnVec(out));
  GOOD(cusparseDestroy(sparse));
  for (void *p : {(void *)starts, (void *)columns, (void *)values, (void *)x, (void *)y, (void *)b, (void *)c}) cudaFree(p);
}

void versions_and_ranges() {
  cublasHandle_t blas;
  int version = 0, major = 0, minor = 0;
  GOOD(cublasCreate(&blas));
  GOOD(cublasGetVersion(blas, &version));
  EXPECT(version == CUBLAS_VERSION && cublasLtGetVersion() == size_t(CUBLAS_VERSION));
  GOOD(cublasSetWorkspace(blas, nullptr, 0));
  GOOD(cublasDestroy(blas));
  GOOD(curandGetVersion(&version));
  EXPECT(version == CURAND_VERSION);
  GOOD(nvrtcVersion(&major, &minor));
  EXPECT(major == CUDA_VERSION / 1000 && minor == CUDA_VERSION % 1000 / 10);
  curandGenerator_t generator;
  unsigned first[8] = {}, second[8] = {};
  GOOD(curandCreateGeneratorHost(&generator, CURAND_RNG_PSEUDO_XORWOW));
  GOOD(curandSetGeneratorOrdering(generator, CURAND_ORDERING_PSEUDO_DEFAULT));
  GOOD(curandGenerateSeeds(generator));
  GOOD(curandGenerate(generator, first, 8));
  GOOD(curandSetGeneratorOffset(generator, 0));
  GOOD(curandGenerate(generator, second, 8));
  EXPECT(memcmp(first, second, sizeof first) == 0 && first[0] != first[1]);
  GOOD(curandDestroyGenerator(generator));
  cublasXtHandle_t xt;
  int size = 0;
  GOOD(cublasXtCreate(&xt));
  GOOD(cublasXtSetPinningMemMode(xt, CUBLASXT_PINNING_ENABLED));
  GOOD(cublasXtSetBlockDim(xt, 640));
  GOOD(cublasXtGetBlockDim(xt, &size));
  EXPECT(size == 640);
  GOOD(cublasXtDestroy(xt));
#ifdef __CPU_DEVICE__  // as without a profiler
  const nvtxEventAttributes_t event = {};
  const int none = NVTX_NO_PUSH_POP_TRACKING;
  EXPECT(nvtxRangePushA("a") == none && nvtxRangePushW(L"a") == none && nvtxRangePushEx(&event) == none && nvtxRangePop() == none);
  EXPECT(nvtxDomainRangePushEx(nullptr, &event) == none && nvtxDomainRangePop(nullptr) == none);
  EXPECT(nvtxRangeStartA("a") == 0 && nvtxRangeStartW(L"a") == 0 && nvtxRangeStartEx(&event) == 0 && nvtxDomainRangeStartEx(nullptr, &event) == 0);
  EXPECT(nvtxDomainCreateA("a") == nullptr && nvtxDomainCreateW(L"a") == nullptr && nvtxDomainRegisterStringA(nullptr, "a") == nullptr && nvtxDomainRegisterStringW(nullptr, L"a") == nullptr);
#endif
}

int main() {
  GOOD(cuInit(0));
  channels_and_arrays();
  settings();
  functions<<<1, 1>>>();
  GOOD(cudaDeviceSynchronize());
  int more = 1;
  GOOD(cudaMemcpyFromSymbol(&more, wrong_in_kernels, sizeof more));
  wrong += more;
  transforms();
  sparse_that_is_only_read();
  versions_and_ranges();
  printf("%d wrong\n", wrong);
  return wrong != 0;
}
