// All of CUB: blocks, warps and helpers are the library's own, the algorithms for whole arrays ours.
#pragma once

#include <cub/block/block_adjacent_difference.cuh>
#include <cub/block/block_discontinuity.cuh>
#include <cub/block/block_exchange.cuh>
#include <cub/block/block_histogram.cuh>
#include <cub/block/block_load.cuh>
#include <cub/block/block_radix_sort.cuh>
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/block/block_shuffle.cuh>
#include <cub/block/block_store.cuh>
#include <cub/thread/thread_load.cuh>
#include <cub/thread/thread_operators.cuh>
#include <cub/thread/thread_reduce.cuh>
#include <cub/thread/thread_store.cuh>
#include <cub/util_allocator.cuh>
#include <cub/util_type.cuh>
#include <cub/warp/warp_reduce.cuh>
#include <cub/warp/warp_scan.cuh>
#if __has_include(<cub/warp/warp_merge_sort.cuh>)
#include <cub/warp/warp_exchange.cuh>
#include <cub/warp/warp_load.cuh>
#include <cub/warp/warp_merge_sort.cuh>
#include <cub/warp/warp_store.cuh>
#endif
#if __has_include(<cub/block/block_run_length_decode.cuh>)
#include <cub/block/block_run_length_decode.cuh>
#endif
#if __has_include(<cub/block/block_merge_sort.cuh>)
#include <cub/block/block_merge_sort.cuh>
#endif
#if __has_include(<cub/iterator/counting_input_iterator.cuh>)  // Until CCCL 3 took them to Thrust.
#include <cub/iterator/constant_input_iterator.cuh>
#include <cub/iterator/counting_input_iterator.cuh>
#include <cub/iterator/transform_input_iterator.cuh>
#endif
#include <cub/iterator/arg_index_input_iterator.cuh>
#include <cub/version.cuh>
#if CUB_VERSION >= 300000
#include "before_3.cuh"
#endif

#include "device/all.cuh"
