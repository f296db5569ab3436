#!/bin/bash
# What a student does for some exercises of chapters 5 to 7, in a copy of the sources: right solutions
# must pass the programs' own checks, and mistakes must not. On the CPU device: where a GPU rounds
# otherwise, the exercises' texts say what to do.
set -u
[ "${COURSE_DEVICE:-cpu}" = cpu ] || { echo 'skipped: for the CPU device'; exit 77; }
source_dir=${COURSE_SOURCE:-$(cd "$(dirname "$0")/../.." && pwd)}
export CPU_DEVICE_CACHE=${COURSE_BUILD:-$source_dir/build/cpu}/cpu_device
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cp -r "$source_dir/common" "$source_dir/ch05_threads" "$source_dir/ch06_constant" \
  "$source_dir/ch07_texture" "$scratch"
cd "$scratch" || exit 1
failures=0

# compile PROGRAM: as changed so far, into ./program.
compile() {
  common/cpu_device/nvcc -std=c++17 "$1" -o program || { echo "FAILED: $1 does not compile"; exit 1; }
}

# expect CODE TEXT ARGUMENTS...: what ./program must end with and print.
expect() {
  local code=$1 text=$2 output status
  shift 2
  output=$(env -u DISPLAY ./program "$@" 2>&1)
  status=$?
  if [ $status -ne "$code" ] || [[ $output != *"$text"* ]]; then
    echo "FAILED: $exercise: exit code $status instead of $code, or not '$text' in: $output"
    failures=$((failures + 1))
  fi
}

# edit FILE SED_SCRIPT: changes the file, or fails if there is nothing to change.
edit() {
  cp "$1" before
  sed -i -E "$2" "$1"
  cmp -s "$1" before && { echo "FAILED: $exercise: '$2' changes nothing in $1"; exit 1; }
}

exercise='chapter 5, the guard left out'
edit ch05_threads/vector_add_ceil.cu 's/^  if \(i < n\) c\[i\]/  c[i]/'
compile ch05_threads/vector_add_ceil.cu
expect 1 'illegal memory access'

exercise='chapter 5, a tree for any number of threads'
edit ch05_threads/dot.cu 's/^  for \(unsigned half = .*/  for (unsigned count = blockDim.x; count > 1; count = (count + 1) \/ 2) {\
    const unsigned half = (count + 1) \/ 2;/
  s/cache_index < half\)/cache_index < count \/ 2)/; s/Threads::kPowerOfTwo/Threads::kAny/'
compile ch05_threads/dot.cu
for threads in 1 2 3 100 1023; do expect 0 'by the formula' --size 10007 --threads $threads; done
edit ch05_threads/dot.cu 's/count > 1; count = \(count \+ 1\)/count > 1; count = count/'
compile ch05_threads/dot.cu
expect 1 'the dot product is wrong' --size 10007 --threads 100

exercise='chapter 6, a second ray'
edit ch06_constant/scene.h 's/^  float nearest = .*/&\n  const Sphere* met = nullptr;/
  s/^      nearest = z;/&\n      met = \&spheres[i];/'
# The code is the page's: the block of its answer.
awk '/met != nullptr/ { inside = 1 } inside && /```/ { exit } inside' \
  "$source_dir/ch06_constant/MORE.md" > reflection
[ -s reflection ] || { echo "FAILED: $exercise: the page has no code"; exit 1; }
awk '/return make_uchar4\(static_cast/ { while ((getline line < "reflection") > 0) print line } { print }' \
  ch06_constant/scene.h > scene && mv scene ch06_constant/scene.h
compile ch06_constant/ray_constant.cu
expect 1 'the picture is wrong' --size 512
for picture in program_wrong.png program_difference.png; do
  [ -s $picture ] || { echo "FAILED: $exercise: there is no $picture"; failures=$((failures + 1)); }
done
edit ch06_constant/scene.h 's/(kRaysStayInTheirRow =) true/\1 false/'
compile ch06_constant/ray_constant.cu
expect 0 'pixels differ' --size 512

exercise='chapter 7, exercise 2: another speed'
edit common/lessons/heat.h 's/(float kSpeed =) 0.25f/\1 0.3f/'
compile ch07_texture/heat_global.cu
expect 0 '90 steps verified' --size 64 --frames 1
edit common/lessons/heat.h 's/(float kSpeed =) 0.3f/\1 0.25f/'

exercise='chapter 7, exercise 4: a torus'
edit ch07_texture/heat_texture_2d.cu 's/cudaAddressModeClamp;/cudaAddressModeWrap;/
  s/^  how.readMode = .*/&\n  how.normalizedCoords = 1;/
  s#tex2D<float>\((in|heaters), x ([+-] [0-9.]+f), y ([+-] [0-9.]+f)\)#tex2D<float>(\1, (x \2) / size, (y \3) / size)#'
compile ch07_texture/heat_texture_2d.cu
expect 1 'the temperature is wrong' --size 64 --frames 1
edit common/lessons/heat.h 's/return std::clamp\(cell, 0, size - 1\);/return (cell + size) % size;/'
compile ch07_texture/heat_texture_2d.cu
expect 0 '90 steps verified' --size 64 --frames 1
edit common/lessons/heat.h 's/return \(cell \+ size\) % size;/return std::clamp(cell, 0, size - 1);/'

exercise='chapter 7, exercise 7: temperatures of 16 bits'
edit ch07_texture/heat_global.cu \
  's/^  out\[offset\] = (next_temperature\(.*\));/  out[offset] = roundf(65535 * \1) \/ 65535;/'
compile ch07_texture/heat_global.cu
expect 1 'the temperature is wrong' --size 64 --frames 1
edit common/lessons/heat.h 's/(kStoredError =) 0x1p-24/\1 1.0 \/ 65535/'
compile ch07_texture/heat_global.cu
expect 0 '90 steps verified' --size 64 --frames 1

[ $failures -eq 0 ] && echo 'all exercises as they should be'
exit $((failures > 0))
