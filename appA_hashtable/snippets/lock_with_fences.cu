// Lets one thread at a time change several words: a lock made of an atomic and two fences.
// Topic: locks
#include <cstdio>
#include <cstdlib>

#define HANDLE_ERROR(call)        \
  if (cudaError_t error = (call)) \
  printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error)), exit(1)

struct Account {
  int balance, changes;  // two words that must change together
};

__device__ void lock(int* mutex) {
  while (atomicCAS(mutex, 0, 1) != 0) {  // 0: free; test and set in one step
  }
  __threadfence();  // what follows must not read values from before
}

__device__ void unlock(int* mutex) {
  __threadfence();  // what was written is visible before the lock is free
  atomicExch(mutex, 0);
}

__global__ void deposit(int* mutex, Account* account, int amount) {
  lock(mutex);
  account->balance += amount;
  account->changes += 1;
  unlock(mutex);
}

int main() {
  int* mutex;
  Account *dev_account, account;
  HANDLE_ERROR(cudaMalloc(&mutex, sizeof(int)));
  HANDLE_ERROR(cudaMalloc(&dev_account, sizeof(Account)));
  HANDLE_ERROR(cudaMemset(mutex, 0, sizeof(int)));
  HANDLE_ERROR(cudaMemset(dev_account, 0, sizeof(Account)));
  deposit<<<100, 1>>>(mutex, dev_account, 5);  // one thread per block: less contention
  HANDLE_ERROR(cudaGetLastError());
  HANDLE_ERROR(cudaMemcpy(&account, dev_account, sizeof(Account), cudaMemcpyDeviceToHost));
  HANDLE_ERROR(cudaFree(mutex));
  HANDLE_ERROR(cudaFree(dev_account));
  printf("balance %d after %d changes\n", account.balance, account.changes);
  return account.balance == 500 && account.changes == 100 ? 0 : 1;
}
