// Lists the devices of this machine.
//
// Section 3.3 of the book. What to look at: cudaGetDeviceCount() returns how many devices there
// are, and cudaGetDeviceProperties() describes one of them. Devices are numbered from 0. The book
// leaves the body of the loop to the reader. This program prints one line per device.
//
//   ./course run enumerate_devices
//   CPU_DEVICE_COUNT=3 ./course run --cpu enumerate_devices   (three CPU devices)

#include <vector>

#include "../common/handle_error.h"
#include "../common/program/device.h"
#include "../common/program/options.h"

// Returns the properties of all devices. Without any device, the first call fails.
std::vector<cudaDeviceProp> all_devices() {
  int count = 0;
  HANDLE_ERROR(cudaGetDeviceCount(&count));
  std::vector<cudaDeviceProp> devices(count);
  for (int i = 0; i < count; i++) HANDLE_ERROR(cudaGetDeviceProperties(&devices[i], i));
  return devices;
}

// Returns whether the properties are those of device `i`, according to its attributes.
bool is_device(const cudaDeviceProp& properties, int i) {
  int major = 0, minor = 0;
  HANDLE_ERROR(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, i));
  HANDLE_ERROR(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, i));
  return properties.name[0] != '\0' && properties.major == major && properties.minor == minor;
}

int main(int argc, char** argv) {
  course::Options("Lists the devices of this machine.").parse(argc, argv);
  const std::vector<cudaDeviceProp> devices = all_devices();
  for (size_t i = 0; i < devices.size(); i++) {
    if (!is_device(devices[i], static_cast<int>(i))) {
      fprintf(stderr, "device %zu: its properties and its attributes differ\n", i);
      return course::kExitWrong;
    }
    printf("device %zu: %s, compute capability %d.%d, %s\n", i, devices[i].name, devices[i].major,
           devices[i].minor,
           course::bytes_in_words(static_cast<double>(devices[i].totalGlobalMem)).c_str());
  }
  return 0;
}
