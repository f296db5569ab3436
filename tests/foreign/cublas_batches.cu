// In the manner of programs with many small matrices: factorized, inverted and solved in batches; and
// products with triangles.
#include <cublas_v2.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>

const int n = 6, batch = 5;

static bool near(double a, double b) { return fabs(a - b) < 1e-9 * (1 + fabs(b)); }

int main() {
  int bad = 0;
  cublasHandle_t handle;
  if (cublasCreate(&handle) != CUBLAS_STATUS_SUCCESS) return 77;
  double *matrices, *factors, *inverses, *right, **pa, **pc, **pb;
  int *pivots, *info;
  cudaMallocManaged(&matrices, batch * n * n * sizeof(double));
  cudaMallocManaged(&factors, batch * n * n * sizeof(double));
  cudaMallocManaged(&inverses, batch * n * n * sizeof(double));
  cudaMallocManaged(&right, batch * n * sizeof(double));
  cudaMallocManaged(&pa, batch * sizeof(double *));
  cudaMallocManaged(&pb, batch * sizeof(double *));
  cudaMallocManaged(&pc, batch * sizeof(double *));
  cudaMallocManaged(&pivots, batch * n * sizeof(int));
  cudaMallocManaged(&info, batch * sizeof(int));
  srand(1);
  for (int i = 0; i < batch * n * n; i++) matrices[i] = factors[i] = rand() % 2000 / 1000.0 - 1;
  for (int i = 0; i < batch * n; i++) right[i] = i % 7;
  for (int i = 0; i < batch; i++) {
    factors[i * n * n] = matrices[i * n * n] = 0;  // needs another pivot
    pa[i] = factors + i * n * n;
    pc[i] = inverses + i * n * n;
    pb[i] = right + i * n;
  }
  int host_info = -1;
  cublasDgetrfBatched(handle, n, pa, n, pivots, info, batch);
  cublasDgetriBatched(handle, n, (const double **)pa, n, pivots, pc, n, info, batch);
  cublasDgetrsBatched(handle, CUBLAS_OP_T, n, 1, (const double **)pa, n, pivots, pb, n, &host_info, batch);
  cudaDeviceSynchronize();
  for (int i = 0; i < batch; i++) {
    const double *m = matrices + i * n * n, *inverse = inverses + i * n * n;
    if (info[i] != 0) bad++;
    for (int row = 0; row < n; row++) {
      double solved = 0;
      for (int k = 0; k < n; k++) solved += m[k + row * n] * right[i * n + k];
      if (!near(solved, (i * n + row) % 7)) bad++, printf("solution %d: %g\n", i, solved);
      for (int column = 0; column < n; column++) {
        double product = 0;
        for (int k = 0; k < n; k++) product += m[row + k * n] * inverse[k + column * n];
        if (!near(product, row == column)) bad++, printf("inverse %d: %g\n", i, product);
      }
    }
  }
  const double two = 2, none = 0;
  cublasDtrmm(handle, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_UPPER, CUBLAS_OP_N, CUBLAS_DIAG_NON_UNIT, n, n,
              &two, matrices, n, matrices + n * n, n, inverses, n);
  cublasDsyr2k(handle, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, n, n, &two, matrices, n, matrices + n * n, n,
               &none, factors, n);
  cudaDeviceSynchronize();
  for (int row = 0; row < n; row++)
    for (int column = 0; column < n; column++) {
      double product = 0, sums = 0;
      for (int k = row; k < n; k++) product += 2 * matrices[row + k * n] * matrices[n * n + k + column * n];
      for (int k = 0; k < n; k++)
        sums += 2 * (matrices[row + k * n] * matrices[n * n + column + k * n] +
                     matrices[n * n + row + k * n] * matrices[column + k * n]);
      if (!near(inverses[row + column * n], product)) bad++, printf("triangle\n");
      if (row >= column && !near(factors[row + column * n], sums)) bad++, printf("rank 2k\n");
    }
  // What has no inverse: info says in which column there is no pivot, counted from 1; after it there may be more.
  for (int *order : {pivots, static_cast<int *>(NULL)})
    for (int k = 0; k < n; k++) {
      for (int i = 0; i < batch; i++) {
        for (int j = 0; j < n * n; j++) factors[i * n * n + j] = j % (n + 1) == 0 && (i == 0 || (j / n != k && j / n != k + i));
        info[i] = -1;
      }
      cublasDgetrfBatched(handle, n, pa, n, order, info, batch);
      cudaDeviceSynchronize();
      for (int i = 0; i < batch; i++)
        if (info[i] != (i == 0 ? 0 : k + 1)) bad++, printf("getrf %d, column %d: %d\n", i, k, info[i]), info[i] = -1;
      cublasDgetriBatched(handle, n, (const double **)pa, n, order, pc, n, info, batch);
      cudaDeviceSynchronize();
      for (int i = 0; i < batch; i++)
        if (info[i] != (i == 0 ? 0 : k + 1)) bad++, printf("getri %d, column %d: %d\n", i, k, info[i]);
    }
  cublasDestroy(handle);
  printf("%d wrong\n", bad);
  return bad != 0;
}
