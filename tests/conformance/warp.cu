// Records what warps do together: shuffles, votes, matches and reductions, with many masks and widths.
// A lane that takes no part has the result `--`.
#include "rows.h"

enum class Function {
  idx, up, down, exclusive_or, ballot, any, all, match_any, match_all, add, smallest, largest, both, either, differing,
  signed_smallest, signed_largest, count
};
const char* const names[] = {"__shfl_sync", "__shfl_up_sync", "__shfl_down_sync", "__shfl_xor_sync",
  "__ballot_sync", "__any_sync", "__all_sync", "__match_any_sync", "__match_all_sync", "__reduce_add_sync",
  "__reduce_min_sync", "__reduce_max_sync", "__reduce_and_sync", "__reduce_or_sync", "__reduce_xor_sync",
  "__reduce_min_sync(int)", "__reduce_max_sync(int)"};

// `argument`: of a shuffle its lane or distance, otherwise what the lanes' values are made of.
__global__ void call(Function function, unsigned mask, int width, int argument, unsigned* out, int* taken) {
  const unsigned lane = threadIdx.x;
  if ((mask >> lane & 1) == 0) return;
  const unsigned value = function <= Function::exclusive_or ? lane * 3 + 1 : (lane * 2654435761u + 7) / (1u + argument) % (5 + argument);
  unsigned result = 0;
  int same = -1;
  switch (function) {
    case Function::idx: result = __shfl_sync(mask, value, argument, width); break;
    case Function::up: result = __shfl_up_sync(mask, value, argument, width); break;
    case Function::down: result = __shfl_down_sync(mask, value, argument, width); break;
    case Function::exclusive_or: result = __shfl_xor_sync(mask, value, argument, width); break;
    case Function::ballot: result = __ballot_sync(mask, value % 3 == 0); break;
    case Function::any: result = __any_sync(mask, value == 2) != 0; break;
    case Function::all: result = __all_sync(mask, value != 2) != 0; break;
    case Function::match_any: result = __match_any_sync(mask, value); break;
    case Function::match_all: result = __match_all_sync(mask, argument > 3 ? 5u : value, &same); break;
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
    case Function::add: result = __reduce_add_sync(mask, value); break;
    case Function::smallest: result = __reduce_min_sync(mask, value); break;
    case Function::largest: result = __reduce_max_sync(mask, value); break;
    case Function::both: result = __reduce_and_sync(mask, value | 4); break;
    case Function::either: result = __reduce_or_sync(mask, value); break;
    case Function::differing: result = __reduce_xor_sync(mask, value); break;
    case Function::signed_smallest: result = static_cast<unsigned>(__reduce_min_sync(mask, static_cast<int>(value) - 3)); break;
    case Function::signed_largest: result = static_cast<unsigned>(__reduce_max_sync(mask, static_cast<int>(value) - 3)); break;
#endif
    default: break;
  }
  out[lane] = result;
  taken[lane] = function == Function::match_all ? 2 + same : 1;
}

unsigned* out;
int* taken;

void row(Function function, unsigned mask, int width, int argument) {
  memset(out, 0, 32 * sizeof *out);
  memset(taken, 0, 32 * sizeof *taken);
  call<<<1, 32>>>(function, mask, width, argument, out, taken);
  NEEDED(cudaDeviceSynchronize());
  printf("%s mask %08x width %d argument %d =", names[static_cast<int>(function)], mask, width, argument);
  for (int lane = 0; lane < 32; lane++) {
    if (taken[lane] == 0) {
      printf(" --");
    } else {
      printf(" %x", out[lane]);
      if (function == Function::match_all) printf("/%d", taken[lane] - 2);
    }
  }
  printf("\n");
}

int main() {
  out = results<unsigned>(32);
  taken = results<int>(32);
  const unsigned masks[] = {0xffffffff, 0x1, 0x80000000, 0xffff, 0xffff0000, 0x55555555, 0xaaaaaaaa,
                            0x0f0f0f0f, 0x7fffffff, 0xfffffffe, 0x80000001, 0x12345678, 0xdeadbeef, 0x00018000};
  // A lane outside of the mask, as a source, gives an undefined value: only full masks, and lanes of the mask.
  for (const Function function : {Function::idx, Function::up, Function::down, Function::exclusive_or})
    for (const int width : {2, 4, 8, 16, 32})
      for (const int argument : {0, 1, 2, 3, 5, 7, 8, 15, 16, 17, 30, 31}) row(function, 0xffffffff, width, argument);
  for (const int width : {2, 4, 8, 16, 32})
    for (const int argument : {32, 33, 47, 63, -1, -2, -31}) row(Function::idx, 0xffffffff, width, argument);
  for (const int argument : {32, 40, 63}) {
    row(Function::up, 0xffffffff, 32, argument);
    row(Function::down, 0xffffffff, 32, argument);
  }
  for (const int width : {2, 4, 8, 16})  // halves of a warp on their own
    for (const unsigned mask : {0xffffu, 0xffff0000u})
      for (const int argument : {0, 1, 3, 7})
        for (const Function function : {Function::idx, Function::up, Function::down, Function::exclusive_or})
          if (argument < width) row(function, mask, width, argument);
  for (int function = static_cast<int>(Function::ballot); function < static_cast<int>(Function::count); function++)
    for (const unsigned mask : masks)
      for (const int argument : {0, 1, 2, 3, 6, 20}) row(static_cast<Function>(function), mask, 32, argument);
  return 0;
}
