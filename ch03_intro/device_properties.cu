// Prints the properties of each device: the book's 25, and some newer ones.
//
// Section 3.3 of the book. What to look at: five of the 25 are no longer fields of cudaDeviceProp
// in CUDA 13, so the book's program does not compile. They are attributes now, which this program
// reads with cudaDeviceGetAttribute(). It compiles with CUDA 12 and 13. The second column shows a
// GPU of 2008: blocks and grids have grown, a warp is still 32 threads.
//
//   ./course run device_properties
//   ./course run device_properties --device 0

#include <algorithm>
#include <string>
#include <vector>

#include "../common/handle_error.h"
#include "../common/program/device.h"
#include "../common/program/options.h"

struct Row {
  std::string field;  // as the book names it; empty: the row is a heading
  std::string today;  // the value for this device
  std::string then;   // the value of a GeForce GTX 280 (2008, compute capability 1.3)
  std::string how;    // how it is read, if it is no longer a field of cudaDeviceProp
};

// Returns an attribute of the device.
int attribute(cudaDeviceAttr which, int device) {
  int value = 0;
  HANDLE_ERROR(cudaDeviceGetAttribute(&value, which, device));
  return value;
}

std::string text(size_t number) { return std::to_string(number); }
std::string yes_or_no(int flag) { return flag != 0 ? "yes" : "no"; }
std::string extent(const int* sizes, int count) {
  std::string result = std::to_string(sizes[0]);
  for (int i = 1; i < count; i++) result += " x " + std::to_string(sizes[i]);
  return result;
}

std::string compute_mode(int mode) {
  switch (mode) {
    case cudaComputeModeDefault:
      return "default";
    case cudaComputeModeExclusive:
      return "exclusive";
    case cudaComputeModeProhibited:
      return "prohibited";
    case cudaComputeModeExclusiveProcess:
      return "exclusive process";
  }
  return "unknown (" + std::to_string(mode) + ")";
}

// Returns the table: the book's 25 fields by subject, then newer ones that this course uses.
std::vector<Row> describe(const cudaDeviceProp& p, int device) {
  const int layered[] = {attribute(cudaDevAttrMaxTexture2DLayeredWidth, device),
                         attribute(cudaDevAttrMaxTexture2DLayeredHeight, device),
                         attribute(cudaDevAttrMaxTexture2DLayeredLayers, device)};
  const int clock_khz = attribute(cudaDevAttrClockRate, device);
  return {
      {"", "general", "", ""},
      {"name", p.name, "GeForce GTX 280", ""},
      {"major", text(p.major), "1", ""},
      {"minor", text(p.minor), "3", ""},
      {"clockRate", text(clock_khz / 1000) + " MHz", "1296 MHz", "cudaDevAttrClockRate"},
      {"multiProcessorCount", text(p.multiProcessorCount), "30", ""},
      {"deviceOverlap", yes_or_no(attribute(cudaDevAttrGpuOverlap, device)), "yes",
       "cudaDevAttrGpuOverlap, or asyncEngineCount > 0"},
      {"concurrentKernels", yes_or_no(p.concurrentKernels), "no", ""},
      {"kernelExecTimeoutEnabled", yes_or_no(attribute(cudaDevAttrKernelExecTimeout, device)),
       "with a display", "cudaDevAttrKernelExecTimeout"},
      {"computeMode", compute_mode(attribute(cudaDevAttrComputeMode, device)), "default",
       "cudaDevAttrComputeMode"},
      {"integrated", yes_or_no(p.integrated), "no", ""},
      {"canMapHostMemory", yes_or_no(p.canMapHostMemory), "yes", ""},

      {"", "memory", "", ""},
      {"totalGlobalMem", course::bytes_in_words(static_cast<double>(p.totalGlobalMem)), "1.1 GB",
       ""},
      {"totalConstMem", text(p.totalConstMem), "65536", ""},
      {"sharedMemPerBlock", text(p.sharedMemPerBlock), "16384", ""},
      {"regsPerBlock", text(p.regsPerBlock), "16384", ""},
      {"memPitch", text(p.memPitch), "2147483647", ""},
      {"textureAlignment", text(p.textureAlignment), "256", ""},

      {"", "threads and blocks", "", ""},
      {"warpSize", text(p.warpSize), "32", ""},
      {"maxThreadsPerBlock", text(p.maxThreadsPerBlock), "512", ""},
      {"maxThreadsDim", extent(p.maxThreadsDim, 3), "512 x 512 x 64", ""},
      {"maxGridSize", extent(p.maxGridSize, 3), "65535 x 65535 x 1", ""},

      {"", "textures", "", ""},
      {"maxTexture1D", text(p.maxTexture1D), "8192", ""},
      {"maxTexture2D", extent(p.maxTexture2D, 2), "65536 x 32768", ""},
      {"maxTexture3D", extent(p.maxTexture3D, 3), "2048 x 2048 x 2048", ""},
      {"maxTexture2DArray", extent(layered, 3), "8192 x 8192 x 512",
       "cudaDevAttrMaxTexture2DLayeredWidth, ...Height, ...Layers"},

      {"", "not in the book", "", ""},
      {"asyncEngineCount", text(p.asyncEngineCount), "1", ""},
      {"sharedMemPerMultiprocessor", text(p.sharedMemPerMultiprocessor), "16384", ""},
      {"sharedMemPerBlockOptin", text(p.sharedMemPerBlockOptin), "-", ""},
      {"regsPerMultiprocessor", text(p.regsPerMultiprocessor), "16384", ""},
      {"maxThreadsPerMultiProcessor", text(p.maxThreadsPerMultiProcessor), "1024", ""},
      {"memoryBusWidth", text(p.memoryBusWidth) + " bits", "512 bits", ""},
      {"l2CacheSize", text(p.l2CacheSize), "-", ""},
  };
}

// Some properties are both fields and attributes. Returns whether these agree.
bool fields_agree_with_attributes(const cudaDeviceProp& p, int device) {
  const struct {
    const char* field;
    long long value;
    cudaDeviceAttr twin;
  } twins[] = {
      {"major", p.major, cudaDevAttrComputeCapabilityMajor},
      {"minor", p.minor, cudaDevAttrComputeCapabilityMinor},
      {"multiProcessorCount", p.multiProcessorCount, cudaDevAttrMultiProcessorCount},
      {"concurrentKernels", p.concurrentKernels, cudaDevAttrConcurrentKernels},
      {"integrated", p.integrated, cudaDevAttrIntegrated},
      {"canMapHostMemory", p.canMapHostMemory, cudaDevAttrCanMapHostMemory},
      {"totalConstMem", static_cast<long long>(p.totalConstMem), cudaDevAttrTotalConstantMemory},
      {"sharedMemPerBlock", static_cast<long long>(p.sharedMemPerBlock),
       cudaDevAttrMaxSharedMemoryPerBlock},
      {"regsPerBlock", p.regsPerBlock, cudaDevAttrMaxRegistersPerBlock},
      {"memPitch", static_cast<long long>(p.memPitch), cudaDevAttrMaxPitch},
      {"textureAlignment", static_cast<long long>(p.textureAlignment), cudaDevAttrTextureAlignment},
      {"warpSize", p.warpSize, cudaDevAttrWarpSize},
      {"maxThreadsPerBlock", p.maxThreadsPerBlock, cudaDevAttrMaxThreadsPerBlock},
      {"maxThreadsDim[0]", p.maxThreadsDim[0], cudaDevAttrMaxBlockDimX},
      {"maxThreadsDim[1]", p.maxThreadsDim[1], cudaDevAttrMaxBlockDimY},
      {"maxThreadsDim[2]", p.maxThreadsDim[2], cudaDevAttrMaxBlockDimZ},
      {"maxGridSize[0]", p.maxGridSize[0], cudaDevAttrMaxGridDimX},
      {"maxGridSize[1]", p.maxGridSize[1], cudaDevAttrMaxGridDimY},
      {"maxGridSize[2]", p.maxGridSize[2], cudaDevAttrMaxGridDimZ},
  };
  bool agree = true;
  for (const auto& one : twins) {
    const int value = attribute(one.twin, device);
    if (one.value == value) continue;
    fprintf(stderr, "device %d: the field %s is %lld, its attribute %d\n", device, one.field,
            one.value, value);
    agree = false;
  }
  return agree;
}

// Prints the table in columns, then how the former fields are read.
void print(const std::vector<Row>& rows) {
  size_t width = 0;
  for (const Row& row : rows) width = std::max(width, row.today.size());
  for (const Row& row : rows) {
    if (row.field.empty())
      printf("\n%-30s %-*s  in 2008\n", row.today.c_str(), static_cast<int>(width), "this device");
    else
      printf("%s %-28s %-*s  %s\n", row.how.empty() ? " " : "*", row.field.c_str(),
             static_cast<int>(width), row.today.c_str(), row.then.c_str());
  }
  printf("\n* no longer a field of cudaDeviceProp; read by cudaDeviceGetAttribute with:\n");
  for (const Row& row : rows)
    if (!row.how.empty()) printf("  %-28s %s\n", row.field.c_str(), row.how.c_str());
  printf("\n");
}

int main(int argc, char** argv) {
  int only = -1;
  course::Options options("Prints the properties of each device, next to those of a GPU of 2008.");
  options.number("device", &only, -1, 1000000, "device to describe (-1: all of them)");
  options.parse(argc, argv);
  int count = 0;
  HANDLE_ERROR(cudaGetDeviceCount(&count));
  if (only >= count)
    course::bad_usage("there is no device " + std::to_string(only) +
                      ": this machine's devices are 0 to " + std::to_string(count - 1));

  for (int device = 0; device < count; device++) {
    if (only >= 0 && device != only) continue;
    cudaDeviceProp properties;
    HANDLE_ERROR(cudaGetDeviceProperties(&properties, device));
    if (!fields_agree_with_attributes(properties, device)) return course::kExitWrong;

    printf("device %d of %d\n", device, count);
    print(describe(properties, device));
  }
  return 0;
}
