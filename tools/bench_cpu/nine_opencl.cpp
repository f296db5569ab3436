// The nine benchmarks of tests/cpu_device/loops/nine_kernels.cu in OpenCL, on a CPU: PoCL, if it is installed.
// Exit code 77 if no OpenCL platform has a CPU.
//
//   g++ -O2 nine_opencl.cpp -lOpenCL -o nine_opencl
#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>

#include <string>

#include "nine.h"

static const char* const kKernels = R"(
#pragma OPENCL FP_CONTRACT OFF
kernel void saxpy(int n, float a, global const float* x, global float* y) {
  int i = get_global_id(0);
  if (i < n) y[i] = a * x[i] + y[i];
}
kernel void stencil(global const float* in, global float* out, int w, int h) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x > 0 && x < w - 1 && y > 0 && y < h - 1)
    out[y * w + x] = 0.25f * (in[y * w + x - 1] + in[y * w + x + 1] + in[(y - 1) * w + x] + in[(y + 1) * w + x]);
}
kernel void product(global const float* a, global float* c, int n, int other) {
  global const float* b = a + other;
  int row = get_global_id(1), col = get_global_id(0);
  if (row < n && col < n) {
    float sum = 0;
    for (int k = 0; k < n; k++) sum += a[row * n + k] * b[k * n + col];
    c[row * n + col] = sum;
  }
}
kernel void product_tiles(global const float* a, global float* c, int n, int other) {
  global const float* b = a + other;
  local float as[16][16], bs[16][16];
  int tx = get_local_id(0), ty = get_local_id(1), row = get_global_id(1), col = get_global_id(0);
  float sum = 0;
  for (int t = 0; t < n / 16; t++) {
    as[ty][tx] = a[row * n + t * 16 + tx];
    bs[ty][tx] = b[(t * 16 + ty) * n + col];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < 16; k++) sum += as[ty][k] * bs[k][tx];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  c[row * n + col] = sum;
}
kernel void julia(global uchar* out, int w, int h) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x >= w || y >= h) return;
  float jx = 1.5f * (w / 2 - x) / (w / 2), jy = 1.5f * (h / 2 - y) / (h / 2);
  int i = 0;
  for (; i < 200; i++) {
    float r = jx * jx - jy * jy - 0.8f, m = 2 * jx * jy + 0.156f;
    jx = r;
    jy = m;
    if (jx * jx + jy * jy > 1000) break;
  }
  out[y * w + x] = i;
}
kernel void bodies(global const float4* p, global float4* f, int n) {
  local float4 tile[256];
  int t = get_local_id(0), i = get_global_id(0);
  float4 me = p[i];
  float fx = 0, fy = 0, fz = 0;
  for (int first = 0; first < n; first += 256) {
    tile[t] = p[first + t];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < 256; k++) {
      float dx = tile[k].x - me.x, dy = tile[k].y - me.y, dz = tile[k].z - me.z;
      float inv = rsqrt(dx * dx + dy * dy + dz * dz + 0.01f);
      float s = tile[k].w * inv * inv * inv;
      fx += dx * s;
      fy += dy * s;
      fz += dz * s;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  f[i] = (float4)(fx, fy, fz, 0);
}
kernel void reduce(global const float* in, global float* out, int n) {
  local float cache[256];
  int tid = get_local_id(0), i = get_global_id(0);
  cache[tid] = i < n ? in[i] : 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int s = get_local_size(0) / 2; s > 0; s /= 2) {
    if (tid < s) cache[tid] += cache[tid + s];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (tid == 0) out[get_group_id(0)] = cache[0];
}
kernel void histogram(global const uchar* data, global uint* out, int n) {
  local uint bins[256];
  int t = get_local_id(0);
  bins[t] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = get_global_id(0); i < n; i += get_global_size(0)) atomic_inc(&bins[data[i]]);
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_add(&out[t], bins[t]);
}
kernel void transpose(global const float* in, global float* out, int n) {
  local float tile[16][17];
  int tx = get_local_id(0), ty = get_local_id(1);
  tile[ty][tx] = in[get_global_id(1) * n + get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[(get_group_id(0) * 16 + ty) * n + get_group_id(1) * 16 + tx] = tile[tx][ty];
}
)";

static void check(cl_int error, const char* what) {
  if (error == CL_SUCCESS) return;
  fprintf(stderr, "%s: OpenCL error %d\n", what, error);
  exit(1);
}

static cl_device_id find_cpu() {
  cl_platform_id platforms[16];
  cl_uint count = 0;
  if (clGetPlatformIDs(16, platforms, &count) != CL_SUCCESS) count = 0;
  for (cl_uint i = 0; i < count; i++) {
    cl_device_id device;
    if (clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_CPU, 1, &device, nullptr) != CL_SUCCESS) continue;
    char version[256] = "";
    clGetDeviceInfo(device, CL_DEVICE_VERSION, sizeof version, version, nullptr);
    fprintf(stderr, "%s\n", version);
    return device;
  }
  fprintf(stderr, "no OpenCL platform has a CPU\n");
  exit(77);
}

static cl_command_queue queue;
static cl_program program;

// What runs a kernel: `arguments` are set, and the grid, and how large its groups are.
struct Launch {
  cl_kernel kernel;
  cl_uint dimensions = 1, arguments = 0;
  size_t grid[2] = {1, 1}, group[2] = {256, 1};
  explicit Launch(const char* name) {
    cl_int error;
    kernel = clCreateKernel(program, name, &error);
    check(error, name);
  }
  template <typename T>
  Launch& with(const T& value) {
    check(clSetKernelArg(kernel, arguments++, sizeof value, &value), "clSetKernelArg");
    return *this;
  }
  Launch& line(size_t threads) {
    grid[0] = threads;
    return *this;
  }
  Launch& square(size_t width) {
    dimensions = 2;
    grid[0] = grid[1] = width;
    group[0] = group[1] = 16;
    return *this;
  }
  void operator()() const {
    check(clEnqueueNDRangeKernel(queue, kernel, dimensions, nullptr, grid, group, 0, nullptr, nullptr), "launch");
    check(clFinish(queue), "clFinish");
  }
};

int main(int argc, char** argv) {
  const auto [w, n, m, j, b] = sizes_of(argc, argv);
  const cl_device_id device = find_cpu();
  cl_int error;
  const cl_context context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &error);
  check(error, "clCreateContext");
  queue = clCreateCommandQueue(context, device, 0, &error);
  check(error, "clCreateCommandQueue");
  const char* text = kKernels;
  program = clCreateProgramWithSource(context, 1, &text, nullptr, &error);
  check(error, "clCreateProgramWithSource");
  if (clBuildProgram(program, 1, &device, "", nullptr, nullptr) != CL_SUCCESS) {
    std::string log(1 << 16, '\0');
    clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, log.size(), log.data(), nullptr);
    fprintf(stderr, "%s\n", log.c_str());
    return 1;
  }
  std::vector<float> host(n);
  for (int i = 0; i < n; i++) host[i] = start_value(i);
  std::vector<unsigned> zero(256);
  const auto buffer = [&](size_t bytes, void* from) {
    const cl_mem memory = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, bytes, from, &error);
    check(error, "clCreateBuffer");
    return memory;
  };
  const cl_mem x = buffer(n * 4ul, host.data()), y = buffer(n * 4ul, host.data()), bins = buffer(1024, zero.data());
  std::vector<unsigned char> got;
  const auto of = [&](cl_mem memory) {
    return [&got, memory](size_t bytes) {
      got.resize(bytes);
      check(clEnqueueReadBuffer(queue, memory, CL_TRUE, 0, bytes, got.data(), 0, nullptr, nullptr), "clEnqueueReadBuffer");
      return got.data();
    };
  };
  measure("saxpy", n * 4ul, Launch("saxpy").with(n).with(2.0f).with(x).with(y).line(n), of(y));
  measure("product", m * m * 4ul, Launch("product").with(x).with(y).with(m).with(n / 4).square(m), of(y));
  measure("product, tiles", m * m * 4ul, Launch("product_tiles").with(x).with(y).with(m).with(n / 4).square(m), of(y));
  measure("Julia set", j * j, Launch("julia").with(y).with(j).with(j).square(j), of(y));
  measure("stencil", n * 4ul, Launch("stencil").with(x).with(y).with(w).with(w).square(w), of(y));
  measure("bodies", b * 16ul, Launch("bodies").with(x).with(y).with(b).line(b), of(y));
  measure("reduction", n / 256 * 4ul, Launch("reduce").with(x).with(y).with(n).line(n), of(y));
  measure("histogram", 1024, Launch("histogram").with(x).with(bins).with(n).line(64 * 256), of(bins));
  measure("transpose", n * 4ul, Launch("transpose").with(x).with(y).with(w).square(w), of(y));
}
