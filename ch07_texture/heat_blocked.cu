// Spreads heat eight steps at a time: one pass over the plate loads and stores each cell once.
//
// Not in the book. One step per pass is memory-bound (heat_fused); several steps per pass are not.
// A warp moves down a strip of the plate, row by row. When row y of the plate arrives, it can
// compute row y - 1 after one step, then row y - 2 after two steps, and so on to row y - 8 after
// eight, which it writes. For each number of steps, only the last two rows are kept, in registers:
// 8 neighboring cells in each thread. What to look at: a cell after eight steps depends on all
// cells up to 8 away. So strips overlap by 8 cells on each side, and the results of their outer
// threads are not used. The temperatures are still those of heat_global, bit for bit.
//
//   ./course run heat_blocked --size 16384 --frames 1 --save heat.png

#include <stdint.h>

#include <utility>

#include "../common/program/device.h"
#include "../common/program/options.h"
#include "../common/program/timing.h"
#include "frozen.h"

constexpr int kSteps = 8;   // per pass: a multiple of 4, at most 8
constexpr int kLanes = 32;  // threads of a warp
constexpr int kWarps = 1;   // per block, each on its own
constexpr int kBlocks = 8;  // on a multiprocessor, at least
constexpr int kWide = 8;    // cells of a thread side by side, 4 or 8
constexpr int kHalo = (kSteps + kWide - 1) / kWide;   // threads on each side that only help
constexpr int kStrip = (kLanes - 2 * kHalo) * kWide;  // cells of a row that a warp completes

typedef float Row[kWide];  // a thread's cells of one row

// A thread's cells of one row after each number of steps, 0 to kSteps - 1.
struct Rows {
  Row after[kSteps];
};

// The cells at both ends of each thread's rows, in each float4 after four successive numbers of
// steps. The threads of a warp exchange them.
struct Ends {
  float4 first[kSteps / 4][kLanes], last[kSteps / 4][kLanes];
};

// Returns the row of the plate that stands for row `y`, which may be beyond the edge: rows are
// mirrored there. That stays exact after each step, because above and below can be exchanged in the
// formula.
__device__ inline int mirrored(int y, int size) {
  if (y >= 0 && y < size) return y;
  const int place = (y % (2 * size) + 2 * size) % (2 * size);
  return place < size ? place : 2 * size - 1 - place;
}

__device__ inline float component(const float4& v, int k) {
  return k == 0 ? v.x : k == 1 ? v.y : k == 2 ? v.z : v.w;
}

// One more row for each number of steps: `arrived` is the new row before the first step and, at the
// end, the one after the last. `above` and `here` are the two rows before; the new one takes the
// place of `above`. `lefts`, `rights`: the neighbors beyond the ends of the thread's cells of
// `here`, kLanes apart. `last`: which of its cells is the last one of its row, or none. kFrozen:
// whether any bit is set.
template <bool kFrozen, bool kWholeThreads>
__device__ inline void advance(Row& arrived, Rows& above, const Rows& here, const float4* lefts,
                               const float4* rights, int last, uint64_t frozen) {
#pragma unroll
  for (int quad = 0; quad < kSteps / 4; quad++) {
    const float4 four_lefts = lefts[quad * kLanes], four_rights = rights[quad * kLanes];
#pragma unroll
    for (int k = 0; k < 4; k++) {
      const int step = 4 * quad + k;
      const Row& middle = here.after[step];
      Row& top = above.after[step];
#pragma unroll
      for (int c = 0; c < kWide; c++) {
        const float left = c > 0 ? middle[c > 0 ? c - 1 : 0] : component(four_lefts, k);
        float right = c < kWide - 1 ? middle[c < kWide - 1 ? c + 1 : c] : component(four_rights, k);
        if (!kWholeThreads && c == last) right = middle[c];
        float next = next_temperature(middle[c], top[c], left, right, arrived[c]);
        if (kFrozen && (frozen >> (8 * step + c) & 1)) next = middle[c];
        top[c] = arrived[c];
        arrived[c] = next;
      }
    }
  }
}

__device__ inline void load(Row& row, const float* cells) {
#pragma unroll
  for (int quad = 0; quad < kWide / 4; quad++) {
    const float4 four = reinterpret_cast<const float4*>(cells)[quad];
    for (int k = 0; k < 4; k++) row[4 * quad + k] = component(four, k);
  }
}

__device__ inline void store(float* cells, const Row& row) {
#pragma unroll
  for (int quad = 0; quad < kWide / 4; quad++)
    reinterpret_cast<float4*>(cells)[quad] =
        make_float4(row[4 * quad], row[4 * quad + 1], row[4 * quad + 2], row[4 * quad + 3]);
}

// `rows` rows for each block, and a strip for each warp. `keep` and `set`: the bits that are taken
// from `frozen`, and those that are set for all; one byte for each step, the lowest byte for the
// first. kWholeThreads: no row ends within a thread's cells.
template <bool kWholeThreads>
__global__ void __launch_bounds__(kWarps* kLanes, kBlocks)
    steps_kernel(float* out, const float* in, const unsigned char* frozen, int size, int row,
                 int rows, uint64_t keep, uint64_t set) {
  __shared__ Ends all_ends[kWarps][2];
  const int lane = threadIdx.x % kLanes, warp = threadIdx.x / kLanes;
  const int strip = blockIdx.x * kWarps + warp;
  if (strip * kStrip >= size) return;
  const int x = strip * kStrip + (lane - kHalo) * kWide;
  const bool present = x >= 0 && x < size;
  const bool complete = present && lane >= kHalo && lane < kLanes - kHalo;
  const int first = blockIdx.y * rows, end = min(first + rows, size);
  // Cells at the plate's edge are their own neighbors. The outermost threads of a warp have none,
  // and their cells do not matter.
  const bool left_edge = x == 0 || lane == 0;
  const bool right_edge = x + kWide == size || lane == kLanes - 1;

  Rows even = {}, odd = {};
  uint64_t bits = 0;  // of the last kSteps rows, the newest in the lowest byte
  // The two rows that come next. A row is loaded while the two before it are worked on, and not
  // touched until then: the first instruction that uses a loaded value waits for it. Threads beyond
  // the edge load the first cells, and ignore them.
  struct {
    Row row;
    unsigned char bits;
  } even_next, odd_next;
  const int loaded = present ? x : 0;
  const auto fetch = [&](int y, auto& next) {
    const size_t place = size_t(mirrored(y, size)) * row + loaded;
    load(next.row, in + place);
    next.bits = frozen[place / kCells];
  };
  // Row y arrives, and row y - kSteps is done.
  const auto process = [&](int y, auto& next, Rows& above, const Rows& here, Ends& ends) {
    Row arrived;
#pragma unroll
    for (int c = 0; c < kWide; c++) arrived[c] = next.row[c];
    const unsigned int arrived_bits = next.bits >> loaded % kCells & ((1 << kWide) - 1);
    fetch(y + 2, next);
#pragma unroll
    for (int quad = 0; quad < kSteps / 4; quad++) {
      const Row* const r = &here.after[4 * quad];
      ends.first[quad][lane] = make_float4(r[0][0], r[1][0], r[2][0], r[3][0]);
      ends.last[quad][lane] =
          make_float4(r[0][kWide - 1], r[1][kWide - 1], r[2][kWide - 1], r[3][kWide - 1]);
    }
    __syncwarp();
    const float4* const lefts = left_edge ? &ends.first[0][lane] : &ends.last[0][lane - 1];
    const float4* const rights = right_edge ? &ends.last[0][lane] : &ends.first[0][lane + 1];
    const uint64_t frozen_now = (bits & keep) | set;
    if (frozen_now != 0)
      advance<true, kWholeThreads>(arrived, above, here, lefts, rights, size - 1 - x, frozen_now);
    else
      advance<false, kWholeThreads>(arrived, above, here, lefts, rights, size - 1 - x, 0);
    bits = bits << 8 | arrived_bits;
    const int done = y - kSteps;
    if (complete && done >= first && done < end) store(out + x + size_t(done) * row, arrived);
  };
  fetch(first - kSteps, even_next);
  fetch(first - kSteps + 1, odd_next);
  // Two rows per turn, so that the row above stays in its registers. Each
  // has its own Ends: a thread that is ahead must not overwrite what others still read.
  for (int y = first - kSteps; y < end + kSteps; y += 2) {
    process(y, even_next, even, odd, all_ends[warp][0]);
    process(y + 1, odd_next, odd, even, all_ends[warp][1]);
  }
}

// The rows for a block. A block loads 2 * kSteps more rows than it completes, so many rows are
// better. But there must be enough blocks to keep all multiprocessors busy to the end.
int rows_per_block(int size, int strips) {
  constexpr int kBest = 192, kFewest = 2 * kSteps;  // kBest: measured on an H200
  const long long rows = 1LL * size * strips / (course::multiprocessors() * kBlocks * kWarps);
  return static_cast<int>(std::clamp<long long>(rows, kFewest, kBest));
}

void run_steps(Plate* p, int steps) {
  if (steps > 0) set_heaters(p);
  const int strips = (p->size + kStrip - 1) / kStrip;
  const int rows = rows_per_block(p->size, strips);
  const dim3 grid((strips + kWarps - 1) / kWarps, (p->size + rows - 1) / rows);
  for (int done = 0; done < steps; done += kSteps) {
    const int now = std::min(kSteps, steps - done);
    // Steps after the last one change nothing. The last one also changes the heaters' cells: the
    // next frame resets them.
    const uint64_t all = ~uint64_t(0);
    const uint64_t set = now < kSteps ? all << (8 * now) : 0;
    const uint64_t keep = done + now < steps ? all : (uint64_t(1) << (8 * (now - 1))) - 1;
    const auto kernel = p->size % kWide == 0 ? steps_kernel<true> : steps_kernel<false>;
    kernel<<<grid, kWarps * kLanes>>>(p->dev_out, p->dev_in, p->dev_frozen, p->size, p->row, rows,
                                      keep, set);
    HANDLE_ERROR(cudaGetLastError());
    std::swap(p->dev_in, p->dev_out);
  }
}
// ---- Checking and timing, not the lesson.

int main(int argc, char** argv) {
  return heat_program(argc, argv, "Heat spreads on a plate, eight steps per pass.");
}
