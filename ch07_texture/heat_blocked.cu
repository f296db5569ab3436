// Heat that spreads faster than memory: eight steps for one reading and one writing of the plate.
//
// Not in the book. Where a step per pass is limited by memory (heat_fused), several steps per pass
// are not. A warp goes down a strip of the plate, row by row. When row y of the plate arrives, row
// y - 1 after one step can be computed, then row y - 2 after two steps, and so on to row y - 8
// after eight, which is written. For each number of steps only the last two rows are kept, in
// registers: 8 cells side by side in each thread. What to look at: a cell after eight steps depends
// on all cells up to 8 away, so strips overlap by 8 cells on each side, and what their outer
// threads compute is not used; the temperatures are still those of heat_global, bit for bit.
//
//   ./course run heat_blocked --size 16384 --frames 1 --save heat.png

#include <stdint.h>

#include "../common/device.h"
#include "../common/options.h"
#include "../common/timing.h"
#include "frozen.h"

constexpr int kSteps = 8;   // per pass; a multiple of 4, one byte of bits each
constexpr int kLanes = 32;  // threads of a warp
constexpr int kWarps = 4;   // per block, each on its own
constexpr int kHalo = (kSteps + kCells - 1) / kCells;  // threads on each side that only help
constexpr int kStrip = (kLanes - 2 * kHalo) * kCells;  // cells of a row that a warp completes

typedef float Row[kCells];  // a thread's cells of one row

// What the last two rows after 0 to kSteps - 1 steps hold.
struct Rows {
  Row after[kSteps];
};

// The cells at the ends of a thread's rows, for its neighbors, four numbers of steps at a time.
struct Ends {
  float4 first[kSteps / 4][kLanes], last[kSteps / 4][kLanes];
};

// Row `y` of an endless plate that is mirrored at its edges. Beyond the edge it is as warm as at the
// edge, and a mirror image stays one: above and below can change places in the formula.
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
// place of `above`. `x`: the thread's first cell. kFrozen: whether any of the bits is set.
template <bool kFrozen, bool kWholeLanes>
__device__ inline void advance(Row& arrived, Rows& above, const Rows& here, const Ends& ends,
                               int lane, int x, int size, uint64_t frozen) {
#pragma unroll
  for (int quad = 0; quad < kSteps / 4; quad++) {
    // The outermost threads have no neighbor there, and their cells do not matter.
    const float4 lefts = ends.last[quad][max(lane - 1, 0)];
    const float4 rights = ends.first[quad][min(lane + 1, kLanes - 1)];
#pragma unroll
    for (int k = 0; k < 4; k++) {
      const int step = 4 * quad + k;
      const Row& middle = here.after[step];
      Row& top = above.after[step];
      const float before = x == 0 ? middle[0] : component(lefts, k);
      const float beyond = x + kCells == size ? middle[kCells - 1] : component(rights, k);
#pragma unroll
      for (int c = 0; c < kCells; c++) {
        const float left = c > 0 ? middle[c > 0 ? c - 1 : 0] : before;
        float right = c < kCells - 1 ? middle[c < kCells - 1 ? c + 1 : c] : beyond;
        if (!kWholeLanes && x + c == size - 1) right = middle[c];
        float next = next_temperature(middle[c], top[c], left, right, arrived[c]);
        if (kFrozen && (frozen >> (8 * step + c) & 1)) next = middle[c];
        top[c] = arrived[c];
        arrived[c] = next;
      }
    }
  }
}

__device__ inline void load(Row& row, const float* cells, bool present) {
  const float4 none = make_float4(0, 0, 0, 0);
  const float4* const quads = reinterpret_cast<const float4*>(cells);
  const float4 a = present ? quads[0] : none, b = present ? quads[1] : none;
  row[0] = a.x, row[1] = a.y, row[2] = a.z, row[3] = a.w;
  row[4] = b.x, row[5] = b.y, row[6] = b.z, row[7] = b.w;
}

__device__ inline void store(float* cells, const Row& row) {
  float4* const quads = reinterpret_cast<float4*>(cells);
  quads[0] = make_float4(row[0], row[1], row[2], row[3]);
  quads[1] = make_float4(row[4], row[5], row[6], row[7]);
}

// `rows` rows for each block, and a strip for each warp. `keep` and `set`: the bits that are taken
// from `frozen`, and those that are set for all; a byte for each step, the first the lowest.
// kWholeLanes: no row ends within a thread's cells.
template <bool kWholeLanes>
__global__ void __launch_bounds__(kWarps* kLanes, 3)
    steps_kernel(float* out, const float* in, const unsigned char* frozen, int size, int row,
                 int rows, uint64_t keep, uint64_t set) {
  __shared__ Ends all_ends[kWarps][2];
  const int lane = threadIdx.x % kLanes, warp = threadIdx.x / kLanes;
  const int strip = blockIdx.x * kWarps + warp;
  if (strip * kStrip >= size) return;
  Ends* const ends = all_ends[warp];
  const int x = strip * kStrip + (lane - kHalo) * kCells;
  const bool present = x >= 0 && x < size;
  const bool complete = present && lane >= kHalo && lane < kLanes - kHalo;
  const int first = blockIdx.y * rows, end = min(first + rows, size);

  Rows even = {}, odd = {};
  uint64_t bits = 0;  // of the last kSteps rows, the newest the lowest
  Row next;
  unsigned char next_bits = 0;
  const auto fetch = [&](int y) {
    const size_t place = size_t(mirrored(y, size)) * row + (present ? x : 0);
    load(next, in + place, present);
    next_bits = present ? frozen[place / kCells] : 0;
  };
  // Row y arrives, and row y - kSteps is done.
  const auto process = [&](int y, Rows& above, const Rows& here, Ends& mine) {
    Row arrived;
#pragma unroll
    for (int c = 0; c < kCells; c++) arrived[c] = next[c];
    const unsigned char arrived_bits = next_bits;
    fetch(y + 1);  // on its way while this row is worked on
#pragma unroll
    for (int quad = 0; quad < kSteps / 4; quad++) {
      const Row* const r = &here.after[4 * quad];
      mine.first[quad][lane] = make_float4(r[0][0], r[1][0], r[2][0], r[3][0]);
      mine.last[quad][lane] = make_float4(r[0][kCells - 1], r[1][kCells - 1], r[2][kCells - 1],
                                          r[3][kCells - 1]);
    }
    __syncwarp();
    const uint64_t frozen_now = (bits & keep) | set;
    if (frozen_now != 0)
      advance<true, kWholeLanes>(arrived, above, here, mine, lane, x, size, frozen_now);
    else
      advance<false, kWholeLanes>(arrived, above, here, mine, lane, x, size, 0);
    bits = bits << 8 | arrived_bits;
    const int done = y - kSteps;
    if (complete && done >= first && done < end) store(out + x + size_t(done) * row, arrived);
  };
  fetch(first - kSteps);
  // Two rows per turn, so that what is the row above needs not be moved into other registers.
  for (int y = first - kSteps; y < end + kSteps; y += 2) {
    process(y, even, odd, ends[0]);
    process(y + 1, odd, even, ends[1]);
  }
}

// The rows for a block: so many blocks that all multiprocessors are busy all the time, and so few
// that the 2 * kSteps rows that a block only helps itself with do not matter.
int rows_per_block(int size) {
  (void)size;
  return 256;
}

void run_steps(Plate* p, int steps) {
  if (steps > 0) set_heaters(p);
  const int rows = rows_per_block(p->size);
  const int strips = (p->size + kStrip - 1) / kStrip;
  const dim3 grid((strips + kWarps - 1) / kWarps, (p->size + rows - 1) / rows);
  for (int done = 0; done < steps; done += kSteps) {
    const int now = std::min(kSteps, steps - done);
    // Steps beyond the last leave everything as it is; and the last changes the heaters' cells,
    // too: the next frame sets them anew.
    const uint64_t all = ~uint64_t(0);
    const uint64_t set = now < kSteps ? all << (8 * now) : 0;
    const uint64_t keep = done + now < steps ? all : (uint64_t(1) << (8 * (now - 1))) - 1;
    const auto kernel = p->size % kCells == 0 ? steps_kernel<true> : steps_kernel<false>;
    kernel<<<grid, kWarps * kLanes>>>(p->dev_out, p->dev_in, p->dev_frozen, p->size, p->row, rows,
                                      keep, set);
    HANDLE_ERROR(cudaGetLastError());
    swap(p->dev_in, p->dev_out);
  }
}

int main(int argc, char** argv) {
  return heat_program(argc, argv, "Heat spreads on a plate, eight steps per pass.");
}
