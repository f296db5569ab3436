// Three ways for positions to get from one rank's device to the next one's.
#pragma once

#include <dlfcn.h>

#include <memory>
#include <string>
#include <vector>

#include "../common/handle_error.h"
#include "mpi_world.h"
#include "ring_trace.h"

#if defined(OPEN_MPI) && __has_include(<mpi-ext.h>)
#include <mpi-ext.h>
#endif

namespace nbody {

// A rank's memory on its device, and the events that say when it is ready. The positions of other
// ranks arrive in held[0] and held[1] in turn: the kernel reads one while the other is filled.
struct RingMemory {
  float4* own = nullptr;
  float4* held[2] = {};
  int capacity = 0;  // bodies that each of the three has room for, at least 1
  cudaStream_t compute = nullptr, transfer = nullptr;
  cudaEvent_t moved = nullptr;   // in `compute`: own positions are those of this step
  cudaEvent_t computed[2] = {};  // in `compute`: held[i] has been read
  cudaEvent_t arrived[2] = {};   // in `transfer`: held[i] has been filled
};

// One message to the next rank, and one from the previous rank.
struct Pass {
  bool own;           // sends its own bodies; otherwise those received last
  int from;           // if not: the index in held of those bodies
  int to;             // the index in held for the bodies received now
  int send, receive;  // bodies
  int owner;          // of the bodies received now
};

// A way to exchange messages.
class Passage {
 public:
  virtual ~Passage() = default;
  // Returns when the message has arrived, or when it is queued in the stream `transfer`, followed
  // by the event arrived[pass.to].
  virtual void pass(const Pass& pass, Trace& trace) = 0;
};

// Waits for messages. MPI works on them only while it is called, and the CPU device computes while
// it is queried. So this calls both, and as on a GPU the device computes while messages travel.
inline void wait_for_messages(std::vector<MPI_Request>& requests, cudaStream_t compute) {
  int done = 0;
  Patience patience;
  for (;;) {
    MPI_Testall(static_cast<int>(requests.size()), requests.data(), &done, MPI_STATUSES_IGNORE);
    if (done) return;
    const cudaError_t error = cudaStreamQuery(compute);
    if (error != cudaErrorNotReady) HANDLE_ERROR(error);
    patience.wait();
  }
}

// With MPI: from and to the host's memory, or the device's where MPI takes that.
class MpiPassage : public Passage {
 protected:
  MpiPassage(MPI_Comm ranks, const RingMemory& memory) : memory_(memory), ranks_(ranks) {
    int rank = 0, size = 1;
    MPI_Comm_rank(ranks, &rank);
    MPI_Comm_size(ranks, &size);
    next_ = (rank + 1) % size;
    before_ = (rank + size - 1) % size;
  }

  void exchange(const float4* from, int send, float4* to, int receive) {
    std::vector<MPI_Request> requests;
    if (receive > 0) {
      requests.emplace_back();
      MPI_Irecv(to, receive, body_, before_, 0, ranks_, &requests.back());
    }
    if (send > 0) {
      requests.emplace_back();
      MPI_Isend(from, send, body_, next_, 0, ranks_, &requests.back());
    }
    wait_for_messages(requests, memory_.compute);
  }

  const RingMemory& memory_;

 private:
  MPI_Comm ranks_;
  int next_ = 0, before_ = 0;
  DataType<float4> body_;
};

// Through pinned memory of the host, which works everywhere. Bodies that are passed on need no copy
// from the device, because they arrived through the host.
class StagedPassage : public MpiPassage {
 public:
  StagedPassage(MPI_Comm ranks, const RingMemory& memory) : MpiPassage(ranks, memory) {
    for (float4** place : {&own_, &held_[0], &held_[1]})
      HANDLE_ERROR(cudaMallocHost(place, memory.capacity * sizeof(float4)));
  }
  ~StagedPassage() override {
    cudaFreeHost(own_);
    for (float4* held : held_) cudaFreeHost(held);
  }

  void pass(const Pass& pass, Trace& trace) override {
    const cudaStream_t transfer = memory_.transfer;
    if (pass.own) {
      HANDLE_ERROR(cudaStreamWaitEvent(transfer, memory_.moved, 0));
      HANDLE_ERROR(cudaMemcpyAsync(own_, memory_.own, pass.send * sizeof(float4),
                                   cudaMemcpyDeviceToHost, transfer));
      HANDLE_ERROR(cudaStreamSynchronize(transfer));
    }
    HANDLE_ERROR(
        cudaEventSynchronize(memory_.arrived[pass.to]));  // out of held_[to], into held[to]
    const double begin_ms = trace.now_ms();
    exchange(pass.own ? own_ : held_[pass.from], pass.send, held_[pass.to], pass.receive);
    HANDLE_ERROR(cudaStreamWaitEvent(transfer, memory_.computed[pass.to], 0));
    HANDLE_ERROR(cudaMemcpyAsync(memory_.held[pass.to], held_[pass.to],
                                 pass.receive * sizeof(float4), cudaMemcpyHostToDevice, transfer));
    HANDLE_ERROR(cudaEventRecord(memory_.arrived[pass.to], transfer));
    trace.received(pass.owner, begin_ms, trace.now_ms());
  }

 private:
  float4* own_ = nullptr;
  float4* held_[2] = {};
};

// With an MPI that accepts device memory ("CUDA-aware").
class CudaAwarePassage : public MpiPassage {
 public:
  CudaAwarePassage(MPI_Comm ranks, const RingMemory& memory) : MpiPassage(ranks, memory) {}

  void pass(const Pass& pass, Trace& trace) override {
    // MPI does not use streams. So the host waits until the data to send are there, and until the
    // kernels have read what the message overwrites.
    if (pass.own) HANDLE_ERROR(cudaEventSynchronize(memory_.moved));
    HANDLE_ERROR(cudaEventSynchronize(memory_.computed[pass.to]));
    const double begin_ms = trace.now_ms();
    exchange(pass.own ? memory_.own : memory_.held[pass.from], pass.send, memory_.held[pass.to],
             pass.receive);
    trace.received(pass.owner, begin_ms, trace.now_ms());
  }
};

// The functions of NVIDIA's NCCL that are needed here. The program looks them up when it runs, so
// it is built without NCCL, and works without it. The types are those of NCCL's interface, version
// 2.
struct Nccl {
  struct Id {
    char bytes[128];
  };
  using Communicator = struct NcclCommunicator*;
  static constexpr int kFloat = 7;

  int (*get_id)(Id*) = nullptr;
  int (*start)(Communicator*, int ranks, Id, int rank) = nullptr;
  int (*stop)(Communicator) = nullptr;
  int (*group_start)() = nullptr;
  int (*group_end)() = nullptr;
  int (*send)(const void*, size_t, int type, int peer, Communicator, cudaStream_t) = nullptr;
  int (*receive)(void*, size_t, int type, int peer, Communicator, cudaStream_t) = nullptr;
  const char* (*words)(int error) = nullptr;

  bool load(const char* file = "libnccl.so.2") {
    void* const library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    return library != nullptr && find(library, "ncclGetUniqueId", &get_id) &&
           find(library, "ncclCommInitRank", &start) && find(library, "ncclCommDestroy", &stop) &&
           find(library, "ncclGroupStart", &group_start) &&
           find(library, "ncclGroupEnd", &group_end) && find(library, "ncclSend", &send) &&
           find(library, "ncclRecv", &receive) && find(library, "ncclGetErrorString", &words);
  }

  void check(int error, const char* what) const {
    if (error == 0) return;
    fflush(stdout);
    fprintf(stderr, "%s: %s failed: %s\n", program_invocation_short_name, what, words(error));
    exit(EXIT_FAILURE);
  }

 private:
  template <typename Function>
  static bool find(void* library, const char* name, Function* function) {
    *function = reinterpret_cast<Function>(dlsym(library, name));
    return *function != nullptr;
  }
};

// With NCCL, directly from device to device, in the stream: the host only queues.
class NcclPassage : public Passage {
 public:
  NcclPassage(MPI_Comm ranks, const RingMemory& memory, const Nccl& nccl)
      : memory_(memory), nccl_(nccl) {
    int rank = 0, size = 1;
    MPI_Comm_rank(ranks, &rank);
    MPI_Comm_size(ranks, &size);
    next_ = (rank + 1) % size;
    before_ = (rank + size - 1) % size;
    Nccl::Id id{};
    if (rank == 0) nccl.check(nccl.get_id(&id), "ncclGetUniqueId");
    MPI_Bcast(&id, sizeof id, MPI_BYTE, 0, ranks);
    nccl.check(nccl.start(&communicator_, size, id, rank), "ncclCommInitRank");
  }
  ~NcclPassage() override { nccl_.stop(communicator_); }

  void pass(const Pass& pass, Trace& trace) override {
    const cudaStream_t transfer = memory_.transfer;
    if (pass.own) HANDLE_ERROR(cudaStreamWaitEvent(transfer, memory_.moved, 0));
    HANDLE_ERROR(cudaStreamWaitEvent(transfer, memory_.computed[pass.to], 0));
    const cudaEvent_t begin = trace.event(transfer);
    const float4* const from = pass.own ? memory_.own : memory_.held[pass.from];
    nccl_.check(nccl_.group_start(), "ncclGroupStart");
    if (pass.send > 0)
      nccl_.check(
          nccl_.send(from, 4 * size_t(pass.send), Nccl::kFloat, next_, communicator_, transfer),
          "ncclSend");
    if (pass.receive > 0)
      nccl_.check(nccl_.receive(memory_.held[pass.to], 4 * size_t(pass.receive), Nccl::kFloat,
                                before_, communicator_, transfer),
                  "ncclRecv");
    nccl_.check(nccl_.group_end(), "ncclGroupEnd");
    HANDLE_ERROR(cudaEventRecord(memory_.arrived[pass.to], transfer));
    trace.received(pass.owner, begin, trace.event(transfer));
  }

 private:
  const RingMemory& memory_;
  const Nccl& nccl_;
  Nccl::Communicator communicator_ = nullptr;
  int next_ = 0, before_ = 0;
};

enum class Way { kNccl, kCudaAware, kStaged };

inline const char* way_in_words(Way way) {
  if (way == Way::kNccl) return "by NCCL, from device to device";
  if (way == Way::kCudaAware) return "by MPI, from device to device (CUDA-aware)";
  return "by MPI, through pinned memory of the host";
}

// Whether this MPI reports that it accepts device memory.
inline bool mpi_takes_device_memory() {
#if defined(MPIX_CUDA_AWARE_SUPPORT)
  return MPIX_Query_cuda_support() == 1;
#else
  return false;
#endif
}

}  // namespace nbody
