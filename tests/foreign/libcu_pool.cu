// A pool from which threads take nodes by an atomic pointer, and hang them into a tree that they
// share.
#include <cstdio>
#include <cuda/atomic>
#include <new>

struct Node {
  cuda::std::atomic<Node*> child[2];
  cuda::std::atomic<int> count;
};

__global__ void insert(Node* root, cuda::std::atomic<Node*>* pool, int bits) {
  const unsigned int key = (blockIdx.x * blockDim.x + threadIdx.x) * 37 % 64;
  Node* node = root;
  for (int bit = 0; bit < bits; bit++) {
    cuda::std::atomic<Node*>& link = node->child[key >> bit & 1];
    Node* next = link.load(cuda::std::memory_order_acquire);
    if (next == nullptr) {
      Node* fresh = pool->fetch_add(1, cuda::std::memory_order_relaxed);
      next =
          link.compare_exchange_strong(next, fresh, cuda::std::memory_order_acq_rel) ? fresh : next;
    }
    node = next;
  }
  node->count.fetch_add(1, cuda::std::memory_order_relaxed);
}

int main() {
  constexpr int kBits = 6, kThreads = 256, kNodes = kBits * kThreads + 1;
  Node* nodes;
  cuda::std::atomic<Node*>* pool;
  cudaMallocManaged(&nodes, kNodes * sizeof(Node));
  cudaMallocManaged(&pool, sizeof(*pool));
  for (int i = 0; i < kNodes; i++) {
    for (auto& child : nodes[i].child) new (&child) cuda::std::atomic<Node*>(nullptr);
    new (&nodes[i].count) cuda::std::atomic<int>(0);
  }
  new (pool) cuda::std::atomic<Node*>(nodes + 1);
  insert<<<4, kThreads / 4>>>(nodes, pool, kBits);
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  bool right = true;
  for (unsigned int key = 0; key < 64; key++) {
    Node* node = nodes;
    for (int bit = 0; node != nullptr && bit < kBits; bit++) node = node->child[key >> bit & 1];
    right &= node != nullptr && node->count.load() == kThreads / 64;
  }
  puts(right ? "right" : "wrong");
  return right ? 0 : 1;
}
