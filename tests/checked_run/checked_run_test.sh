#!/usr/bin/env bash
# Tests of what stands around a checked run: exit codes, the report when a program is stopped, crashes or
# forks, settings and options that do not fit. What is found is the matter of mistakes_check.py.
set -uo pipefail
source_folder=${COURSE_SOURCE:-$(cd "$(dirname "$0")/../.." && pwd)}
nvcc=$source_folder/common/cpu_device/nvcc
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
[[ -z ${COURSE_BUILD-} ]] || export CPU_DEVICE_CACHE=$COURSE_BUILD/cpu_device
unset NVCC_CCBIN NVCC_PREPEND_FLAGS NVCC_APPEND_FLAGS CPU_DEVICE_REPORT CPU_DEVICE_CHECK_EXIT
export CPU_DEVICE_TIMEOUT=60
export CPU_DEVICE_LEAKS=none # these programs release nothing
checks=0 failures=0
cd "$work" || exit 1

run() {
  command="$*"
  { timeout 120 "$@" >out 2>err </dev/null; } 2>/dev/null
  status=$?
}
check() { # WHAT CONDITION...
  checks=$((checks + 1))
  "${@:2}" && return
  failures=$((failures + 1))
  printf 'FAILED: %s\n  command: %s\n  exit code: %s\n  stdout: %s\n  stderr: %s\n' \
    "$1" "$command" "$status" "$(head -c 2000 out)" "$(head -c 3000 err)"
}
exits() { [[ $status == "$1" ]]; }
complains() { grep -qF -- "$1" err; }
absent() { ! grep -qF -- "$1" err; }
sums_up() { [[ $(grep -c 'CPU device: checked run:' err) == 1 ]] && complains "checked run: $1"; }
one_line() { [[ $(wc -l <err) == 1 ]] && complains "$1"; }
# reports KIND...: the file is whole, and has these kinds in any order.
reports() {
  python3 - "$@" <<'EOF'
import json, sys
log = json.load(open("report.sarif"))
run = log["runs"][0]
# What the schema of SARIF 2.1.0 requires, and code hosts want.
assert log["version"] == "2.1.0" and log["$schema"].startswith("https://") and run["tool"]["driver"]["name"]
for result in run["results"]:
    assert result["message"]["text"] and result["level"] in ("note", "warning", "error")
    for location in result["locations"] + result["relatedLocations"]:
        place = location["physicalLocation"]
        assert place["artifactLocation"]["uri"] and place["region"]["startLine"] >= 1
kinds = sorted(result["ruleId"] for result in run["results"])
known = {rule["id"] for rule in run["tool"]["driver"]["rules"]}
sys.exit(kinds != sorted(sys.argv[1:]) or not known.issuperset(kinds))
EOF
}

# One program that makes a mistake and then does what its argument says.
cat >program.cu <<'EOF'
#include <sys/wait.h>
#include <unistd.h>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>

__global__ void race(int* a) { a[0] = threadIdx.x; }
__global__ void last(int* a) { a[2] = 1; }
__global__ void endless(unsigned* a) {
  while (a[threadIdx.x] < 10) a[threadIdx.x] ^= 1;
}
__global__ void right(int* a) { a[threadIdx.x] = 1; }

int main(int, char** argv) {
  const auto is = [&](const char* what) { return strcmp(argv[1], what) == 0; };
  int* a;
  cudaMalloc(&a, 2 * sizeof(int));
  cudaMemset(a, 0, 2 * sizeof(int));
  if (is("right")) {
    right<<<1, 2>>>(a);
    cudaDeviceSynchronize();
    return atoi(argv[2]);
  }
  if (is("child") && fork() == 0) {
    last<<<1, 1>>>(a);
    cudaDeviceSynchronize();
    if (argv[2] != nullptr) raise(SIGKILL);
    _exit(0);
  }
  if (is("child")) wait(nullptr);
  if (!is("child")) race<<<1, 2>>>(a);
  cudaDeviceSynchronize();
  if (is("endless")) {
    if (fork() == 0) {  // stops its parent while the kernel runs
      sleep(1);
      kill(getppid(), atoi(argv[2]));
      _exit(0);
    }
    endless<<<1, 2>>>(reinterpret_cast<unsigned*>(a));
    cudaDeviceSynchronize();
  }
  if (is("crash")) *reinterpret_cast<volatile int*>(8) = 1;
  if (is("abort")) abort();
  if (is("raise")) raise(atoi(argv[2]));
  if (is("leave")) _exit(0);
  return is("code") ? atoi(argv[2]) : 0;
}
EOF
run "$nvcc" --check program.cu -o program
check 'it compiles' exits 0
# The runtime takes the mark of a part for the word that the program needs that part (uses_atomics.cpp and others).
marks() { grep -o ' [A-Z] cpu_device_\(uses\|has\)_[a-z_]*' out | grep -v ' U '; }
cat >marked.cu <<'END'
#ifdef ATOMIC
__global__ void add(int* sum) { atomicAdd(sum, 1); }
#else
__global__ void add(int* sum) { *sum += 1; }
#endif
int main() { add<<<1, 1>>>(nullptr); }
END
run "$nvcc" --check marked.cu -o marked
run nm marked
check 'parts that a program does not need are not linked' [ -z "$(marks)" ]
# The runtime's must not be replaced by a program's, which are instrumented. Messages about its strings would wait
# forever.
check 'no template of the C++ library is shared with the runtime' [ -z "$(grep ' W _ZZ*N*K*St' out)" ]
check 'which has some' grep -q ' t _ZNSt' out
run "$nvcc" --check -DATOMIC marked.cu -o marked
run nm marked
check 'atomics are, where it has one' [ "$(marks)" = ' R cpu_device_uses_atomics' ]

# CMake names files by whole paths: in a folder above the file, a finding does without that folder's name.
run "$nvcc" --check "$PWD/program.cu" -o named
run ./named child
check 'a kernel names its file from here' complains 'program.cu:9: CPU device: out of bounds'
check 'and so does a call' complains 'allocated at program.cu:18'
check 'no name is a whole path' absent "$PWD/program.cu"
check 'and one access is one' complains '1 launch, 1 access checked'

# ---- exit codes ----
run ./program right 0
check 'no finding: the program says' exits 0
check 'and is summed up' sums_up 'no findings: 1 launch, 2 accesses checked'
run ./program right 7
check 'its own code' exits 7
run ./program race
check 'a finding' exits 1
check 'is counted' sums_up '1 finding: 1 race'
run ./program code 5
check 'a finding goes before its own code' exits 1
CPU_DEVICE_CHECK_EXIT=42 run ./program race
check 'the code that was asked for' exits 42
CPU_DEVICE_CHECK_EXIT=0 run ./program race
check 'none, if so asked' exits 0
for wrong in -1 256 x 1x; do
  CPU_DEVICE_CHECK_EXIT=$wrong run ./program race
  check "an exit code $wrong" exits 2
  check 'in one line' one_line 'CPU_DEVICE_CHECK_EXIT must be a whole number from 0 to 255'
done

for setting in CPU_DEVICE_LEAKS CPU_DEVICE_UNREAD; do
  run env $setting=all ./program race
  check "a wrong word for $setting" exits 2
  check 'in one line' one_line "$setting must be none, note or error"
done
# ---- the end in the middle: what was found is told, and the file is whole ----
export CPU_DEVICE_REPORT=report.sarif
for number in 2 15 1; do
  rm -f report.sarif
  run ./program endless "$number"
  check "signal $number" exits $((128 + number))
  check 'sums up' sums_up '1 finding: 1 race'
  check 'and writes' reports race-warp
done
for number in 1 2 15 24; do
  rm -f report.sarif
  run ./program raise "$number"
  check "signal $number that the program sends itself" exits $((128 + number))
  check 'sums up' sums_up '1 finding: 1 race'
  check 'and writes' reports race-warp
  run bash -c "trap '' $number; exec ./program raise $number"
  check "signal $number, ignored as with nohup" exits 1
  check 'sums up at the end' sums_up '1 finding: 1 race'
done
rm -f report.sarif
CPU_DEVICE_TIMEOUT=1 run ./program endless 0
check 'a time limit' exits 1
check 'is a finding' sums_up '2 findings: 1 endless kernel, 1 race'
check 'and in the file' reports race-warp no-progress
rm -f report.sarif
run ./program crash
check 'a crash' exits 139
check 'is a finding' sums_up '2 findings: 1 race, 1 wrong memory space'
check 'and in the file' reports race-warp wrong-side
rm -f report.sarif
run ./program abort
check 'abort()' exits 134
check 'sums up' sums_up '1 finding: 1 race'
check 'and writes' reports race-warp
rm -f report.sarif
run ./program leave
check 'whoever leaves without a word' reports race-warp
for more in '' killed; do
  rm -f report.sarif
  run ./program child $more
  check "a forked process${more:+, killed}" exits 1
  check 'is summed up by its parent' sums_up '1 finding in child processes: 1 launch'
  check 'which writes what it found' reports out-of-bounds
done
# A file put in its place would be a loss for all; here it would only replace the link.
ln -s /dev/null quiet.sarif
CPU_DEVICE_REPORT=quiet.sarif run ./program race
check 'a report to /dev/null' exits 1
check 'says what it does' sums_up '1 finding: 1 race'
check 'and leaves the device alone' test -L quiet.sarif
check 'no half files are left' test -z "$(ls -- *.partial 2>/dev/null)"

# ---- settings and options that do not fit ----
for place in /nowhere/report.sarif . /dev/null/x; do
  CPU_DEVICE_REPORT=$place run ./program race
  check "a report in $place" exits 2
  check 'in one line' one_line "CPU_DEVICE_REPORT: cannot write '$place'"
done
unset CPU_DEVICE_REPORT
for wrong in -1 x 1x; do
  CPU_DEVICE_TIMEOUT=$wrong run ./program race
  check "a time limit of $wrong" exits 2
  check 'in one line' one_line 'CPU_DEVICE_TIMEOUT'
done
printf 'int main() { return 3; }\n' >none.cu
run "$nvcc" --check none.cu -o none
run ./none
check 'a program without kernels' exits 3
check 'says so' complains 'no kernel was launched, so no kernel was checked'

# Constants without an initializer that nobody has copied to: a note.
cat >constants.cu <<'EOF'
__constant__ int set = 0, never_copied_to;
__constant__ float list[4]{};
static __constant__ int never;
__constant__ int copied;
__global__ void k(int* a) { a[threadIdx.x] = set + list[1] + copied; }
__global__ void reads(int* a) { a[threadIdx.x] = never; }
int main(int count, char**) {
  int *a, value = 5;
  cudaMalloc(&a, 128);
  cudaMemcpyToSymbol(copied, &value, 4);
  if (count > 1) cudaMemcpyToSymbol(never, &value, 4);
  k<<<1, 32>>>(a);
  reads<<<1, 32>>>(a);
  cudaDeviceSynchronize();
}
EOF
run "$nvcc" --check constants.cu -o constants
run ./constants
check 'constants of zeros are no mistake' exits 0
check 'but told' complains \
  'constants.cu:6: CPU device: note: kernel reads reads constants that were never set and hold zeros: never'
check 'and only those without an initializer' sums_up 'no findings: 2 launches'
check 'once' [ "$(grep -c note: err)" = 1 ]
run ./constants copy
check 'nothing to tell' [ "$(grep -c note: err)" = 0 ]

# Local variables that nobody has set: a warning of the compiler's, only where it is certain.
cat >local.cu <<'EOF'
__global__ void sum(const float* in, float* out, int n) {
  float sum;
  for (int i = 0; i < n; i++) sum += in[i];
  out[0] = sum;
}
int main() {}
EOF
run "$nvcc" --check -Werror all-warnings local.cu -o local
check 'no error' exits 0
# Where g++ sees it differs by version; g++ 11 does not see it, and then nothing else may be told.
told="warning: 'sum' is read before it is set. A local variable starts with an arbitrary value"
told_or_silent() {
  case $(g++ -dumpversion) in
    12*) complains "local.cu:4:10: $told" ;;
    *) complains "$told" || [[ ! -s err ]] ;;
  esac
}
check 'told of a variable that nobody sets' told_or_silent
cat >local.cu <<'EOF'
__global__ void guarded(const float* in, float* out, int n) {
  float v;
  if (threadIdx.x < n) v = in[threadIdx.x];
  __syncthreads();
  if (threadIdx.x < n) out[threadIdx.x] = v;
}
__global__ void broadcast(int* next, int* out) {
  int base;
  if (threadIdx.x % 32 == 0) base = atomicAdd(next, 32);
  base = __shfl_sync(~0u, base, 0);
  out[base + threadIdx.x % 32] = 1;
}
int main() {}
EOF
run "$nvcc" --check local.cu -o local
check 'what is set before it matters is not told' [ ! -s err ]
printf '__global__ void k(int* a) { a[0] = b; }\nint main() {}\n' >broken.cu
run "$nvcc" --check broken.cu -o broken
check 'errors pass' complains 'was not declared in this scope'

run "$nvcc" --check -Xcompiler -fsanitize=address program.cu -o x
check 'with a sanitizer' one_line '--check and -fsanitize=address cannot be combined'
run "$nvcc" --check -shared program.cu -o x.so
check 'a shared library' one_line '--check works only for programs, not for shared libraries'
printf '__global__ void g(int* a) { a[0] = 2; }\nvoid go(int* a) { g<<<1, 1>>>(a); }\n' >one.cu
printf '#include <cstdio>\nvoid go(int* a);\nint main() { int* a; cudaMalloc(&a, 4); go(a); puts("fine"); }\n' >two.cu
for file in one two; do
  run "$nvcc" -c $file.cu -o $file.o
  run "$nvcc" --check -c $file.cu -o $file.checked.o
done
run "$nvcc" one.o two.checked.o -o x
check 'a checked object in an ordinary program' one_line \
  "'two.checked.o' was compiled with --check. Also link with --check, or compile it again without"
run "$nvcc" --check one.o two.checked.o -o x
check 'an ordinary object in a checked program' one_line \
  "'one.o' was compiled without --check. Compile all files with --check, or link without"
run "$nvcc" one.o two.o -o x
check 'two ordinary ones' exits 0
run "$nvcc" --check one.checked.o two.checked.o -o x
check 'two checked ones' exits 0

# Host and kernel answer each other; another kernel runs meanwhile; the host sleeps; the program ends first.
run "$nvcc" --check "$source_folder/tests/foreign/kernel_waits_for_host.cu" -o waits
for order in forward reverse shuffle:1; do
  run env CPU_DEVICE_ORDER=$order ./waits
  check "kernels that wait for the host, $order" exits 0
  check "kernels that wait for the host, $order" sums_up 'no findings: 4 launches'
done
cat >beside.cu <<'EOF'
#include <unistd.h>
#include <cstdio>
__global__ void wait(volatile int* mail, const int* work, int* result) {
  while (mail[0] == 0) {
  }
  __threadfence_system();
  *result = *work + 1;
  __threadfence_system();
  mail[1] = 1;
}
__global__ void prepare(int* work) { *work = 41; }
int main(int argc, char**) {
  int *mail, *work, *result;
  cudaMallocHost(&mail, 2 * sizeof(int));
  cudaMallocHost(&result, sizeof(int));
  cudaMalloc(&work, sizeof(int));
  mail[0] = mail[1] = 0;
  cudaStream_t a, b;
  cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking);
  wait<<<1, 1, 0, a>>>(mail, work, result);
  cudaStreamQuery(a);
  if (argc > 1) return 0;
  prepare<<<1, 1, 0, b>>>(work);
  cudaStreamSynchronize(b);
  *(volatile int*)mail = 1;
  while (*(volatile int*)(mail + 1) == 0) usleep(1000);
  printf("%d\n", *result);
  cudaDeviceSynchronize();
}
EOF
run "$nvcc" --check beside.cu -o beside
run ./beside
check 'another kernel and a sleeping host' grep -qx 42 out
check 'another kernel and a sleeping host' sums_up 'no findings: 2 launches'
run ./beside and leave
check 'the program ends while a kernel waits' exits 0

# Thrust calls a functor on the host, where the name of a constant means what it means in a kernel.
cat >functor.cu <<'EOF'
#include <cpu_device/host_algorithms.h>
__constant__ int factor;
struct Scale {
  template <typename T>
  __device__ void operator()(T& x) const { x *= factor; }
};
template <typename F>
void for_each(int* x, int n, F f) { for (int i = 0; i < n; i++) f(x[i]); }  // as Thrust's does
int main() {
  int* x;
  cudaMallocManaged(&x, 8 * sizeof(int));
  for (int i = 0; i < 8; i++) x[i] = i;
  const int two = 2;
  cudaMemcpyToSymbol(factor, &two, sizeof(int));
  for_each(x, 8, Scale());
  return x[7] != 14;
}
EOF
run "$nvcc" --check functor.cu -o functor
run ./functor
check 'a functor reads a constant' sums_up 'no findings'
check 'a functor reads a constant' exits 0

# What a checked run cannot do is no mistake of the program's.
cat >module.cu <<'EOF'
#include <cuda.h>
int main() {
  CUdevice device;
  CUcontext context;
  CUmodule module;
  cuInit(0);
  cuDeviceGet(&device, 0);
  cuDevicePrimaryCtxRetain(&context, device);
  cuCtxSetCurrent(context);
  return cuModuleLoadData(&module, "any text") != CUDA_ERROR_NOT_SUPPORTED;
}
EOF
run "$nvcc" --check module.cu -lcuda -o module
run ./module
check 'a module in a checked run' sums_up '1 finding: 1 unsupported call'

# CUDA promises no more of the active lanes than the caller. A program that counts on more is wrong, and no access tells why.
cat >active.cu <<'EOF'
#include <cstdlib>
__global__ void count(int* most) {
  const int active = __popc(__activemask());
  atomicMax(most, active);
}
int main(int, char** argv) {
  int *most, result;
  cudaMalloc(&most, sizeof(int));
  cudaMemset(most, 0, sizeof(int));
  count<<<1, atoi(argv[1])>>>(most);
  cudaMemcpy(&result, most, sizeof(int), cudaMemcpyDeviceToHost);
  return result != atoi(argv[2]);
}
EOF
run "$nvcc" --check active.cu -o active
run ./active 64 32
check 'more active lanes than CUDA promises' exits 1
check 'are explained at their line' complains 'active.cu:3: CPU device: note: __activemask() contains only the calling lane, as CUDA allows, in kernel count'
check 'in one note' [ "$(grep -c activemask err)" = 2 ] # the note, and the line
check 'which is no finding' sums_up 'no findings: 1 launch'
run ./active 64 1
check 'one active lane is enough' exits 0
check 'and nothing is said' absent activemask
run ./active 1 2
check 'a block of one thread has no other lanes' absent activemask

printf '%d of %d checks passed\n' $((checks - failures)) "$checks"
((failures == 0))
