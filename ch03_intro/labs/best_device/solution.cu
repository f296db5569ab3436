// Which of several devices to take.
#include "book.h"

// The index of the device with the most global memory among those of compute capability
// major.minor or newer; of several the first; -1 if there is none.
int best_device(const cudaDeviceProp* devices, int count, int major, int minor) {
  // SOLUTION BEGIN: a device is new enough if its major is larger, or if the major is the same and the minor is at least as large
  //? int best = -1; a device is better if best is -1, or if its totalGlobalMem is larger
  int best = -1;
  for (int i = 0; i < count; i++) {
    const bool new_enough =
        devices[i].major > major || (devices[i].major == major && devices[i].minor >= minor);
    if (!new_enough) continue;
    if (best < 0 || devices[i].totalGlobalMem > devices[best].totalGlobalMem) best = i;
  }
  return best;
  //| (void)devices, (void)count, (void)major, (void)minor;  // remove this line
  //| return 0;
  // SOLUTION END
}
