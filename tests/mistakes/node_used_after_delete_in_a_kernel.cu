// A kernel's list follows a node that it has deleted.
struct Node {
  int value;
  Node* next;
};
__global__ void list(int* out) {
  Node* a = new Node{1, nullptr};
  Node* b = new Node{2, a};
#ifdef RIGHT
  out[threadIdx.x] = b->value + b->next->value;
  delete a;
#else
  delete a;
  out[threadIdx.x] = b->value + b->next->value;  // finds use-after-free
#endif
  delete b;
}
int main() {
  int* d;
  cudaMalloc(&d, 128);
  list<<<1, 32>>>(d);
  cudaDeviceSynchronize();
}
