// Chooses a device that has at least a given compute capability.
//
// Section 3.4 of the book. What to look at: cudaChooseDevice() returns the device that matches
// best, even if none satisfies the requirement. It never reports "none". So the program tests each
// device itself and takes one that satisfies the requirement. Compare the two answers with
// --major 99. (The book requires compute capability 1.3, the first one with double precision.)
//
//   ./course run choose_device
//   ./course run choose_device --major 99

#include <string.h>

#include <string>
#include <vector>

#include "../common/handle_error.h"
#include "../common/program/options.h"

// The requirement.
bool satisfies(const cudaDeviceProp& device, int major, int minor) {
  return device.major > major || (device.major == major && device.minor >= minor);
}

// Returns the index of the device with the most multiprocessors among those that satisfy the
// requirement (the first one if several have as many), or -1 if there is none.
int choose(const std::vector<cudaDeviceProp>& devices, int major, int minor) {
  int best = -1;
  for (int i = 0; i < static_cast<int>(devices.size()); i++)
    if (satisfies(devices[i], major, minor) &&
        (best < 0 || devices[i].multiProcessorCount > devices[best].multiProcessorCount))
      best = i;
  return best;
}

// Returns the device that CUDA itself chooses for the same requirement.
int best_match(int major, int minor) {
  cudaDeviceProp wish;
  memset(&wish, 0, sizeof wish);  // 0: no requirement
  wish.major = major;
  wish.minor = minor;
  int device = -1;
  HANDLE_ERROR(cudaChooseDevice(&device, &wish));
  return device;
}

int current_device() {
  int device = -1;
  HANDLE_ERROR(cudaGetDevice(&device));
  return device;
}

int main(int argc, char** argv) {
  int major = 1, minor = 3;
  course::Options options("Chooses a device by its compute capability.");
  options.number("major", &major, 0, 1000, "required compute capability, major number");
  options.number("minor", &minor, 0, 1000, "required compute capability, minor number");
  options.parse(argc, argv);

  int count = 0;
  HANDLE_ERROR(cudaGetDeviceCount(&count));
  std::vector<cudaDeviceProp> devices(count);
  for (int i = 0; i < count; i++) HANDLE_ERROR(cudaGetDeviceProperties(&devices[i], i));

  printf("current device: %d\n", current_device());
  printf("required: compute capability %d.%d or higher\n", major, minor);
  for (int i = 0; i < count; i++)
    printf("  device %d: %s, compute capability %d.%d: %s\n", i, devices[i].name, devices[i].major,
           devices[i].minor, satisfies(devices[i], major, minor) ? "yes" : "no");

  const int match = best_match(major, minor);
  if (match < 0 || match >= count) {
    fprintf(stderr, "cudaChooseDevice names device %d of %d\n", match, count);
    return course::kExitWrong;
  }
  printf("cudaChooseDevice, the best match:   device %d, which %s\n", match,
         satisfies(devices[match], major, minor) ? "satisfies the requirement"
                                                 : "does not satisfy the requirement");

  const int chosen = choose(devices, major, minor);
  if (chosen < 0) {
    printf("tested one by one:                  none\n");
    course::skip("no device has compute capability " + std::to_string(major) + "." +
                 std::to_string(minor) + " or higher");
  }
  printf("tested one by one:                  device %d\n", chosen);

  HANDLE_ERROR(cudaSetDevice(chosen));
  if (current_device() != chosen) {
    fprintf(stderr, "device %d was set, and device %d is current\n", chosen, current_device());
    return course::kExitWrong;
  }
  printf("current device: %d\n", chosen);
  return 0;
}
