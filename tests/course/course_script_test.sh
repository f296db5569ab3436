#!/usr/bin/env bash
# Tests of ./course: in a copy of it with small chapters, and with stand-ins for the commands that
# it calls (cmake, apt-get, sudo ...), so that machines can be tried that this one is not.
set -uo pipefail
source_folder=${COURSE_SOURCE:-$(cd "$(dirname "$0")/../.." && pwd)}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
checks=0 failures=0

check() { # WHAT CONDITION...
  checks=$((checks + 1))
  "${@:2}" && return
  failures=$((failures + 1))
  printf 'FAILED: %s\n  command: %s\n  exit code: %s\n  stdout: %s\n  stderr: %s\n' \
    "$1" "$command" "$status" "$(head -c 2000 "$work/out")" "$(head -c 2000 "$work/err")"
}
course() {
  command="course $*"
  # shellcheck disable=SC2154
  PATH=${path-$PATH} "$copy/course" "$@" >"$work/out" 2>"$work/err" </dev/null
  status=$?
}
exits() { [[ $status == "$1" ]]; }
prints() { grep -qF -- "$1" "$work/out"; }
complains() { [[ $(wc -l <"$work/err") == 1 ]] && grep -qF -- "$1" "$work/err"; }
silent() { [[ ! -s $work/out ]]; }
same() { [[ $1 == "$2" ]]; }
absent() { ! grep -qE -- "$1" "$2"; }

# ------------------------------------------------------------------- a course of seven programs
copy="$work/a folder with spaces"
mkdir -p "$copy"/{ch03_intro,ch04_parallel,nbody,notachapter,tools} "$copy/common/cpu_device"
cp "$source_folder/course" "$copy"
cp -r "$source_folder/tools/course" "$copy/tools"
echo '# Chapter 4 & more' >"$copy/ch04_parallel/README.md"
printf '%s\n' '# course_program(commented_out)' 'course_program(hello)' 'course_program(add)' \
  >"$copy/ch03_intro/CMakeLists.txt"
printf '%s\n' 'course_program(julia' '  LIBRARIES png glut)  # two (2) lines' \
  'course_program(dot_broken BROKEN_ON_PURPOSE)' 'course_program(needs_two)' \
  'course_program(crash)' >"$copy/ch04_parallel/CMakeLists.txt"
echo 'course_program(nbody_shared)' >"$copy/nbody/CMakeLists.txt"
echo 'course_program(not_listed)' >"$copy/notachapter/CMakeLists.txt"
echo '// Says <hello>. And more.' >"$copy/ch03_intro/hello.cu"
printf '/*\n * Adds 2.5 and 7 on\n * the device.\n */\nint main() {}\n' >"$copy/ch03_intro/add.cu"
printf '// Draws\n// a set\n//\n// Not this.\n' >"$copy/ch04_parallel/julia.cu"
for name in dot_broken needs_two crash; do echo "/* Shows $name */" >"$copy/ch04_parallel/$name.cu"; done
echo 'int x;  // no comment first' >"$copy/nbody/nbody_shared.cu"

# shellcheck disable=SC2016
printf '#!/bin/sh\necho "nvcc $*, cache $CPU_DEVICE_CACHE" >>"$LOG"\n' >"$copy/common/cpu_device/nvcc"
chmod +x "$copy/common/cpu_device/nvcc"

# What the stand-in for cmake "builds".
mkdir "$work/programs"
program() { # NAME TEXT
  printf '#!/bin/sh\n%s\n' "$2" >"$work/programs/$1"
  chmod +x "$work/programs/$1"
}
# shellcheck disable=SC2016
{
program hello 'printf "<b>%s|" "$@"; exit 0'
program add 'echo "worst at 3"; exit 1'
# Two programs may run at a time: it waits until another one is in the report.
program julia 'n=0
  while [ -e ../report.html ] && ! grep -q "[1-9][0-9]* of [0-9]* programs" ../report.html && [ $((n += 1)) -lt 300 ]; do sleep 0.1; done
  grep -o "[0-9]* of [0-9]* programs" ../report.html; cp "$PROGRAMS/hello" julia.png; [ -z "$DISPLAY" ] || exit 1; seq 40'
program dot_broken 'echo "broken as intended: the barrier"'
program needs_two 'echo "skipped: needs two GPUs"; exit 77'
program crash 'kill -SEGV $$'
program nbody_shared 'pwd; exit 0'
}

# ------------------------------------------------------------- a machine of stand-ins, per test
mkdir "$work/stand_ins"
stand_in() { # NAME: what it does, from stdin
  { echo '#!/bin/sh' && cat; } >"$work/stand_ins/$1"
  chmod +x "$work/stand_ins/$1"
}
stand_in g++ <<<'echo 12.0' # finds every header
stand_in ninja <<<'echo 1.11'
stand_in Xvfb <<<''
stand_in xdotool <<<''
stand_in mpicxx <<<''
# shellcheck disable=SC2016
stand_in python3 <<<'exec "$PYTHON" "$@"'
stand_in cmark-gfm <<<''
stand_in cmake <<'END'
echo "cmake $*" >>"$LOG"
case "$1" in
  --version) echo "cmake version ${CMAKE_STAND_IN:-3.25.1}" ;;
  --preset)
    mkdir -p "build/$2"
    touch "build/$2/build.ninja"
    printf '%s' "$NOT_BUILT" >"build/$2/not_built.txt"
    echo "CMAKE_HOME_DIRECTORY:INTERNAL=$PWD" >"build/$2/CMakeCache.txt" ;;
  --build)
    while [ "$1" != --target ]; do [ "$1" = --build ] && folder=$2; shift; done
    for chapter in ch03_intro ch04_parallel nbody; do mkdir -p "$folder/$chapter"; done
    cp "$PROGRAMS/hello" "$PROGRAMS/add" "$folder/ch03_intro"
    for p in julia dot_broken needs_two crash; do cp "$PROGRAMS/$p" "$folder/ch04_parallel"; done
    cp "$PROGRAMS/nbody_shared" "$folder/nbody"
    [ -z "$BUILD_FAILS" ] || {
      printf '[1/2] Compiling x\nFAILED: x\nthe command\nx.cu:3: error: no\n[2/2] y\n'; exit 1; } ;;
esac
END
stand_in apt-get <<'END'
echo "apt-get $*" >>"$LOG"
case "$*" in *install*) cd "$STAND_INS" && cp g++ cmake ninja Xvfb xdotool make mpicxx python3 cmark-gfm "$BIN" ;; esac
END
stand_in apt-cache <<<'exit 0'
stand_in id <<'END'
[ "$1" = -u ] && echo 1000 || echo someone
END
stand_in sudo <<'END'
[ "$1" = -n ] && exit 0
echo "sudo $*" >>"$LOG"
exec "$@"
END
stand_in dnf <<<''
stand_in make <<<''
python=/usr/bin/python3 # rather than the wrapper of a version manager, which needs more than a folder
[[ -x $python ]] || python=$(type -P python3)
export LOG=$work/log PROGRAMS=$work/programs STAND_INS=$work/stand_ins BIN=$work/bin PYTHON=$python

machine() { # COMMAND...: a machine with these stand-ins, Python, and otherwise only the system's basics
  machine_without_python python3 "$@"
}
machine_without_python() {
  rm -rf "$BIN"
  mkdir "$BIN"
  : >"$LOG"
  local tool
  for tool in bash sh env cat sed awk grep tr head tail sort cut paste wc find date stat id readlink \
    dirname mkdir rm mv cp nproc uname timeout iconv tee df touch ls sleep chmod uniq seq tput; do
    tool=$(type -P "$tool") && ln -s "$tool" "$BIN"
  done
  for tool; do
    rm -f "$BIN/$tool"
    cp "$STAND_INS/$tool" "$BIN"
  done
  path=$BIN
}

# ------------------------------------------------------------------------------- command line
machine
course --help
check 'help succeeds' exits 0
check 'help names the commands' prints doctor
course
check 'no command is bad usage' exits 2
course frobnicate
check 'unknown command' exits 2
check 'unknown command, in one line' complains "no command 'frobnicate'"
course tour --fast
check 'unknown option' exits 2
check 'unknown option, in one line' complains "no option '--fast'"
course doctor x
check 'superfluous argument' complains "doctor takes no 'x'"
course list --thorough
check '--thorough is not for everything' complains '--thorough is for ./course test'
course list --all
check '--all is not for everything' complains '--all is for ./course test'
command="sh course --help" status=0
PATH=$path sh "$copy/course" --help >"$work/out" 2>"$work/err"
check 'works when started with sh' prints usage

# --------------------------------------------------------------------------------------- list
course list
check 'list succeeds' exits 0
check 'programs in order' same "$(sed -n 's/^  \([a-z_]*\).*/\1/p' "$work/out" | paste -sd ' ')" \
  'hello add julia dot_broken needs_two crash nbody_shared'
check 'the first sentence of the comment' grep -qE '^  hello +Says <hello>\.$' "$work/out"
check 'a block comment, a number with a point' grep -qE '^  add +Adds 2\.5 and 7 on the device\.$' "$work/out"
check 'a sentence over two lines' grep -qE '^  julia +Draws a set$' "$work/out"
check 'a block comment in one line' grep -qE '^  crash +Shows crash$' "$work/out"
check 'a chapter is called as in its README' prints 'ch04_parallel: Chapter 4 & more'

course list ch04 add
check 'a chapter and a program' same "$(sed -n 's/^  \([a-z_]*\).*/\1/p' "$work/out" | paste -sd ' ')" \
  'add julia dot_broken needs_two crash'
course list ch04_parallel/ nbody/nbody_shared.cu
check 'a folder and a file' same "$(sed -n 's/^  \([a-z_]*\).*/\1/p' "$work/out" | paste -sd ' ')" \
  'julia dot_broken needs_two crash nbody_shared'
course list ch05
check 'an unknown chapter' exits 2
check 'an unknown chapter, in one line' complains "there is no program 'ch05'"

command="the course's own chapters" status=-
for file in "$source_folder"/{ch*,appA_hashtable,nbody}/*.cu; do
  lists=$(dirname "$file")/CMakeLists.txt
  [[ -e $file && -e $lists ]] || continue
  check "$file has its line in CMakeLists.txt" \
    grep -qE "^course_program\($(basename "$file" .cu)\>" "$lists"
  check "$file begins with a comment" grep -qE '^(//|/\*)' <(head -n 1 "$file")
done

# ---------------------------------------------------------------------------------------- run
machine g++ cmake ninja
course run
check 'run without a name' complains 'run needs a program or the path of a .cu file'
course run jula
check 'a misspelt name' exits 2
check 'a misspelt name gets a proposal' complains 'did you mean julia?'
course run broken
check 'a part of a name gets a proposal' complains 'did you mean dot_broken'
course watch
check 'watch needs a program' exits 2
check 'watch needs a program, in one line' complains 'watch needs a program or the path of a .cu file'
course watch jula
check 'watch: a name that is almost right' complains "there is no program 'jula'; did you mean julia"
course profile
check 'profile needs a program, in one line' complains 'profile needs a program or the path of a .cu file'
course profile jula
check 'profile: a name that is almost right' complains "there is no program 'jula'; did you mean julia"
check 'profile: bad usage' exits 2
course profile --fast julia
check 'profile: an unknown option' complains "there is no option '--fast'"
sed -i 's/nbody_shared/& LIBRARIES mpi/' "$copy/nbody/CMakeLists.txt"
course profile nbody_shared
check 'profile: no MPI' complains 'nbody_shared needs MPI, which is not here'
sed -i 's/ LIBRARIES mpi//' "$copy/nbody/CMakeLists.txt"
course run nothing_like_it_at_all
check 'no proposal where nothing is near' absent 'did you mean' "$work/err"
course run hello 'a b' --x ''
check 'arguments reach the program' prints '<b>a b|<b>--x|<b>|'
check 'success is passed on' exits 0
course run add
check 'failure is passed on' exits 1
course --cpu run ch04_parallel/needs_two.cu
check 'skipping is passed on, a path is understood' exits 77
(cd "$work/programs" && PATH=$path "$copy/course" run nbody_shared 2>/dev/null) >"$work/out"
check "a program runs in the user's folder" prints "$work/programs"
BUILD_FAILS=1 course run hello
check 'what does not compile' exits 2
check 'the compiler is heard' grep -q 'x.cu:3: error' "$work/err"
check 'without the command' absent 'the command' "$work/err"
: >"$work/log"
echo 'CMAKE_HOME_DIRECTORY:INTERNAL=/elsewhere' >"$copy/build/cpu/CMakeCache.txt"
touch "$copy/build/cpu/leftover"
course run hello
check 'a build folder of another place is built anew' exits 0
check 'and nothing of it is left' test ! -e "$copy/build/cpu/leftover"
export NOT_BUILT='julia: needs the package libpng-dev'
rm -r "$copy/build/cpu"
course run julia
unset NOT_BUILT
check 'a missing library' exits 2
check 'a missing library is named' complains 'apt-get install libpng-dev'
rm -r "$copy/build/cpu"
course run hello --cpu 'a b'
check '--cpu after the name is not the program'"'"'s' prints '<b>a b|'
check 'and builds for the CPU device' grep -q -- '--preset cpu' "$work/log"
course run hello --gpu
if ! compgen -G '/dev/nvidia[0-9]*' >/dev/null; then
  check '--gpu without a GPU' exits 2
  check '--gpu without a GPU, in one line' complains 'see ./course doctor'
fi
course check --gpu
check 'check --gpu without a program' exits 2
check 'says what it needs, whether there is a GPU or not' complains 'needs the name of a program'

# --------------------------------------------------------------------------------------- test
stand_in ctest <<'END'
echo "ctest $* remember=$COURSE_REMEMBER" >>"$LOG"
END
machine g++ cmake ninja Xvfb xdotool ctest
asked() { grep -qE -- "$1" "$LOG"; }
unset "${!CPU_DEVICE_@}"
course test
check 'test builds the programs and their tests' asked 'cmake --build .* --target programs course_tests '
check 'and leaves out what takes long' asked 'ctest .* -LE heavy.thorough.cpu_device remember='
check 'and what passed before' asked ' remember=1$'
machine g++ cmake ninja Xvfb xdotool ctest
course test --thorough
check 'of which --thorough builds all' asked 'cmake --build .* --target all '
check 'and adds some' asked 'ctest .* -LE heavy.sample remember='
machine g++ cmake ninja Xvfb xdotool ctest
course test --all
check 'but not with --all' asked 'ctest .* -j [0-9]+ remember='
machine g++ cmake ninja Xvfb xdotool ctest
course test --again
check 'what passed before is repeated with --again' asked ' remember=0$'
machine g++ cmake ninja Xvfb xdotool ctest
CPU_DEVICE_ORDER=reverse course test
check 'and with a setting that changes what is tested' asked ' remember=0$'
mkdir -p "$copy/tests/chapters/ch03_intro" "$copy/tests/common"
touch "$copy/tests/chapters/ch03_intro/hello_test.cu" "$copy/tests/common/thing_test.cpp" "$copy/tests/common/script_test.sh"
machine g++ cmake ninja Xvfb xdotool ctest
course test hello add thing
check 'some tests build little' asked '--target hello command_line_check hello_test add thing_test '
check 'and run alone' asked 'ctest .* -R \^\(hello\|add\|thing\)\('
machine g++ cmake ninja Xvfb xdotool ctest
course test tests/common/script_test.sh
check 'a script may need everything' asked '--target all '
course test nothing_like_it_at_all
check 'no such test' exits 2
check 'no such test, in one line' complains "there is no program 'nothing_like_it_at_all'"

# ------------------------------------------------------------------------------------- export
mkdir -p "$copy/common/cpu_device/runtime"
printf '#include "own.h"\n  #  include "../common/a.h"\n#include <vector>\n' >>"$copy/ch04_parallel/julia.cu"
echo '#include "../common/b.h"' >"$copy/ch04_parallel/own.h"
echo '#include "b.h"' >"$copy/common/a.h"
touch "$copy/common/b.h" "$copy/common/not_needed.h" "$copy/ch04_parallel/not_needed.h" \
  "$copy/common/cpu_device/nvcc" "$copy/common/cpu_device/runtime/x.cpp"
path=$PATH
course export julia "$work/export"
check 'export succeeds' exits 0
check 'what the program needs, and no more' same \
  "$(cd "$work/export" && find . -type f | LC_ALL=C sort | paste -sd ' ')" \
  './Makefile ./ch04_parallel/julia.cu ./ch04_parallel/own.h ./common/a.h ./common/b.h ./common/cpu_device/nvcc ./common/cpu_device/runtime/x.cpp'
check 'the command is named' prints 'make && ./julia'
builds_by() { # WHAT FOLDER COMMAND: what its Makefile calls, where there is a make
  ! type -P make >/dev/null || check "$1" same "$(make -sn -C "$2" NVCC=nvcc 2>&1)" "$3"
}
check 'and the packages' prints 'libpng-dev freeglut3-dev'
builds_by 'the libraries are linked' "$work/export" \
  'nvcc -std=c++17 -O2 -g -lineinfo ch04_parallel/julia.cu -o julia -lpng -lglut -lGL'
# Whatever other programs are linked with.
printf '%s\n' 'course_program(add ONCE)' 'course_program(hello)' 'course_program(cores OPENMP' '  LIBRARIES png)' \
  >"$copy/ch03_intro/CMakeLists.txt"
echo 'int main() {}' >"$copy/ch03_intro/cores.cu"
for name in add hello cores; do course export "$name" "$work/export_$name"; done
flags='-std=c++17 -O2 -g -lineinfo'
for name in add hello; do
  builds_by "$name needs no library" "$work/export_$name" \
    "nvcc $flags ch03_intro/$name.cu -o $name"
done
builds_by 'a program for all cores is compiled for them' "$work/export_cores" \
  "nvcc $flags -Xcompiler -fopenmp,-march=native,-ffp-contract=off ch03_intro/cores.cu -o cores -lpng"
course export julia "$work/export"
check 'a folder that is not empty' complains 'already exists and is not empty'
course export julia
check 'no folder' complains 'export needs a program or the path of a .cu file, and a new folder'
course export ch04 "$work/other"
check 'a chapter is no program' exits 2
course export hello /dev/null/x
check 'a folder that cannot be' complains "cannot write to '/dev/null/x'"

printf '%s\n' '# course_program(commented_out)' 'course_program(hello)' 'course_program(add)' \
  >"$copy/ch03_intro/CMakeLists.txt"

# ------------------------------------------------------------------- a program that needs MPI
cp "$copy/nbody/CMakeLists.txt" "$work/lists"
echo 'course_program(ring LIBRARIES mpi)' >>"$copy/nbody/CMakeLists.txt"
echo '// Goes around.' >"$copy/nbody/ring.cu"
machine g++ cmake ninja
course list nbody
check 'without MPI, the list says so' prints 'not built here: it needs MPI (apt-get install libopenmpi-dev)'
check 'of one program' same "$(grep -c 'not built' "$work/out")" 1
export NOT_BUILT='ring: needs the package libopenmpi-dev'
rm -rf "$copy/build"
course tour nbody
check 'the tour skips it' exits 0
check 'and says why' grep -qE 'ring +\.\.\. skipped .*libopenmpi-dev' "$work/out"
check 'it is not built' absent 'target.* ring' "$LOG"
course run ring
check 'run says why, too' complains 'apt-get install libopenmpi-dev'
unset NOT_BUILT
machine g++ cmake ninja mpicxx
course list nbody
check 'with MPI, the list says nothing' absent 'not built' "$work/out"
rm -rf "$copy/build" "$copy/nbody/ring.cu"
cp "$work/lists" "$copy/nbody/CMakeLists.txt"

# -------------------------------------------------------------------------------------- setup
machine apt-get apt-cache
mkdir -p "$copy/common/cpu_device/editor"
cat >"$copy/common/cpu_device/editor/editor.py" <<'END'
import os
import sys
print("editor", *sys.argv[1:], file=open(os.environ["LOG"], "a"))
END
if [[ $(id -u) == 0 ]]; then
  course setup
  check 'root installs' exits 0
  check 'and explains the files to editors' grep -q '^editor --absolute .*/a folder with spaces$' "$work/log"
  check 'one update, one install' same "$(grep -c '^apt-get' "$work/log")" 2
  check 'all packages in one call' grep -q 'install -y .*g++ cmake ninja-build .*libwebp-dev' "$work/log"
  check 'announced in one line' complains 'installing g++ cmake'
  : >"$work/log"
  course setup
  check 'the second time, nothing is installed' absent apt-get "$work/log"
fi
machine apt-get apt-cache id sudo
course setup
check 'sudo installs' exits 0
check 'through sudo' grep -q '^sudo env .*apt-get .*install' "$work/log"
check 'which is announced' complains 'through sudo'
stand_in sudo <<<'exit 1'
for case in none refusing; do
  machine apt-get apt-cache id
  [[ $case == refusing ]] && cp "$STAND_INS/sudo" "$BIN"
  for command_name in setup tour test 'run hello'; do
    # shellcheck disable=SC2086
    course $command_name
    check "may not install, sudo $case" exits 2
    check "may not install, sudo $case: one line" complains \
      'apt-get update && apt-get install -y --no-install-recommends g++ cmake ninja-build'
    check "may not install, sudo $case: nothing else" silent
    check "may not install, sudo $case: nothing tried" absent apt-get "$work/log"
  done
done
machine
course setup
check 'no apt-get' exits 2
check 'no apt-get: names' complains 'g++ cmake ninja-build'
machine dnf
course test
check 'dnf' complains 'sudo dnf install gcc-c++ cmake ninja-build freeglut-devel glew-devel doctest-devel libpng-devel libwebp-devel xorg-x11-server-Xvfb xdotool'
machine g++ ninja cmake
course setup
check 'no display for tests' exits 0
check 'no display for tests: named' complains \
  "tests of windows are skipped. To run them: with your system's package manager (these are Debian's names): xvfb xdotool"
course tour
check 'no display for tests: nobody else needs it' absent 'xvfb' "$work/err"
machine g++ ninja cmake Xvfb xdotool
CMAKE_STAND_IN=3.16.3 course setup
check 'an old CMake' complains 'CMake 3.22 or newer is needed, but this is 3.16.3'

# --------------------------------------------------------------------------------------- tour
machine g++ cmake ninja
DISPLAY=:9 course tour
page=$copy/build/tour/report.html
cover=$copy/build/tour/index.html
check 'a wrong result and a crash fail the tour' exits 1
check 'verified' grep -qE 'hello +\.\.\. verified' "$work/out"
check 'wrong' grep -qE 'add +\.\.\. failed .*wrong result: worst at 3' "$work/out"
check 'skipped' grep -qE 'needs_two +\.\.\. skipped .*\(needs two GPUs\)' "$work/out"
check 'broken' grep -qE 'dot_broken +\.\.\. broken on purpose' "$work/out"
check 'crashed' grep -qE 'crash +\.\.\. failed .*SIGSEGV' "$work/out"
check 'the sum' prints '3 verified, 1 skipped, 1 broken on purpose, 2 failed'
check 'the page shows the picture' grep -qF 'src="julia/julia.png"' "$page"
check 'which is there' test -s "$copy/build/tour/julia/julia.png"
check 'text is escaped' grep -qF '&lt;b&gt;|' "$page"
check 'also purposes and titles' grep -qF 'Says &lt;hello&gt;.' "$page"
check 'titles' grep -qF '>Chapter 4 &amp; more<' "$page"
check 'long output is folded' grep -qF 'output, 41 lines' "$page"
check 'nothing comes from elsewhere' absent '(src|href)="(https?:)?//|@import|url\(' "$page"
check 'every chapter has its link' same \
  "$(grep 'class="filter"' "$page" | grep -o 'href="#[a-z0-9A-Z_]*"' | paste -sd ' ')" \
  'href="#all" href="#ch03_intro" href="#ch04_parallel" href="#nbody"'
check 'every program has its source' same "$(grep -c '<details class="source">' "$page")" 7
check 'escaped, too' grep -qF '// Says &lt;hello&gt;. And more.' "$page"
check 'next and previous' grep -qF '<a rel="prev" href="#hello">' "$page"
check 'colors and keys are beside it' cmp -s "$source_folder/tools/course/site/static/site.js" "$copy/build/tour/site.js"
check 'the first page links it' grep -qF 'href="report.html"' "$cover"
check 'and is complete' absent 'The tour is running' "$cover"
check 'as is the report' absent 'The tour is running|progress.js' "$page"
check 'while it runs, the report grows' grep -qx '[1-6] of 7 programs' "$copy/build/tour/julia/output.txt"
check 'the first program runs before all are built' grep -q -- '--target hello julia ' "$LOG"
check 'without a converter no READMEs, in one line' same "$(grep -c README "$work/err")" 1
check 'which names it' grep -qE "without the pages of the READMEs. To get them: .*cmark-gfm" "$work/err"
check 'and no links to them' absent 'README.html' "$page"
check 'every tag that is opened is closed' same "$(grep -oE '<(section|article|pre|details)' "$page" | wc -l)" \
  "$(grep -oE '</(section|article|pre|details)' "$page" | wc -l)"
course tour hello ch04_parallel/needs_two.cu
check 'a part of the tour' prints '1 verified, 1 skipped, 0 broken on purpose, 0 failed'
check 'builds only that' grep -q -- '--target hello needs_two ' "$work/log"
check 'with a page of it' same "$(grep -c '<article' "$page")" 2
course tour nothing_like_it_at_all
check 'no such program' exits 2
check 'no such program, in one line' complains "there is no program 'nothing_like_it_at_all'"
machine g++ cmake ninja cmark-gfm
course tour hello
check 'with a converter the READMEs are pages' test -s "$copy/build/tour/ch04_parallel/README.html"
check 'which link the report' grep -qF '../report.html' "$copy/build/tour/ch04_parallel/README.html"
stand_in failing <<<'exit 1'
cp "$STAND_INS/failing" "$BIN/cmark-gfm"
course tour hello
check 'pages that cannot be written do not fail the tour' exits 0
check 'which says so' grep -qF "without the pages of the READMEs: " "$work/err"
check 'and no page leads to them' absent 'README.html' "$cover"
if [[ $(id -u) == 0 ]]; then
  machine g++ cmake ninja apt-get apt-cache
  course tour hello
  check 'the converter is installed' grep -q 'install -y .*cmark-gfm$' "$LOG"
  check 'and used' test -s "$copy/build/tour/ch04_parallel/README.html"
  check 'the CPU device is not built ahead where only that was missing' absent nvcc "$LOG"
  machine apt-get apt-cache
  course tour --cpu hello
  check 'a tour on a bare machine' exits 0
  check 'which installs the compiler first' same "$(grep -o 'install -y.*' "$LOG" | head -n 1)" 'install -y --no-install-recommends g++'
  check 'then what only builds of programs need' grep -q 'install -y .*cmake ninja-build' "$LOG"
  check 'and builds the CPU device meanwhile' grep -q "^nvcc .*empty.cu -o .*, cache $copy/build/cpu/cpu_device" "$LOG"
  machine g++ apt-get apt-cache
  course tour --cpu hello
  check 'so it does where there is a compiler' grep -q '^nvcc .*empty.cu' "$LOG"
  machine g++ cmake ninja apt-cache
  printf '#!/bin/sh\nexit 100\n' >"$BIN/apt-get"
  chmod +x "$BIN/apt-get"
  course tour hello
  check 'without a network the tour goes on' exits 0
  check 'and says what is missing, once' same "$(grep -c 'without.*cmark-gfm' "$work/err")" 1
fi
machine g++ cmake ninja
program add 'exit 0'
program crash 'exit 0'
course tour
check 'otherwise it succeeds' exits 0
program dot_broken 'exit 1'
course tour
check 'a mistake that does not show fails the tour' exits 1

# ------------------------------------------------------------------------------------- doctor
machine
course doctor
check 'doctor without anything' exits 1
check 'names the compiler' prints '[problem] not installed: g++ '
check 'every problem has a fix' same "$(grep -c '\[problem\]' "$work/out")" "$(grep -c 'fix: ' "$work/out")"
check 'nothing on stderr' test ! -s "$work/err"

# ------------------------------------------------------------------------------ without Python
machine_without_python g++ cmake ninja
course --help
check 'help needs no Python' prints doctor
course list
check 'without Python' exits 2
check 'without Python, in one line' complains 'Python 3 is missing'
course run hello
check 'nothing to install it with' exits 2
check 'which is said in one line' complains "(these are Debian's names): python3"
printf '#!/bin/sh\necho Python 3.6.8; exit 1\n' >"$BIN/python3"
chmod +x "$BIN/python3"
course list
check 'an old Python' exits 2
check 'an old Python is named' complains 'Python 3.9 or newer is needed, but Python 3.6.8 is older'
if [[ $(id -u) == 0 ]]; then
  machine_without_python apt-get apt-cache
  course setup
  check 'Python is installed' exits 0
  check 'with the build tools' grep -q 'install -y .*g++ cmake ninja-build python3$' "$LOG"
  check 'and then what Python finds missing' grep -q 'apt-get .*update' "$LOG"
  course list
  check 'and from then on used' exits 0
  machine_without_python apt-get apt-cache
  course tour hello
  check 'for a tour with its page templates, at once' grep -q 'install -y .*ninja-build python3 python3-jinja2$' "$LOG"
fi
stand_in sudo <<<'exit 1'
machine_without_python apt-get id sudo
for command_name in setup tour test 'run hello' 'watch hello'; do
  # shellcheck disable=SC2086
  course $command_name
  check 'may not install Python' exits 2
  check 'may not install Python: one line' complains \
    'apt-get update && apt-get install -y --no-install-recommends g++ cmake ninja-build python3'
  check 'may not install Python: nothing tried' absent apt-get "$LOG"
done

# ---------------------------------------------------------------------------------- shellcheck
if type -P shellcheck >/dev/null; then
  command=shellcheck status=-
  shellcheck "$source_folder/course" "$source_folder/.ci/run" "$0" >"$work/out" 2>"$work/err"
  check 'shellcheck has nothing to say' same $? 0
fi

printf '%d checks, %d failed\n' "$checks" "$failures"
((failures == 0))
