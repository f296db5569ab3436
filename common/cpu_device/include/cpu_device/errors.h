// CUDA's error codes, with their values.
#pragma once

// name, value, text
#define CPU_DEVICE_ERRORS(X)                                                                       \
  X(cudaSuccess, 0, "no error")                                                                    \
  X(cudaErrorInvalidValue, 1, "invalid argument")                                                  \
  X(cudaErrorMemoryAllocation, 2, "out of memory")                                                 \
  X(cudaErrorInitializationError, 3, "initialization error")                                       \
  X(cudaErrorCudartUnloading, 4, "driver shutting down")                                           \
  X(cudaErrorInvalidConfiguration, 9, "invalid configuration argument")                            \
  X(cudaErrorInvalidPitchValue, 12, "invalid pitch argument")                                      \
  X(cudaErrorInvalidSymbol, 13, "invalid device symbol")                                           \
  X(cudaErrorInvalidHostPointer, 16, "invalid host pointer")                                       \
  X(cudaErrorInvalidDevicePointer, 17, "invalid device pointer")                                   \
  X(cudaErrorInvalidTexture, 18, "invalid texture reference")                                      \
  X(cudaErrorInvalidTextureBinding, 19, "texture is not bound to a pointer")                       \
  X(cudaErrorInvalidChannelDescriptor, 20, "invalid channel descriptor")                           \
  X(cudaErrorInvalidMemcpyDirection, 21, "invalid copy direction for memcpy")                      \
  X(cudaErrorInvalidFilterSetting, 26, "linear filtering not supported for non-float type")        \
  X(cudaErrorInvalidNormSetting, 27, "read as normalized float not supported for 32-bit non float type") \
  X(cudaErrorInsufficientDriver, 35, "CUDA driver version is insufficient for CUDA runtime version") \
  X(cudaErrorDevicesUnavailable, 46, "CUDA-capable device(s) is/are busy or unavailable")          \
  X(cudaErrorInvalidDeviceFunction, 98, "invalid device function")                                 \
  X(cudaErrorNoDevice, 100, "no CUDA-capable device is detected")                                  \
  X(cudaErrorInvalidDevice, 101, "invalid device ordinal")                                         \
  X(cudaErrorMapBufferObjectFailed, 205, "mapping of buffer object failed")                        \
  X(cudaErrorUnmapBufferObjectFailed, 206, "unmapping of buffer object failed")                    \
  X(cudaErrorArrayIsMapped, 207, "array is mapped")                                                \
  X(cudaErrorAlreadyMapped, 208, "resource already mapped")                                        \
  X(cudaErrorNotMapped, 211, "resource not mapped")                                                \
  X(cudaErrorNotMappedAsArray, 212, "resource not mapped as array")                                \
  X(cudaErrorNotMappedAsPointer, 213, "resource not mapped as pointer")                            \
  X(cudaErrorUnsupportedLimit, 215, "limit is not supported on this architecture")                 \
  X(cudaErrorPeerAccessUnsupported, 217, "peer access is not supported between these two devices") \
  X(cudaErrorInvalidGraphicsContext, 219, "invalid OpenGL or DirectX context")                     \
  X(cudaErrorInvalidSource, 300, "device kernel image is invalid")                                 \
  X(cudaErrorFileNotFound, 301, "file not found")                                                  \
  X(cudaErrorOperatingSystem, 304, "OS call failed or operation not supported on this OS")         \
  X(cudaErrorInvalidResourceHandle, 400, "invalid resource handle")                                \
  X(cudaErrorIllegalState, 401, "the operation cannot be performed in the present state")          \
  X(cudaErrorSymbolNotFound, 500, "named symbol not found")                                        \
  X(cudaErrorNotReady, 600, "device not ready")                                                    \
  X(cudaErrorIllegalAddress, 700, "an illegal memory access was encountered")                      \
  X(cudaErrorLaunchOutOfResources, 701, "too many resources requested for launch")                 \
  X(cudaErrorLaunchTimeout, 702, "the launch timed out and was terminated")                        \
  X(cudaErrorPeerAccessAlreadyEnabled, 704, "peer access is already enabled")                      \
  X(cudaErrorPeerAccessNotEnabled, 705, "peer access has not been enabled")                        \
  X(cudaErrorSetOnActiveProcess, 708, "cannot set while device is active in this process")         \
  X(cudaErrorContextIsDestroyed, 709, "context is destroyed")                                      \
  X(cudaErrorAssert, 710, "device-side assert triggered")                                          \
  X(cudaErrorHostMemoryAlreadyRegistered, 712, "part or all of the requested memory range is already mapped") \
  X(cudaErrorHostMemoryNotRegistered, 713, "pointer does not correspond to a registered memory region") \
  X(cudaErrorHardwareStackError, 714, "hardware stack error")                                      \
  X(cudaErrorIllegalInstruction, 715, "an illegal instruction was encountered")                    \
  X(cudaErrorMisalignedAddress, 716, "misaligned address")                                         \
  X(cudaErrorInvalidAddressSpace, 717, "operation not supported on global/shared address space")   \
  X(cudaErrorLaunchFailure, 719, "unspecified launch failure")                                     \
  X(cudaErrorCooperativeLaunchTooLarge, 720, "too many blocks in cooperative launch")              \
  X(cudaErrorNotPermitted, 800, "operation not permitted")                                         \
  X(cudaErrorNotSupported, 801, "operation not supported")                                         \
  X(cudaErrorUnknown, 999, "unknown error")

enum cudaError {
#define CPU_DEVICE_ERROR(name, value, text) name = value,
  CPU_DEVICE_ERRORS(CPU_DEVICE_ERROR)
#undef CPU_DEVICE_ERROR
};
typedef cudaError cudaError_t;

const char* cudaGetErrorString(cudaError_t error);
const char* cudaGetErrorName(cudaError_t error);
// The last error of a call by this host thread. Get forgets it, unless it is one from which the
// device does not recover.
cudaError_t cudaGetLastError();
cudaError_t cudaPeekAtLastError();
