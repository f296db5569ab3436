#!/usr/bin/env bash
# Kernels as loops over the threads of a block, which optimized programs have: the same results, failures, words and exit codes
# as thread by thread, and mistakes put into them on purpose are noticed.
set -uo pipefail
source_folder=${COURSE_SOURCE:-$(cd "$(dirname "$0")/../.." && pwd)}
nvcc=$source_folder/common/cpu_device/nvcc
programs=$source_folder/tests/cpu_device/loops
unset "${!CPU_DEVICE_@}" NVCC_PREPEND_FLAGS NVCC_APPEND_FLAGS
[[ -z ${COURSE_BUILD-} ]] || export CPU_DEVICE_CACHE=$COURSE_BUILD/cpu_device
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
checks=0 failures=0

check() { # check WHAT COMMAND...
  checks=$((checks + 1))
  "${@:2}" && return
  failures=$((failures + 1))
  echo "FAILED: $1"
}
# kernels PROGRAM: how many have a form as loops, and how many have none.
kernels() {
  "$nvcc" -cuda "$programs/$1.cu" -o "$1.ii" &&
    echo "$(grep -c 'BlockPlace& cpu_device_place' "$1.ii") $(grep -c 'no loops:' "$1.ii")"
}
# run OUTPUT COMMAND...: addresses are different each time.
run() {
  { ("${@:2}" 2>&1 </dev/null; echo "exit code $?") 2>/dev/null; } | sed 's/0x[0-9a-f]*/ADDRESS/g' >"$1"
}
equal() { cmp -s "$1" "$2" || { diff "$1" "$2"; return 1; }; }
says() { grep -qF -- "$1" "$2"; }

# ---- right results ----
check 'all awkward kernels but two become loops' [ "$(kernels awkward_kernels)" = '22 2' ]
check 'lambdas that must not be written out' [ "$(grep -c 'no loops: a lambda' awkward_kernels.ii)" = 2 ]
"$nvcc" "$programs/awkward_kernels.cu" -o awkward || exit 1
check 'changed parameters compile as loops' [ "$(nm -C awkward | grep 'run_block<' | grep -c changed_parameters)" -ge 1 ]
check 'awkward kernels as loops' says 'all right' <(./awkward)
check 'awkward kernels thread by thread' says 'all right' <(CPU_DEVICE_LOOPS=0 ./awkward)
check 'awkward kernels in reversed order' says 'all right' <(CPU_DEVICE_ORDER=reverse ./awkward)

check 'all strides become loops' [ "$(kernels stride_kernels)" = '9 0' ]
"$nvcc" "$programs/stride_kernels.cu" -o stride || exit 1
check 'strides as loops' says 'all right' <(./stride)
check 'strides thread by thread' says 'all right' <(CPU_DEVICE_LOOPS=0 ./stride)

check 'all nine kernels become loops' [ "$(kernels nine_kernels)" = '9 0' ]
"$nvcc" "$programs/nine_kernels.cu" -o nine || exit 1
./nine 0.1 | sed -E 's/ +[0-9.]+ ms +/ /' >as_loops
CPU_DEVICE_LOOPS=0 ./nine 0.1 | sed -E 's/ +[0-9.]+ ms +/ /' >one_by_one
check 'nine results' [ "$(wc -l <as_loops)" = 9 ]
check 'nine kernels, to the last bit' equal one_by_one as_loops
cp one_by_one nine_one_by_one
check 'loops over the lanes with one store, at their end' [ "$(grep -c '^#pragma GCC ivdep' nine_kernels.ii)" = 19 ]
# Fast functions are no calls, which would keep loops from becoming vector instructions.
check 'fast functions become loops' [ "$(kernels fast_functions)" = '1 0' ]
"$nvcc" "$programs/fast_functions.cu" -o fast || exit 1
check 'fast functions are no calls' [ "$(nm -u fast | grep -cE ' (expf|logf)(@|$)')" = 0 ]
./fast >as_loops
CPU_DEVICE_LOOPS=0 ./fast >one_by_one
check 'as many results of fast functions' [ "$(wc -l <as_loops)" = 1000 ]
check 'fast functions, to the last bit' equal one_by_one as_loops
# A program for a machine that is named keeps its loops.
"$nvcc" -Xcompiler -march=native,-mno-fma "$programs/nine_kernels.cu" -o native || exit 1
check 'nine kernels become loops for a named machine' \
  [ "$(nm -C native | grep -c 'run_block<')" = "$(nm -C nine | grep -c 'run_block<')" ]
./native 0.1 | sed -E 's/ +[0-9.]+ ms +/ /' >as_loops
CPU_DEVICE_LOOPS=0 ./native 0.1 | sed -E 's/ +[0-9.]+ ms +/ /' >one_by_one
check 'nine kernels for a named machine, to the last bit' equal one_by_one as_loops

check 'two kernels with groups of blocks become loops, and two do not' [ "$(kernels group_kernels)" = '2 2' ]
"$nvcc" "$programs/group_kernels.cu" -o groups || exit 1
./groups >as_loops
CPU_DEVICE_LOOPS=0 ./groups >one_by_one
check 'groups, four kernels in seven shapes of blocks' [ "$(grep -c 'no error' as_loops)" = 28 ]
check 'groups, in each shape' equal one_by_one as_loops

check 'all kernels with arrays become loops' [ "$(kernels array_kernels)" = '8 0' ]
check 'four arrays are by elements' [ "$(grep -o 'elements_of_lane<[12]>([a-z_0-9]*' array_kernels.ii | sort -u | wc -l)" = 4 ]
"$nvcc" "$programs/array_kernels.cu" -o arrays || exit 1
./arrays >as_loops
CPU_DEVICE_LOOPS=0 ./arrays >arrays_one_by_one
check 'eight shapes of blocks' [ "$(wc -l <as_loops)" = 8 ]
check 'arrays, in each shape' equal arrays_one_by_one as_loops

check 'all kernels with guards become loops' [ "$(kernels guard_kernels)" = '19 0' ]
check 'four neighbors go on together where the lanes of many blocks differ' \
  [ "$(grep -o ', true>(cpu_device_place' guard_kernels.ii | wc -l)" = 5 ]
check 'sixteen guards end a row' [ "$(grep -c 'return ::cpu_device::Row::kIsDone' guard_kernels.ii)" = 16 ]
"$nvcc" "$programs/guard_kernels.cu" -o guards || exit 1
./guards >guards_as_loops
CPU_DEVICE_LOOPS=0 ./guards >guards_one_by_one
check 'guards, each in seventy ways' [ "$(wc -l <guards_one_by_one)" = 1330 ]
check 'guards, in each way' equal guards_one_by_one guards_as_loops

check 'kernels with questions become loops, unless one comes too late or calls a function that reads memory' \
  [ "$(kernels question_kernels)" = '6 2' ]
"$nvcc" "$programs/question_kernels.cu" -o questions || exit 1
for kernel in leaves_before barrier_inside either summed chooses own_types; do
  check "$kernel compiles as loops" [ "$(nm -C questions | grep -c "run_block<\(void \)\?$kernel[(<]")" -ge 1 ]
done
# The first block that notices it says so: with several workers, another one each time.
CPU_DEVICE_THREADS=1 ./questions >as_loops 2>notes
CPU_DEVICE_THREADS=1 CPU_DEVICE_LOOPS=0 ./questions >questions_one_by_one 2>notes_one_by_one
check 'questions in five shapes of blocks' [ "$(grep -c 'no error' as_loops)" = 40 ]
check 'questions, in each shape' equal questions_one_by_one as_loops
check 'the same notes of threads that left' equal notes_one_by_one notes

check 'calls of functions with barriers are written out, where their names mean the same' [ "$(kernels call_kernels)" = '7 5' ]
"$nvcc" "$programs/call_kernels.cu" -o calls || exit 1
check 'as loops that compile' [ "$(nm -C calls | grep -c 'run_block<')" -ge 7 ]
./calls >as_loops
CPU_DEVICE_LOOPS=0 ./calls >one_by_one
check 'calls in seven shapes of blocks' [ "$(wc -l <as_loops)" = 84 ]
check 'calls, in each shape' equal one_by_one as_loops

check 'all kernels with copied variables become loops' [ "$(kernels copied_kernels)" = '6 0' ]
check 'variables that are copied for a loop' [ "$(grep -o 'Copies<decltype([a-z_0-9]*' copied_kernels.ii | wc -l)" = 11 ]
"$nvcc" "$programs/copied_kernels.cu" -o copied || exit 1
./copied >as_loops
CPU_DEVICE_LOOPS=0 ./copied >copied_one_by_one
check 'copies in eight shapes of blocks' [ "$(wc -l <as_loops)" = 8 ]
check 'copies, in each shape' equal copied_one_by_one as_loops

# ---- failures ----
check 'of the failing kernels, nine become loops' [ "$(kernels failing_kernels)" = '9 1' ]
"$nvcc" "$programs/failing_kernels.cu" -o failing || exit 1
for number in 0 1 2 3 4 5 6 7 8 9; do
  CPU_DEVICE_THREADS=1 run as_loops ./failing "$number"
  CPU_DEVICE_THREADS=1 CPU_DEVICE_LOOPS=0 run one_by_one ./failing "$number"
  check "failure $number says the same" equal one_by_one as_loops
done
check 'the thread is named' says 'thread (21,0,0)' <(CPU_DEVICE_THREADS=1 ./failing 2 2>&1)

# ---- mistakes in the loops are noticed ----
# Compiles what the rewriter made of the awkward kernels, changed by a script for sed.
changed() {
  local of=${2-awkward_kernels.ii}
  sed "$1" "$of" >changed.ii
  ! cmp -s "$of" changed.ii || return 1
  ${NVCC_CCBIN:-g++} -std=c++17 -O1 -fno-strict-aliasing -x c++-cpp-output -w -c changed.ii -o changed.o && "$nvcc" changed.o -o changed
}
# Wrong numbers, or a fault of the memory: compilers differ.
is_not_right() { ! ./changed 2>&1 | grep -qF 'all right'; }
if command -v "${NVCC_CCBIN:-g++}" >/dev/null; then
  check 'it compiles as it is' changed '$a\ '
  check 'unchanged, it is right' says 'all right' <(./changed)
  check 'it compiles' changed 's/\[cpu_device_at + cpu_device_lane\]/[cpu_device_lane]/'
  check 'a variable that is not kept for each thread is noticed' is_not_right
  check 'it compiles' changed 's/cpu_device_at % ::cpu_device::kLanes)/0)/' array_kernels.ii
  check 'an element of another thread is noticed' [ "$(./changed | cmp arrays_one_by_one - | wc -l)" = 1 ]
  check 'it compiles' changed 's/::cpu_device::put_back([^;]*;//' copied_kernels.ii
  check 'copies that are not put back are noticed' [ "$(./changed | cmp copied_one_by_one - | wc -l)" = 1 ]
  check 'it compiles' changed 's/::cpu_device::take_copies([^;]*;//' copied_kernels.ii
  check 'copies of nothing are noticed' [ "$(./changed 2>/dev/null | cmp copied_one_by_one - 2>&1 | wc -l)" = 1 ]
  check 'it compiles' changed 's/ && !::cpu_device::crosses_in_row(\([^,]*\), [^)]*)/ \&\& sizeof(\1)/' guard_kernels.ii
  check 'a row that ends before a variable wraps around is noticed' [ "$(./changed | cmp guards_one_by_one - | wc -l)" = 1 ]
  check 'it compiles' changed 's/ask_lanes<cpu_device_count, 1,/ask_lanes<cpu_device_count, 2,/' guard_kernels.ii
  check 'threads between the first and the last lane are noticed' [ "$(./changed | cmp guards_one_by_one - | wc -l)" = 1 ]
  check 'it compiles' changed 's/x += kFewLanes;/x += 2 * kFewLanes;/' guard_kernels.ii
  check 'neighbors that are left out are noticed' [ "$(./changed | cmp guards_one_by_one - | wc -l)" = 1 ]
  check 'it compiles' changed 's/cpu_device_asked_\([0-9]*\) == 3/cpu_device_asked_\1 == 4/' question_kernels.ii
  check 'threads that do not agree are noticed' [ "$(./changed 2>&1 | cmp questions_one_by_one - | wc -l)" = 1 ]
  check 'it compiles' changed 's/cpu_device_lane < cpu_device_count/cpu_device_lane + 1 < cpu_device_count/'
  check 'a loop over too few threads is noticed' is_not_right
  # Which arrays may overlap: with that promised everywhere, the histogram is wrong.
  check 'it compiles' changed '/^#pragma GCC ivdep$/d; s/^#pragma GCC unroll 1$/&\n#pragma GCC ivdep/' nine_kernels.ii
  check 'a promise that lanes do not overlap is noticed' [ "$(./changed 0.1 | sed -E 's/ +[0-9.]+ ms +/ /' | cmp nine_one_by_one - | wc -l)" = 1 ]
  check 'it compiles' changed 's/cpu_device_count - 1)); /0)); /' stride_kernels.ii
  check 'a stride that goes too far is noticed' is_not_right
  check 'it compiles' changed 's/cpu_device_apart ? static_cast/true ? static_cast/' stride_kernels.ii
  check 'a stride that begins once more is noticed' is_not_right
fi

# ---- settings ----
CPU_DEVICE_LOOPS=yes ./awkward >out 2>err
check 'a wrong setting is refused' [ "$?" = 2 ]
check 'and named' says CPU_DEVICE_LOOPS err
for option in --no-loops -O0 -G --check --branches -Xcompiler=-O0 -Xcompiler=-Og -Xcompiler=--coverage -pg -Xcompiler=-fsanitize=address; do
  "$nvcc" $option -cuda "$programs/failing_kernels.cu" -o plain.ii
  check "no loops with $option" [ "$(grep -c 'cpu_device_place' plain.ii)" = 0 ]
done
for option in --loops -O1 -O3 -g; do
  "$nvcc" $option -cuda "$programs/failing_kernels.cu" -o plain.ii
  check "loops with $option" [ "$(grep -c 'cpu_device_place' plain.ii)" != 0 ]
done
# Warnings of the optimizer are given once, as without loops.
cat >warned.cu <<'END'
__global__ void smaller_than_lanes(int* a) { __shared__ int x[4]; x[threadIdx.x] = a[threadIdx.x]; a[threadIdx.x] = x[0]; }
__global__ void not_set(int* a, int n) { int i = threadIdx.x; int v; if (a[i] > 3) v = n; a[i] = v; }
__global__ void too_far(int* a) {
  int local[4];
  for (int k = 0; k < 5; k++) local[k] = a[k];
  for (int k = 0; k < 4; k++) a[threadIdx.x * 4 + k] = local[k];
}
int main() {
  smaller_than_lanes<<<1, 4>>>(nullptr);
  not_set<<<1, 4>>>(nullptr, 1);
  too_far<<<1, 4>>>(nullptr);
}
END
for option in -O2 -O3; do
  "$nvcc" $option -Xcompiler -Wall,-Wextra --no-loops -c warned.cu -o warned.o 2>&1 | grep -a 'warning:' >without
  "$nvcc" $option -Xcompiler -Wall,-Wextra -c warned.cu -o warned.o 2>&1 | grep -a 'warning:' >with
  check "warnings with $option" test -s without
  check "the same warnings with $option" equal without with
done
# Ctrl-\ says what it knows, and how to know more.
cat >endless.cu <<'END'
__global__ void endless(int* a, int n) {
  int i = threadIdx.x;
  while (n > 0) a[i] = a[i] * 3 + 1;
}
int main() {
  int* a;
  cudaMalloc(&a, 64 * sizeof(int));
  cudaMemset(a, 0, 64 * sizeof(int));
  endless<<<1, 64>>>(a, 1);
  cudaDeviceSynchronize();
}
END
check 'it compiles' "$nvcc" endless.cu -o endless
python3 - >quit.txt 2>&1 <<'END'
import signal, subprocess, time
run = subprocess.Popen(["./endless"], stderr=subprocess.PIPE, preexec_fn=lambda: signal.signal(signal.SIGQUIT, signal.SIG_DFL))
for attempt in range(30):
    time.sleep(1)
    run.send_signal(signal.SIGQUIT)
    time.sleep(0.5)
    if attempt > 1 or run.poll() is not None:
        break
run.kill()
print(run.stderr.read().decode())
END
check 'Ctrl-\ in a loop over the threads' says 'run together, as a loop, line ' quit.txt
check 'Ctrl-\ names the setting' says 'CPU_DEVICE_LOOPS=0' quit.txt

# ---- arrays of 16 lanes that do not fit on the stack ----
cat >large.cu <<'END'
#include <cstdio>
__global__ void large(int* out, int n) {
  int values[8192];
  for (int k = 0; k < n; k++) values[k] = threadIdx.x + k;
  int sum = 0;
  for (int k = 0; k < n; k++) sum += values[n - 1 - k];
  out[threadIdx.x] = sum;
}
int main() {
  int* out;
  cudaMallocManaged(&out, 64 * sizeof(int));
  large<<<1, 64>>>(out, 8192);
  cudaDeviceSynchronize();
  printf("%d\n", out[63]);
}
END
check 'it compiles' "$nvcc" large.cu -o large
check 'and is right' says $((8192 * 63 + 8192 * 8191 / 2)) <(./large)

# ---- code whose form as loops does not compile has none ----
cat >odd.cu <<'END'
#include <cstdio>
struct Odd { int value; __host__ __device__ Odd(int v) : value(v) {} };
__global__ void odd(int* out) {
  __shared__ int tile[32];
  Odd kept(threadIdx.x);  // no default constructor: there are no arrays of it
  tile[threadIdx.x] = 1;
  __syncthreads();
  out[threadIdx.x] = kept.value + tile[31 - threadIdx.x];
}
int main() {
  int* out;
  cudaMallocManaged(&out, 32 * sizeof(int));
  odd<<<1, 32>>>(out);
  cudaDeviceSynchronize();
  printf("%d\n", out[31]);
}
END
check 'it compiles' "$nvcc" odd.cu -o odd
check 'and runs' says 32 <(./odd)
sed 's/out\[31\]/outt[31]/' odd.cu >typo.cu
"$nvcc" typo.cu -o typo 2>err
check 'a mistake of the program is told once' [ "$(grep -c 'outt' err)" -le 3 ]

echo "$checks checks, $failures failures"
[[ $failures == 0 ]]
