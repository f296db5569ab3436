#!/usr/bin/env bash
# Sessions with cuda-debug: what gdb prints is compared with debugger/*.expected, where it stands below
# each command. After a change that is meant: debugger_test.sh --write, and read the difference.
set -uo pipefail
source_folder=${COURSE_SOURCE:-$(cd "$(dirname "$0")/../.." && pwd)}
bin=$source_folder/common/cpu_device/bin
sessions=$source_folder/tests/cpu_device/debugger
unset "${!CPU_DEVICE_@}" NVCC_PREPEND_FLAGS NVCC_APPEND_FLAGS
[[ -z ${COURSE_BUILD-} ]] || export CPU_DEVICE_CACHE=$COURSE_BUILD/cpu_device
if [[ $(gdb -nx -batch -ex 'python print("yes")' 2>/dev/null) != yes ]]; then
  echo 'skipped: there is no gdb with Python (sudo apt-get install gdb)'
  exit 77
fi
if ! gdb -nx -batch -ex run /bin/true 2>&1 | grep -q 'exited normally'; then
  echo 'skipped: gdb cannot run programs here (a container without ptrace?)'
  exit 77
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export XDG_CACHE_HOME=$work/cache HOME=$work DEBUGINFOD_URLS='' COLUMNS=80 LINES=24
checks=0 failures=0

fail() {
  failures=$((failures + 1))
  printf 'FAILED: %s\n' "$*"
}

# What differs from run to run: addresses, numbers of processes, and what gdb says before it begins.
plain() {
  sed -E -e 's/^(\(gdb\) )+//' -e 's/0x[0-9a-f]{4,}/ADDRESS/g' -e 's/process [0-9]+/process N/' \
    -e 's/^#[0-9]+ +(ADDRESS in )?/# /' -e 's/^Starting program:.*/Starting program/' \
    -e '/^\[(Switching to Thread|Thread debugging|Detaching after)/d' \
    -e '/^(Using host libthread|Reading symbols|warning: Error disabling address)/d' -e '/^\+\+/d' -e '/^\+quit$/d'
}

session() { # session NAME WORKERS OPTIONS... PROGRAM [ARGUMENTS]
  local name=$1 workers=$2
  checks=$((checks + 1))
  { echo 'set trace-commands on' && cat "$sessions/$name.gdb"; } |
    timeout 300 "$bin/cuda-debug" --workers "$workers" "${@:3}" 2>&1 | plain >"$work/$name.out"
  if [[ -n $write ]]; then
    cp "$work/$name.out" "$sessions/$name.expected"
  elif ! diff -u "$sessions/$name.expected" "$work/$name.out" >"$work/difference"; then
    fail "session $name with $workers workers"
    head -60 "$work/difference"
  fi
}

refuses() { # refuses WORDS ARGUMENTS...
  checks=$((checks + 1))
  "$bin/cuda-debug" "${@:2}" >"$work/out" 2>&1 </dev/null
  local status=$?
  [[ $status == 2 && $(wc -l <"$work/out") == 1 && $(<"$work/out") == *"$1"* ]] ||
    fail "cuda-debug ${*:2}: $status $(head -c 500 "$work/out")"
}

write=''
[[ ${1-} != --write ]] || write=1
mkdir "$work/a folder" && cd "$work/a folder" || exit 1
cp "$sessions"/*.cu .

"$bin/nvcc" -g -G session.cu -o session || exit 1
session session 1 ./session
session four_workers 4 ./session two
session steps 1 steps.cu
"$bin/nvcc" --check -g -G mistakes.cu -o mistakes || exit 1
session mistakes 1 --check mistakes.cu

# As Visual Studio Code talks to gdb, and what it is told.
checks=$((checks + 1))
timeout 300 python3 -B "$sessions/mi_session.py" "$bin/cuda-debug" ./session >"$work/out" 2>&1 ||
  fail "machine interface: $(tail -30 "$work/out")"
if gdb -nx -batch -ex 'python import gdb.dap' >/dev/null 2>&1; then
  for words in '' ./session; do  # The editor names the program, and so may the command line.
    checks=$((checks + 1))
    timeout 300 python3 -B "$sessions/dap_session.py" "$bin/cuda-debug" ./session ${words:+"$words"} >"$work/out" 2>&1 ||
      fail "debug adapter protocol: $(tail -30 "$work/out")"
  done
else
  echo 'skipped: the debug adapter protocol, which gdb 14 and newer speak'
fi
checks=$((checks + 1))
mkdir -p editor/.vscode && echo '{"files.associations": {"*.x": "c"}}' >editor/.vscode/settings.json
"$bin/cuda-debug" --vscode editor >"$work/out" 2>&1 && "$bin/cuda-debug" --vscode editor >/dev/null &&
  python3 - "$bin" <<'END' || fail "--vscode: $(<"$work/out")"
import json, os, sys
load = lambda name: json.load(open("editor/.vscode/" + name))
launch, tasks, settings = load("launch.json"), load("tasks.json"), load("settings.json")
assert len(launch["configurations"]) == 2 and len(tasks["tasks"]) == 2, launch
assert settings["files.associations"] == {"*.x": "c", "*.cu": "cuda-cpp", "*.cuh": "cuda-cpp"}, settings
for one in launch["configurations"]:
    script = one["setupCommands"][1]["text"].removeprefix("source ")
    assert os.path.exists(script) and one["preLaunchTask"] in [task["label"] for task in tasks["tasks"]], one
folder = os.path.realpath("editor")
task = tasks["tasks"][0]  # It builds what launch.json starts.
words = [word.replace("${workspaceFolder}", folder).replace("${fileBasenameNoExtension}", "session")
         .replace("${file}", os.path.realpath("session.cu")) for word in [task["command"], *task["args"]]]
assert os.spawnvp(os.P_WAIT, words[0], words) == 0 and os.access("editor/.vscode/build/session", os.X_OK), words
assert load("c_cpp_properties.json")["configurations"][0]["name"] == "CPU device"
END
echo '{ // mine' >editor/.vscode/launch.json
refuses 'launch.json cannot be read' --vscode editor
refuses "'nothing' is not a folder" --vscode nothing

refuses 'name a program'
refuses "there is no file 'nothing.cu'" nothing.cu
refuses 'is a folder' .
refuses "unknown option '--fish'" --fish session.cu
refuses '--workers must be a number' --workers 0 session.cu
refuses '--check is for .cu files' --check ./session
checks=$((checks + 1))
mkdir 'my headers' && echo '#define CODE 7' >'my headers/code.h'
printf '#include "code.h"\nint main() { return CODE; }\n' >code.cu
"$bin/cuda-debug" --flags "-I 'my headers'" --flags '' --batch -ex run code.cu >"$work/out" 2>&1 </dev/null
grep -q 'exited with code 07' "$work/out" || fail "--flags with quotes: $(<"$work/out")"
checks=$((checks + 1))
CUDA_DEBUG_GDB=no-such-gdb "$bin/cuda-debug" ./session >"$work/out" 2>&1 </dev/null
grep -q 'gdb is not installed. Install it: sudo apt-get install gdb' "$work/out" || fail 'without gdb'

# Ctrl-C in gdb, and Ctrl-\ in an ordinary run, of a kernel that never ends.
cat >hang.cu <<'END'
__global__ void hang(int* flag) {
  __shared__ int seen[8];
  if (threadIdx.x >= 2) __syncthreads();
  while (*flag == 0) { }
  seen[threadIdx.x] = *flag;
}
int main() {
  int* flag;
  cudaMalloc(&flag, sizeof(int));
  cudaMemset(flag, 0, sizeof(int));
  hang<<<1, 8>>>(flag);
  return cudaDeviceSynchronize();
}
END
"$bin/nvcc" -g -G hang.cu -o hang || exit 1
checks=$((checks + 1))
python3 - "$bin/cuda-debug" >"$work/out" 2>&1 <<'END' || fail "Ctrl-C or Ctrl-\\: $(<"$work/out")"
import os, re, signal, subprocess, sys, time

def wait_for(file, text, process, seconds=60):
    end = time.time() + seconds
    while time.time() < end:
        if text in open(file).read():
            return
        time.sleep(0.1)
    process.kill()
    sys.exit("%r did not come: %s" % (text, open(file).read()))

# An ordinary run.
with open("err", "w") as err:
    run = subprocess.Popen(["./hang"], stderr=err, env={**os.environ, "CPU_DEVICE_THREADS": "1"},
                           preexec_fn=lambda: signal.signal(signal.SIGQUIT, signal.SIG_DFL))
time.sleep(1)
for attempt in range(30):  # it may not have come to the kernel yet
    run.send_signal(signal.SIGQUIT)
    time.sleep(1)
    if "runs, line 4" in open("err").read() or run.poll() is not None:
        break
alive = run.poll() is None
run.kill()
text = open("err").read()
if not alive or not re.search(r"kernel hang, block \(0,0,0\) of a grid of \(1,1,1\), 8 threads, hang.cu\n"
                              r" +\(0,0,0\) +1  runs, line 4\n +\(1,0,0\)-\(7,0,0\) +7  not started\n", text):
    sys.exit("Ctrl-\\: " + text)

# In gdb.
with open("out", "w") as out:
    gdb = subprocess.Popen([sys.argv[1], "--workers", "1", "./hang"], stdin=subprocess.PIPE, stdout=out,
                           stderr=subprocess.STDOUT, text=True, start_new_session=True)
gdb.stdin.write("run\n")
gdb.stdin.flush()
wait_for("out", "Using host libthread_db", gdb)
time.sleep(2)
def children(pid):
    listing = subprocess.run(["ps", "-o", "pid=", "--ppid", str(pid)], stdout=subprocess.PIPE, text=True).stdout
    return [int(one) for one in listing.split()]
for child in children(gdb.pid):
    os.kill(child, signal.SIGINT)
wait_for("out", "not started", gdb)
gdb.stdin.write("kill\nquit\n")
gdb.stdin.close()
gdb.wait(timeout=60)
text = open("out").read()
if "hang (flag=" not in text or not re.search(r"\* +\(0,0,0\) +1 +runs +hang.cu +4\n +\(1,0,0\) +\(7,0,0\) +7 +not started",
                                              text):
    sys.exit("Ctrl-C: " + text)
END

printf '%d checks, %d failed\n' "$checks" "$failures"
[[ $failures == 0 ]]
