# What the host compiler says of a program, for its user. First one line for each name, header and library of CUDA
# that the CPU device does not have: where it stands, where it belongs, what helps. Then the compiler's text without
# what is ours in it (the call's place, a parameter that each function here has), and shortened if it is long.
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

# Without what is ours.
function cleaned(line) {
  gsub(/, (const )?cpu_device::Site( site)?( = cpu_device::Site::here\(\))?/, "", line)
  gsub(/\((const )?cpu_device::Site( site)?( = cpu_device::Site::here\(\))?\)/, "()", line)
  gsub(/, CPU_DEVICE_SITE/, "", line)
  gsub(/\(CPU_DEVICE_SITE\)/, "()", line)
  gsub(/ cpu_device::Site site = cpu_device::Site::here\(\)/, "", line)
  return line
}

{
  text[++count] = $0
  look_at($0)
}

END {
  if (most <= 0 || count <= most + 3) most = count
  for (i = 1; i <= most; i++) print cleaned(text[i])
  if (most < count) printf "nvcc: %d more lines of compiler output. nvcc -v shows all\n", count - most
}
