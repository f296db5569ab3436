# What the host compiler says of a program, for its user. First one line for each name, header and library of CUDA
# that the CPU device does not have: where it stands, where it belongs, what helps. Then the compiler's text without
# what is ours in it (the call's place, a parameter that each function here has; the lambda that a kernel becomes), and
# shortened if it is long.
# Variables: most=LINES of the text to show, 0: all; list=PATH of the list of what there is.

function library_of(name) {
  if (name ~ /^(cublasLt|CUBLASLT)/) return "cuBLASLt"
  if (name ~ /^(cublasXt|CUBLASXT)/) return "cuBLASXt"
  if (name ~ /^(cublas|CUBLAS)/) return "cuBLAS"
  if (name ~ /^(cufft|CUFFT)/) return "cuFFT"
  if (name ~ /^(curand|CURAND)/) return "cuRAND"
  if (name ~ /^(cusparse|CUSPARSE)/) return "cuSPARSE"
  if (name ~ /^(cusolver|CUSOLVER)/) return "cuSOLVER"
  if (name ~ /^(cudnn|CUDNN)/) return "cuDNN"
  if (name ~ /^(nccl|NCCL)/) return "NCCL"
  if (name ~ /^(npp|Npp|NPP)/) return "NPP"
  if (name ~ /^(nvjpeg|NVJPEG)/) return "nvJPEG"
  if (name ~ /^(nvml|NVML)/) return "NVML"
  if (name ~ /^(nvrtc|NVRTC)/) return "NVRTC"
  if (name ~ /^(nvJitLink|NVJITLINK)/) return "nvJitLink"
  if (name ~ /^(cudaGL|cudaGraphics)/) return "the runtime interface (graphics)"
  if (name ~ /^cuda[A-Z]/) return "the runtime interface"
  if (name ~ /^(cu[A-Z]|CU[a-z]|CU_|CUDA_)/) return "the driver interface"
  if (name ~ /^__(nv_|h|half|bfloat16|float|double|int|uint|ll|ull|shfl|ballot|any|all|match|reduce|sync|thread|ld|st|v[a-z]+[24]|d[a-z]+_r|f[a-z]+_r)/)
    return "the functions of kernels"
  return ""
}

# The name between the first quotes of the text, as gcc or clang write them.
function quoted(text) {
  if (!match(text, /(‘|')[^’']+(’|')/)) return ""
  text = substr(text, RSTART, RLENGTH)
  gsub(/^(‘|')|(’|')$/, "", text)
  return text
}

function tell(place, what) {
  if (what in told || told_count >= 8) return
  told[what] = 1
  told_count++
  printf "nvcc: %s: %s\n", place, what
}

function place_of(line) {
  if (match(line, /^[^:]+:[0-9]+/)) return substr(line, RSTART, RLENGTH)
  return "the program"
}

function look_at(line,    name, home, part) {
  if (line ~ /^In file included from /) {
    including = line
    sub(/^In file included from /, "", including)
    including = place_of(including)
  }
  if (line ~ /error: #error ".* on the CPU device/) {
    match(line, /#error "[^"]*"/)
    tell(including == "" ? place_of(line) : including, substr(line, RSTART + 8, RLENGTH - 9))
    return
  }
  if (line !~ /error: /) return
  if (line ~ /was not declared|has not been declared|does not name a type|no arguments to|undeclared identifier|unknown type name|is not a type|did not name a|has no member named/) {
    part = line
    sub(/.*error: /, "", part)
    if (part ~ /has no member named/) {
      name = part
      sub(/.*has no member named /, "", name)
      name = quoted(name)
      if (part !~ /(‘|')(const )?(struct )?(cuda|CU)[A-Za-z0-9_]+(’|') has no member/) return
      home = quoted(part)
      tell(place_of(line), home " has no member '" name "' on the CPU device. " list " lists what it supports")
      return
    }
    name = quoted(part)
    home = library_of(name)
    if (home != "")
      tell(place_of(line), "'" name "' looks like a CUDA name (" home ") that the CPU device does not have. " \
           "Check the spelling. " list " lists what it supports")
  } else if (line ~ /is not a member of (‘|')(thrust|cub|cuda|cooperative_groups|nvcuda)/) {
    part = line
    sub(/.*error: /, "", part)
    name = quoted(part)
    home = part
    sub(/.*is not a member of /, "", home)
    home = quoted(home)
    tell(place_of(line), "'" home "::" name "' is not in the included headers. Include its header, as for a GPU. It may " \
         "also be missing in this version of CCCL")
  }
}

# What learners often write in place of CUDA's own syntax: one line says how it is written.
function look_for_habits(line, next_line,    name) {
  if (line ~ /fatal error: .*: No such file or directory/) {
    name = line
    sub(/.*fatal error: /, "", name)
    sub(/: No such file.*/, "", name)
    if (name == "cpu_device/the error above") return # our headers stop the compiler so, after their own message
    if (name ~ /^(helper_|exception\.h|rendercheck)/)
      tell(place_of(line), name " comes with NVIDIA's samples, not with CUDA. Give nvcc their folder: -I cuda-samples/Common")
    else
      tell(place_of(line), "there is no header " name " in CUDA, nor in the folders that nvcc searches. If it is yours, give " \
           "nvcc its folder: -I FOLDER")
  } else if (line ~ /error: invalid operands of types [^a-z]*void ?\(.*binary [^a-z]*operator<</) {
    tell(place_of(line), "a launch has three angle brackets on each side: kernel<<<blocks, threads>>>(arguments)")
  } else if (line ~ /error: (storage size of|variable-sized|size of array)/ && next_line ~ /__shared__/) {
    tell(place_of(line), "the size of a __shared__ array must be a constant. If it is known only at run time: extern " \
         "__shared__ float s[]; and its bytes as the third value of <<<blocks, threads, bytes>>>")
  } else if (line ~ /error: no matching function for call to [^a-z]*cudaMalloc(Managed|Host)?\(/) {
    tell(place_of(line), "this function stores an address, so it needs the address of a pointer, and the number of bytes: " \
         "cudaMalloc(&a, n * sizeof(*a))")
  } else if (line ~ /error: too few arguments to function [^a-z]*cudaError_t cudaMemcpy\(/) {
    tell(place_of(line), "cudaMemcpy() needs four arguments: to, from, the number of bytes, and the direction, such as " \
         "cudaMemcpyHostToDevice")
  } else if (line ~ /undefined reference to /) {
    name = line
    sub(/.*undefined reference to ./, "", name)
    sub(/.$/, "", name)
    if (name !~ /^(main|_|cpu_device)/)
      tell(place_of(line), "'" name "' is declared and used, but none of the linked files defines it. Define it, or add the " \
           "file or the library that does")
  }
}

# The kernel around a line of a source, for errors in it: its body is compiled as a lambda. Empty if the line stands in
# a lambda of the program's, or in no kernel.
function kernel_at(file, line_number,    number, source, name, pending_kernel) {
  name = ""
  for (number = 1; number <= line_number && (getline source < file) > 0; number++) {
    sub(/\/\/.*/, "", source)
    if (source ~ /^[A-Za-z].*\)[ \t]*\{?[ \t]*$/ && source !~ /__global__/ && name != "" && !pending_kernel) name = ""
    if (source ~ /__global__/) pending_kernel = 1
    if (pending_kernel && match(source, /[A-Za-z_][A-Za-z_0-9]*[ \t]*\(/) && source !~ /__launch_bounds__\(.*\)[ \t]*$/) {
      sub(/.*__launch_bounds__[ \t]*\([^)]*\)/, "", source)
      match(source, /[A-Za-z_][A-Za-z_0-9]*[ \t]*\(/)
      name = substr(source, RSTART, RLENGTH)
      sub(/[ \t]*\($/, "", name)
      pending_kernel = 0
    } else if (name != "" && source ~ /\][ \t]*(\(|\{|mutable)/ && source ~ /\[(=|&|this|\]|[a-z_]+\])/) {
      name = ""
    }
  }
  close(file)
  return name
}

function name_kernel(i,    j, place, name) {
  for (j = i + 1; j <= count && text[j] !~ /^[^ ]+:[0-9]+:[0-9]+: /; j++) {}
  if (j > count) return
  split(text[j], place, ":")
  name = kernel_at(place[1], place[2] + 0)
  if (name != "") sub(/In lambda function:/, "In kernel \342\200\230" name "\342\200\231:", text[i])
}

# Without what is ours.
function cleaned(line) {
  gsub(/function `void cpu_device::run_thread<[^{]*::\{lambda\(\)#[0-9]+\}>\(void const\*\)'/, "a kernel", line)
  gsub(/void cpu_device::run_thread<[^{]*::\{lambda\(\)#[0-9]+\}>\(void const\*\)/, "a kernel", line)
  gsub(/, (const )?cpu_device::Site( site)?( = cpu_device::Site::here\(\))?/, "", line)
  gsub(/\((const )?cpu_device::Site( site)?( = cpu_device::Site::here\(\))?\)/, "()", line)
  gsub(/, CPU_DEVICE_SITE/, "", line)
  gsub(/\(CPU_DEVICE_SITE\)/, "()", line)
  gsub(/ cpu_device::Site site = cpu_device::Site::here\(\)/, "", line)
  return line
}

{
  text[++count] = $0
}

END {
  for (i = 1; i <= count; i++) {
    look_at(text[i])
    look_for_habits(text[i], text[i + 1])
    if (text[i] ~ /: In lambda function:$/) name_kernel(i)
  }
  if (most <= 0 || count <= most + 3) most = count
  for (i = 1; i <= most; i++) print cleaned(text[i])
  if (most < count) printf "nvcc: %d more lines of compiler output. nvcc -v shows all\n", count - most
}
