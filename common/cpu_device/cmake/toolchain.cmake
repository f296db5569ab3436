# Builds a CUDA project for the CPU device, without a change to the project:
#
#   cmake -S . -B build --toolchain /path/to/cpu_device/cmake/toolchain.cmake
#   cmake -S . -B build --toolchain ... -DCPU_DEVICE_CHECK=ON    checked runs: nvcc --check
#
# find_package(CUDAToolkit) also finds the CPU device. CMake before 3.21: -DCMAKE_TOOLCHAIN_FILE=...
# A project that chooses the CPU device itself calls find_package(CPUDevice), see CPUDeviceConfig.cmake.

get_filename_component(_cpu_device "${CMAKE_CURRENT_LIST_DIR}" DIRECTORY)

# CMake looks for the Toolkit's folder above the compiler's bin/.
set(CMAKE_CUDA_COMPILER "${_cpu_device}/bin/nvcc" CACHE FILEPATH "the CPU device's nvcc")
set(CUDAToolkit_ROOT "${_cpu_device}" CACHE PATH "the CPU device")

# One architecture is enough, since all code is compiled for the host. A project's own choice stays.
if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES AND NOT DEFINED ENV{CUDAARCHS})
  set(CMAKE_CUDA_ARCHITECTURES 90 CACHE STRING "what the CPU device reports")
endif()

option(CPU_DEVICE_CHECK "checked runs: races, bounds, uninitialized memory ... in words" OFF)
# CMake's own small projects, which try the compiler, also read this file.
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES CPU_DEVICE_CHECK)
if(CPU_DEVICE_CHECK)
  set(CMAKE_CUDA_FLAGS_INIT "--check -g")
  set(_cpu_device_check --check)
endif()

# Where find_package(CUDAToolkit) finds libcudart: before the system's folders, where a Toolkit's libraries may be.
get_property(_cpu_device_in_try_compile GLOBAL PROPERTY IN_TRY_COMPILE)
if(NOT _cpu_device_in_try_compile AND NOT DEFINED CPU_DEVICE_LIBRARIES)
  execute_process(COMMAND "${_cpu_device}/bin/nvcc" ${_cpu_device_check} --print-library-folder
                  OUTPUT_VARIABLE CPU_DEVICE_LIBRARIES OUTPUT_STRIP_TRAILING_WHITESPACE)
endif()
set(CMAKE_LIBRARY_PATH ${CPU_DEVICE_LIBRARIES} ${CMAKE_LIBRARY_PATH})
