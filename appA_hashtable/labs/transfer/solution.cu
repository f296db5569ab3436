// Transfers between accounts, one after the other under a lock.
#include "book.h"

struct Transfer {
  int from, to, amount;
};

__device__ void lock(int* mutex) {
  while (atomicCAS(mutex, 0, 1) != 0) {
  }
  __threadfence();
}

__device__ void unlock(int* mutex) {
  __threadfence();
  atomicExch(mutex, 0);
}

// One block for each transfer. done: how many were carried out.
__global__ void transfer(int* mutex, int* accounts, const Transfer* transfers, int* done) {
  const Transfer my = transfers[blockIdx.x];
  lock(mutex);
  if (accounts[my.from] < my.amount) {
    // SOLUTION BEGIN, unmarked: a thread that leaves here still holds the lock
    unlock(mutex);
    // SOLUTION END
    return;
  }
  accounts[my.from] -= my.amount;
  accounts[my.to] += my.amount;
  // SOLUTION BEGIN, unmarked: is the lock still held where *done changes?
  *done += 1;
  unlock(mutex);
  //| unlock(mutex);
  //| *done += 1;
  // SOLUTION END
}

// All in the host's memory; at least one transfer. Returns how many were carried out.
int transfer_all(int* accounts, int count, const Transfer* transfers, int many) {
  int *dev_mutex, *dev_accounts, *dev_done, done = 0;
  Transfer* dev_transfers;
  HANDLE_ERROR(cudaMalloc(&dev_mutex, sizeof(int)));
  HANDLE_ERROR(cudaMalloc(&dev_done, sizeof(int)));
  HANDLE_ERROR(cudaMalloc(&dev_accounts, count * sizeof(int)));
  HANDLE_ERROR(cudaMalloc(&dev_transfers, many * sizeof(Transfer)));
  HANDLE_ERROR(cudaMemset(dev_mutex, 0, sizeof(int)));
  HANDLE_ERROR(cudaMemset(dev_done, 0, sizeof(int)));
  HANDLE_ERROR(cudaMemcpy(dev_accounts, accounts, count * sizeof(int), cudaMemcpyHostToDevice));
  HANDLE_ERROR(
      cudaMemcpy(dev_transfers, transfers, many * sizeof(Transfer), cudaMemcpyHostToDevice));
  transfer<<<many, 1>>>(dev_mutex, dev_accounts, dev_transfers, dev_done);
  HANDLE_ERROR(cudaGetLastError());
  HANDLE_ERROR(cudaMemcpy(accounts, dev_accounts, count * sizeof(int), cudaMemcpyDeviceToHost));
  HANDLE_ERROR(cudaMemcpy(&done, dev_done, sizeof(int), cudaMemcpyDeviceToHost));
  HANDLE_ERROR(cudaFree(dev_mutex));
  HANDLE_ERROR(cudaFree(dev_done));
  HANDLE_ERROR(cudaFree(dev_accounts));
  HANDLE_ERROR(cudaFree(dev_transfers));
  return done;
}
