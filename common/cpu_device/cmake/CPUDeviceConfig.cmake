# find_package(CPUDevice): a project chooses the CPU device itself, with no toolchain file. The call stands before
# CUDA is enabled, for instance so that a machine without the CUDA Toolkit can still build:
#
#   project(homework LANGUAGES CXX)
#   include(CheckLanguage)
#   check_language(CUDA)
#   if(NOT CMAKE_CUDA_COMPILER)
#     find_package(CPUDevice REQUIRED)
#   endif()
#   enable_language(CUDA)
#
#   cmake -S . -B build -DCPUDevice_ROOT=/path/to/cpu_device [-DCPU_DEVICE_CHECK=ON]
#
# It sets CPUDevice_NVCC, the compiler. It is not found if another CUDA compiler was chosen before.

get_filename_component(CPUDevice_NVCC "${CMAKE_CURRENT_LIST_DIR}/../bin/nvcc" ABSOLUTE)

# What check_language() leaves if there is no compiler would count as a choice.
if(DEFINED CMAKE_CUDA_COMPILER AND NOT CMAKE_CUDA_COMPILER)
  unset(CMAKE_CUDA_COMPILER)
  unset(CMAKE_CUDA_COMPILER CACHE)
endif()

if(DEFINED CMAKE_CUDA_COMPILER)
  get_filename_component(_cpu_device_chosen "${CMAKE_CUDA_COMPILER}" REALPATH)
  get_filename_component(_cpu_device_nvcc "${CPUDevice_NVCC}" REALPATH)
  if(NOT _cpu_device_chosen STREQUAL _cpu_device_nvcc)
    set(CPUDevice_FOUND FALSE)
    set(CPUDevice_NOT_FOUND_MESSAGE "The CUDA compiler is already ${CMAKE_CUDA_COMPILER}. \
Call find_package(CPUDevice) before CUDA is enabled, in a new build folder.")
    return()
  endif()
endif()

include("${CMAKE_CURRENT_LIST_DIR}/toolchain.cmake")
