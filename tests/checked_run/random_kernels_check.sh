#!/usr/bin/env bash
# Compares the checked run with the oracle of random_kernels.h:
#
#   tests/checked_run/random_kernels_check.sh NVCC FOLDER SEEDS
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
nvcc=$1 folder=$2 seeds=$3
mkdir -p "$folder"
# The oracle knows one run of each launch.
export CPU_DEVICE_SCHEDULE=0
"$nvcc" --check "$here/random_kernels.cu" -o "$folder/random_kernels"
"$folder/random_kernels" --self-test 2>/dev/null
"$folder/random_kernels" --seeds "$seeds" 2>/dev/null
