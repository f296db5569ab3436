#include <cuda/algorithm>
#include <cuda/buffer>
#include <cuda/devices>
#include <cuda/launch>
#include <cuda/std/span>
#include <cuda/stream>

#include "../../harness/watch_calls.h"

// The harness sees CUDA's own calls. CCCL's copy is damaged here, if a test asks for it.
namespace cuda {
template <typename From, typename To>
void damaged_copy_bytes(stream_ref stream, const From& from, To to) {
  copy_bytes(stream, from, to);
  if (course::watched().damage == course::Damage::kNone) return;
  stream.sync();
  course::do_damage(to.data(), to.size_bytes());
}
}  // namespace cuda
#define copy_bytes damaged_copy_bytes

#define main program_main
#include "../../../ch04_parallel/vector_add_cccl.cu"
#undef main

#include <stdlib.h>

#include "../../harness/damaged_run.h"
#include "vector_add_check.h"

void add_vectors(const int* a, const int* b, int* c, int n) { vector_add(a, b, c, n); }

TEST_CASE("an error is an exception") {
  cuda::stream stream{cuda::devices[0]};
  const auto config = cuda::make_config(cuda::grid_dims(1), cuda::block_dims(2048));
  const cuda::std::span<int> none;
  CHECK_THROWS_AS(cuda::launch(stream, config, Add{}, none, none, none), cuda::cuda_error);
}

TEST_CASE("a wrong result is noticed") { course::check_damage_is_noticed({"--size", "100"}); }
