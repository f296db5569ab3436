// What the rewriter makes of kernels and launches:
//
//   add<<<grid, block>>>(a, b)      (cpu_device::configure(grid, block), add(a, b))
//   __global__ void add(...) { B }  void add(...) { cpu_device::kernel("add", [=]() mutable { B }); }
//
// so a kernel's name is a function that packs its arguments, converted to the parameters' types, and
// queues the launch, just as nvcc's stub does.
#pragma once

#include <stddef.h>

#include <new>
#include <type_traits>
#include <utility>

// Not with nvcc --no-loops: its optimize() would change how headers that are compiled ahead are compiled with -O0.
#ifdef CPU_DEVICE_LANES_LEVEL
#include "block_loops.h"
#endif
#include "qualifiers.h"
#include "site.h"
#include "vector_types.h"

struct CUstream_st;
typedef CUstream_st* cudaStream_t;

namespace cpu_device {

// Says how the kernel that is called next on this host thread is launched.
void configure(dim3 grid, dim3 block, size_t shared_bytes = 0, cudaStream_t stream = nullptr,
               const char* file = __builtin_FILE(), int line = __builtin_LINE());

// A parameter of the kernel that is being launched is a reference to what lies at the address.
void refer(const char* parameter, const volatile void* address);

// What the rewriter makes of __cluster_dims__: the blocks of the kernel that is being launched come in
// clusters of so many.
void cluster(unsigned int x, unsigned int y = 1, unsigned int z = 1);

// What the rewriter makes of __launch_bounds__: the kernel that is being launched takes no larger blocks.
// How many blocks a multiprocessor should hold is for a compiler that shares out registers.
void launch_bounds(int threads, int blocks = 0, int blocks_of_cluster = 0);

// What the rewriter tells of a kernel that some threads may leave, in this line, before others come to a barrier.
void threads_may_leave(int line);

struct BlockPlace;  // block_loops.h

// A kernel with its arguments, type-erased.
struct KernelType {
  const char* name;
  size_t size, alignment;              // of the arguments
  void (*run)(const void* arguments);  // one thread
  // All threads of a block, where the rewriter has made a form for that (block_loops.h), or null; its own
  // arguments begin so many bytes behind.
  bool (*run_block)(const void* arguments, const BlockPlace& place) = nullptr;
  size_t block_arguments = 0;
  int lanes_level = 0;  // instructions that it needs
};

// Queues the kernel with the configuration given last; copies the arguments byte by byte, as CUDA
// does, so no constructor or destructor runs for the copies that the device gets.
void launch(const KernelType& type, const void* arguments);

// Each thread gets fresh copies of the parameters, because a kernel may change them. Not inlined, so
// that nothing of threadIdx is kept from one thread to the next.
template <typename Body>
__attribute__((noinline)) CPU_DEVICE_UNCHECKED void run_thread(const void* arguments) {
  union Copy {
    Body body;
    Copy() {}
    ~Copy() {}
  } copy;
  __builtin_memcpy(static_cast<void*>(&copy.body), arguments, sizeof(Body));
  copy.body();
}

template <typename Body>
inline void kernel(const char* name, const Body& body) {
  launch({name, sizeof(Body), alignof(Body), &run_thread<Body>}, &body);
}
#ifdef CPU_DEVICE_LANES_LEVEL
template <typename Body, typename Block>
inline void kernel(const char* name, const Body& body, const Block& block) {
  struct Both {
    const Body body;
    const Block block;
  } both{body, block};
  launch({name, sizeof(Both), alignof(Both), &run_thread<Body>, &run_block<Block>,
          static_cast<size_t>(reinterpret_cast<const char*>(&both.block) - reinterpret_cast<const char*>(&both)),
          CPU_DEVICE_LANES_LEVEL},
         &both);
}
#endif

// ---- kernels by their address ----

// Calls a kernel (whose launch has been configured) with arguments that `arguments[i]` point to.
typedef void (*KernelCall)(const void* kernel, void** arguments);
// `offsets`: where each parameter would begin, and after the last where it would end, in a struct of them.
// `copyable`: the parameters may be copied byte by byte.
void know_kernel(const void* kernel, KernelCall call, const size_t* offsets, size_t parameters,
                 bool copyable);
KernelCall find_kernel(const void* kernel, Site site);  // null, explained, if it is none
// `cluster`: how many blocks form one.
cudaError_t launch_by_address(const void* kernel, dim3 grid, dim3 block, void** arguments,
                              size_t shared_bytes, cudaStream_t stream, bool cooperative,
                              dim3 cluster, Site site);
// The launch that has been configured last is a cooperative one.
void make_cooperative();

template <typename... Parameters, size_t... Index>
inline void call_kernel(void (*kernel)(Parameters...), [[maybe_unused]] void** arguments,
                        std::index_sequence<Index...>) {
  kernel(*static_cast<std::remove_reference_t<Parameters>*>(arguments[Index])...);
}

template <typename... Parameters>
struct PackedParameters {
  size_t offsets[sizeof...(Parameters) + 1] = {};
  constexpr PackedParameters() {
    constexpr size_t sizes[] = {sizeof(Parameters)..., 0}, alignments[] = {alignof(Parameters)..., 1};
    size_t end = 0;
    for (size_t i = 0; i <= sizeof...(Parameters); i++) {
      offsets[i] = (end + alignments[i] - 1) / alignments[i] * alignments[i];
      end = offsets[i] + sizes[i];
    }
  }
};
template <typename... Parameters>
inline constexpr PackedParameters<Parameters...> packed_parameters{};

template <typename... Parameters>
inline void* note_kernel(void (*kernel)(Parameters...)) {
  void* address = reinterpret_cast<void*>(kernel);
  know_kernel(address, [](const void* it, void** arguments) {
    call_kernel(reinterpret_cast<void (*)(Parameters...)>(const_cast<void*>(it)), arguments,
                std::index_sequence_for<Parameters...>());
  }, packed_parameters<Parameters...>.offsets, sizeof...(Parameters),
     (std::is_trivially_copyable<std::remove_reference_t<Parameters>>::value && ...));
  return address;
}
// The address of what a program names as a kernel: a function, or a pointer that it got for one.
template <typename... Parameters>
inline const void* address_of_kernel(void (*kernel)(Parameters...)) {
  return note_kernel(kernel);
}
inline const void* address_of_kernel(const void* kernel) { return kernel; }
// reinterpret_cast of an expression that may be a kernel.
template <typename To, typename From>
inline To address_cast(From&& it) {
  if constexpr (std::is_function<std::remove_pointer_t<std::decay_t<From>>>::value)
    return static_cast<To>(address_of_kernel(it));
  else
    return reinterpret_cast<To>(it);
}
// What the rewriter makes of `(void*)name` where a kernel has that name: an address that is known to
// be a kernel's. The name may be another's here, such as a variable's.
template <typename T>
inline auto kernel_address(T&& it) {
  if constexpr (std::is_function<std::remove_pointer_t<std::decay_t<T>>>::value)
    return note_kernel(it);
  else
    return std::decay_t<T>(it);
}

// ---- modules ----

// What a program asks for by an expression, such as `scale<4>`, when it has a module made (NVRTC).
struct ModuleName {
  const char* name;  // null after the last
  const void* address;
  size_t bytes;  // of a variable
};
template <typename... Parameters>
inline ModuleName module_name(const char* name, void (*kernel)(Parameters...)) {
  return {name, note_kernel(kernel), 0};
}
template <typename T>
inline ModuleName module_name(const char* name, const volatile T* variable) {
  return {name, const_cast<const T*>(variable), sizeof(T)};
}

#ifdef CPU_DEVICE_CHECK

// A parameter of a kernel that is a pointer, for the words of a checked run.
struct NamedPointer {
  const char* name;
  const void* pointer;
  size_t element;  // bytes
  size_t alignment;
  const char* type;     // of the elements, see type_name()
  const bool* padding;  // see padding_of()
};

// "... [with T = float [16]]", as the compiler words it.
template <typename T>
constexpr const char* type_name() {
  return __PRETTY_FUNCTION__;
}

#ifdef __has_builtin
#if __has_builtin(__builtin_clear_padding)
#define CPU_DEVICE_KNOWS_PADDING
#endif
#endif
// Of each byte of a structure, whether it is padding, which nobody writes and copies read; null: not known.
template <typename T>
struct Padding {
  bool bytes[sizeof(T)];
#ifdef CPU_DEVICE_KNOWS_PADDING
  CPU_DEVICE_UNCHECKED Padding() {
    alignas(T) unsigned char object[sizeof(T)];
    __builtin_memset(object, 1, sizeof(T));
    __builtin_clear_padding(reinterpret_cast<T*>(object));
    for (size_t i = 0; i < sizeof(T); i++) bytes[i] = object[i] == 0;
  }
#endif
};
template <typename T>
CPU_DEVICE_UNCHECKED inline const bool* padding_of() {
#ifdef CPU_DEVICE_KNOWS_PADDING
  if constexpr (std::is_class_v<T> && std::is_trivially_copyable_v<T>) {
    static const Padding<T> padding;
    return padding.bytes;
  }
#endif
  return nullptr;
}

// Says which of the parameters of the next launch are pointers; `names` as in "a, b, n".
void name_parameter(const char* names, unsigned index, const void* pointer, size_t element,
                    size_t alignment, const char* type, const bool* padding);
template <typename T>
inline void name_one(const char*, unsigned, const T&) {}
template <typename T>
inline void name_one(const char* names, unsigned index, T* const& pointer) {
  size_t element = 1, alignment = 1;
  const bool* padding = nullptr;
  if constexpr (!std::is_void_v<T> && !std::is_function_v<T>) {
    element = sizeof(T);
    alignment = alignof(T);
    padding = padding_of<std::remove_cv_t<T>>();
  }
  name_parameter(names, index,
                 const_cast<const void*>(reinterpret_cast<const volatile void*>(pointer)), element,
                 alignment, type_name<std::remove_cv_t<T>>(), padding);
}
template <typename... T>
inline bool name_parameters(const char* names, const T&... values) {
  unsigned index = 0;
  (name_one(names, index++, values), ...);
  return true;
}

// A variable in shared memory (or, without a name, the gap behind one), where it is declared.
// ... and how the kernel calls the dynamic kind.
void dynamic_shared_variable(const void* base, size_t element, const char* name);
template <typename T>
inline void checked_dynamic_shared(const T& variable, const char* name) {
  using Element = std::remove_all_extents_t<T>;
  dynamic_shared_variable(const_cast<const void*>(reinterpret_cast<const volatile void*>(&variable)),
                          sizeof(Element), name);
}
void shared_variable(const void* base, size_t bytes, size_t element, const char* name, const char* type,
                     const bool* padding);
template <typename T>
inline void checked_shared(const T& variable, const char* name) {
  shared_variable(const_cast<const void*>(static_cast<const volatile void*>(&variable)), sizeof(T),
                  sizeof(std::remove_all_extents_t<T>), name, type_name<std::remove_cv_t<T>>(),
                  padding_of<std::remove_cv_t<std::remove_all_extents_t<T>>>());
}

// The condition of a do ... while: g++ says that it stands where the `do` is, but a call has its own line.
template <typename T>
inline bool condition(const T& value) {
  return static_cast<bool>(value);
}

// A kernel, or the body of an if, an else or a loop in one: a checked run says which were not reached.
struct Mark {
  const char* file;
  int first_line, last_line;
  const char* kernel;
  bool is_kernel;
};
void reached(unsigned char* mark);
bool tell_marks(const unsigned char* reached, const Mark* marks, unsigned count);

#endif

}  // namespace cpu_device

#ifdef CPU_DEVICE_KEPT_REGISTERS
#include "kept_registers.h"
#endif
