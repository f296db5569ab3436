// One member of a structure is never set, and a kernel reads it in its copy. Padding is copied by right programs, too.
struct Cell {
  char kind;
  double value;
  short age;
};

__global__ void fill(Cell* cells) {
  cells[threadIdx.x].kind = 1;
#ifdef RIGHT
  cells[threadIdx.x].value = 2;
#endif
  cells[threadIdx.x].age = 3;
}

__global__ void reverse(const Cell* cells, Cell* out) {
  __shared__ Cell tile[32];
  tile[threadIdx.x] = cells[threadIdx.x];  // finds uninitialized
  __syncthreads();
  out[threadIdx.x] = tile[31 - threadIdx.x];
}

int main() {
  Cell *cells, *out;
  cudaMalloc(&cells, 32 * sizeof(Cell));
  cudaMalloc(&out, 32 * sizeof(Cell));
  fill<<<1, 32>>>(cells);
  reverse<<<1, 32>>>(cells, out);
  cudaDeviceSynchronize();
  cudaFree(out);
  cudaFree(cells);
}
