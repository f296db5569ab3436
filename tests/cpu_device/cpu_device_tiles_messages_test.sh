#!/usr/bin/env bash
# What the CPU device says of mistakes in tile kernels: when they are compiled, in an ordinary run, and in a
# checked run.
set -uo pipefail
source_folder=${COURSE_SOURCE:-$(cd "$(dirname "$0")/../.." && pwd)}
nvcc=$source_folder/common/cpu_device/nvcc
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset "${!CPU_DEVICE_@}" NVCC_PREPEND_FLAGS NVCC_APPEND_FLAGS
[[ -z ${COURSE_BUILD-} ]] || export CPU_DEVICE_CACHE=$COURSE_BUILD/cpu_device
checks=0 failures=0

check() { # WHAT CONDITION...
  checks=$((checks + 1))
  "${@:2}" && return
  failures=$((failures + 1))
  printf 'FAILED: %s\n  exit code: %s\n  stdout: %s\n  stderr: %s\n' "$1" "$status" \
    "$(head -c 2000 "$work/out")" "$(head -c 3000 "$work/err")"
}
run() {
  "$@" >"$work/out" 2>"$work/err" </dev/null
  status=$?
}
says() { grep -qF -- "$1" "$work/err"; }
prints() { grep -qF -- "$1" "$work/out"; }
exits() { [[ $status == "$1" ]]; }
silent() { [[ ! -s $work/err ]]; }
tiles=(--enable-tile -std=c++20)

cd "$work" || exit 1

# ---- compiling ----

compile_kernel() { # STATEMENT...: in the kernel `f(float* p, int n)`
  {
    echo '#include <cuda_tile.h>'
    echo 'namespace ct = cuda::tiles;'
    echo 'using namespace ct::literals;'
    echo '__tile_global__ void f(float* p, int n) {'
    printf '%s\n' "$@"
    echo '}'
  } >kernel.cu
  run "$nvcc" "${tiles[@]}" -c kernel.cu -o kernel.o
}

printf '#include <cuda_tile.h>\n' >plain.cu
run "$nvcc" -std=c++20 -c plain.cu -o plain.o
check 'without --enable-tile, the option is named' says 'nvcc --enable-tile -std=c++20'
check 'without --enable-tile nothing is compiled' exits 1
run "$nvcc" --enable-tile -c plain.cu -o plain.o
check 'in C++17, the option is named' says 'nvcc --enable-tile -std=c++20'
once() { [[ $(grep -c '^nvcc: ' "$work/err") == 1 ]]; }
check 'in C++17, one line says so' once
run "$nvcc" --tile-only "${tiles[@]}" -c plain.cu -o plain.o
check '--tile-only is explained' says 'tile kernels need --enable-tile alone'

compile_kernel 'ct::tile<float, ct::shape<48>> x;' '(void)x; (void)p; (void)n;'
check 'a size that is no power of two' says 'each size of a tile is a power of two'
compile_kernel 'ct::scaled_mma(1, 2, 3, 4, 5.0f);' '(void)p; (void)n;'
check 'scaled_mma is named as missing' says 'cuda::tiles::scaled_mma is not on the CPU device'
compile_kernel 'ct::repack<char, 0>(ct::ones<ct::tile<int, ct::shape<4>>>());' '(void)p; (void)n;'
check 'repack is named as missing' says 'cuda::tiles::repack is not on the CPU device'
compile_kernel 'auto x = ct::ones<ct::tile<float, ct::shape<4>>>();' 'ct::store(p, float(ct::sum<0>(x * 2.5)) + n);'
check 'a double that a float tile would cut is refused' exits 1
compile_kernel '[[cutile::hint(900, latency = 3)]] ct::store(p, 1.0f + n);'
check 'hints are no mistakes' silent
check 'hints compile' exits 0

# ---- running ----

cat >wrong.cu <<'END'
#include <cuda_tile.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace ct = cuda::tiles;
using namespace ct::literals;
using Tile = ct::tile<float, ct::shape<64>>;

__tile_global__ void copy(const float* in, float* out, int n, int masked) {
  const ct::partition_view from{ct::tensor_span{in, ct::extents{n}}, ct::shape<64>{}};
  const ct::partition_view to{ct::tensor_span{out, ct::extents{n}}, ct::shape<64>{}};
  const int block = ct::bid().x;
  if (masked) {
    to.store_masked(from.load_masked(block), block);  // line 17
  } else {
    to.store(from.load(block), block);  // line 19
  }
}
__tile_global__ void assume(const float* in, float* out, int n) {
  in = ct::assume_aligned(in, 16_ic);  // line 23
  n = ct::assume_divisible(n, 8_ic);   // line 24
  ct::store(out, ct::load(in) + n);
}
__tile_global__ void forgotten_mask(const float* in, float* out, int n) {
  const auto i = int(ct::bid().x) * 64 + ct::iota<ct::tile<int, ct::shape<64>>>();
  ct::store_masked(out + i, ct::load(in + i), i < n);  // line 29
}
__tile_global__ void sum(const float* in, float* total, int n) {
  const auto i = int(ct::bid().x) * 64 + ct::iota<ct::tile<int, ct::shape<64>>>();
  const float part = float(ct::sum<0>(ct::load_masked(in + i, i < n, 0.0f)));
  const float before = ct::load(total);  // line 34
  ct::store(total, before + part);       // line 35
}
__tile_global__ void sum_atomically(const float* in, float* total, int n) {
  const auto i = int(ct::bid().x) * 64 + ct::iota<ct::tile<int, ct::shape<64>>>();
  const float part = float(ct::sum<0>(ct::load_masked(in + i, i < n, 0.0f)));
  ct::atomic_add(total, part, ct::memory_order_relaxed_t{}, ct::thread_scope_device_t{});
}
__tile_global__ void twice(float* in, int n) {
  const ct::partition_view tiles{ct::tensor_span{in, ct::extents{n}}, ct::shape<64>{}};
  const auto x = tiles.load_masked(0);     // line 44
  tiles.store_masked(x * 2.0f, 0);         // line 45
}

int main(int argc, char** argv) {
  const int mode = atoi(argv[1]), n = 150;
  float *in, *out;
  cudaMalloc(&in, n * sizeof(float));
  cudaMalloc(&out, n * sizeof(float));
  if (mode != 9) cudaMemset(in, 0, n * sizeof(float));
  cudaMemset(out, 0, n * sizeof(float));
  // In C++20 the code of strings is the program's. A checked run must not mistake its own strings for the program's.
  std::string text;
  for (int i = 0; i < n; i++) text += argv[1];
  std::vector<float> host(text.size(), 0.0f);
  cudaMemcpy(out, host.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  if (mode == 0) copy<<<3, 1>>>(in, out, n, 1);
  if (mode == 1) copy<<<3, 1>>>(in, out, n, 0);
  if (mode == 2) copy<<<4, 1>>>(in, out, n, 1);
  if (mode == 3) copy<<<3, 64>>>(in, out, n, 1);
  if (mode == 4) assume<<<1, 1>>>(in + 1, out, 8);
  if (mode == 5) assume<<<1, 1>>>(in, out, 12);
  if (mode == 6) forgotten_mask<<<3, 1>>>(in, out, n);
  if (mode == 7) sum<<<3, 1>>>(in, out, n);
  if (mode == 8 || mode == 9) sum_atomically<<<3, 1>>>(in, out, n);
  if (mode == 10) twice<<<2, 1>>>(in, n);
  const cudaError_t launched = cudaGetLastError();
  printf("%s\n", cudaGetErrorName(launched != cudaSuccess ? launched : cudaDeviceSynchronize()));
}
END
run "$nvcc" "${tiles[@]}" wrong.cu -o wrong
check 'the program compiles' exits 0

run ./wrong 0
check 'the right one works' prints cudaSuccess
check 'the right one says nothing' silent
run ./wrong 1
check 'an unmasked tile at the edge: where' says 'wrong.cu:19'
check 'an unmasked tile at the edge: what' says 'load() of a view: the tile covers elements (128 to 191), beyond the array of 150'
check 'an unmasked tile at the edge: fix' says 'use load_masked() and store_masked(): they leave out what is outside'
check 'an unmasked tile at the edge: error' prints cudaErrorIllegalAddress
run ./wrong 2
check 'a tile beyond the array: where' says 'wrong.cu:17'
check 'a tile beyond the array: what' says 'elements (192 to 255), all outside of the array of 150'
check 'a tile beyond the array: fix' says 'start fewer blocks, or take fewer steps: a masked load or store is for tiles that are partly inside'
run ./wrong 3
check 'more than one thread per block: what' says 'a tile kernel'
check 'more than one thread per block: fix' says 'kernel<<<blocks, 1>>>(...)'
check 'more than one thread per block: error' prints cudaErrorInvalidValue
run ./wrong 4
check 'a wrong assumption of alignment' says 'wrong.cu:23: CPU device: assume_aligned(): an address is no multiple of the alignment'
run ./wrong 5
check 'a wrong assumption of a divisor' says 'wrong.cu:24: CPU device: assume_divisible(): a number is no multiple of the divisor'

# ---- a checked run ----

[[ -z ${COURSE_BUILD-} ]] || export CPU_DEVICE_CACHE=${COURSE_BUILD%/*}/cpu-check/cpu_device
run "$nvcc" --check "${tiles[@]}" wrong.cu -o checked
check 'the program compiles for a checked run' exits 0
run timeout 200 ./checked 0
check 'the right one has no findings' says 'checked run: no findings'
run timeout 200 ./checked 6
check 'a forgotten mask: where' says 'wrong.cu:29: CPU device: out of bounds in kernel forgotten_mask'
check 'a forgotten mask: which element' says 'reads in[150]'
run timeout 200 ./checked 7
check 'blocks that add to one number: a race' says 'race in kernel sum, between blocks'
check 'blocks that add to one number: the lines' says 'line 35:'
check 'blocks that add to one number: exit code' exits 1
run timeout 200 ./checked 8
check 'the atomic has no findings' says 'checked run: no findings'
run timeout 200 ./checked 9
check 'uninitialized memory' says 'wrong.cu:39: CPU device: '
check 'uninitialized memory: words' says 'initialized'
run timeout 200 ./checked 10
check 'two blocks store the same tile: a race' says 'race in kernel twice, between blocks'
check 'two blocks store the same tile: the line' says 'line 45:'

echo "$checks checks, $failures failures"
[[ $failures == 0 ]]
