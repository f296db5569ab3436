#!/usr/bin/env bash
# Random programs of streams against the model of random_order.h:
#
#   tests/cpu_device/random_order_check.sh NVCC FOLDER SEEDS
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
nvcc=$1 folder=$2 seeds=$3
mkdir -p "$folder"
export CPU_DEVICE_COUNT=2
"$nvcc" -O1 "$here/random_order.cu" -o "$folder/random_order"
# What the device says about copies without an order is not compared.
"$folder/random_order" --self-test 2>/dev/null
"$folder/random_order" --seeds "$seeds" 2>/dev/null
