// In the manner of older books: cuBLAS without handles (in the Toolkit up to version 12).
#include <cublas.h>

#include <cmath>
#include <cstdio>

const int n = 6;

static bool near(double a, double b) { return fabs(a - b) < 1e-4 * (1 + fabs(b)); }

int main() {
  int bad = 0;
  float a[n * n], b[n * n], c[n * n], x[n], y[n];
  for (int i = 0; i < n * n; i++) a[i] = (i * 7 % 11) / 4.0f - 1, b[i] = (i * 5 % 13) / 3.0f, c[i] = i;
  for (int i = 0; i < n; i++) x[i] = i - 2.5f, y[i] = 1 - i * i;
  float *da, *db, *dc, *dx, *dy;
  if (cublasInit() != CUBLAS_STATUS_SUCCESS) return 77;
  cublasAlloc(n * n, sizeof(float), (void **)&da);
  cublasAlloc(n * n, sizeof(float), (void **)&db);
  cublasAlloc(n * n, sizeof(float), (void **)&dc);
  cublasAlloc(n, sizeof(float), (void **)&dx);
  cublasAlloc(n, sizeof(float), (void **)&dy);
  cublasSetMatrix(n, n, sizeof(float), a, n, da, n);
  cublasSetMatrix(n, n, sizeof(float), b, n, db, n);
  cublasSetMatrix(n, n, sizeof(float), c, n, dc, n);
  cublasSetVector(n, sizeof(float), x, 1, dx, 1);
  cublasSetVector(n, sizeof(float), y, 1, dy, 1);

  float dot = 0, sum = 0, squares = 0;
  for (int i = 0; i < n; i++) dot += x[i] * y[i], sum += fabsf(x[i]), squares += x[i] * x[i];
  if (!near(cublasSdot(n, dx, 1, dy, 1), dot) || !near(cublasSasum(n, dx, 1), sum) ||
      !near(cublasSnrm2(n, dx, 1), sqrt(squares)) || cublasIsamax(n, dy, 1) != n)
    bad++, printf("vectors\n");

  cublasSgemm('t', 'n', n, n, n, 2.0f, da, n, db, n, -1.0f, dc, n);
  cublasSgemv('n', n, n, 1.0f, da, n, dx, 1, 0.5f, dy, 1);
  if (cublasGetError() != CUBLAS_STATUS_SUCCESS) bad++;
  float result[n * n], result_y[n];
  cublasGetMatrix(n, n, sizeof(float), dc, n, result, n);
  cublasGetVector(n, sizeof(float), dy, 1, result_y, 1);
  for (int column = 0; column < n; column++)
    for (int row = 0; row < n; row++) {
      double expected = -c[row + column * n];
      for (int k = 0; k < n; k++) expected += 2.0 * a[k + row * n] * b[k + column * n];
      if (!near(result[row + column * n], expected)) bad++;
    }
  for (int row = 0; row < n; row++) {
    double expected = 0.5 * y[row];
    for (int k = 0; k < n; k++) expected += a[row + k * n] * x[k];
    if (!near(result_y[row], expected)) bad++;
  }
  cublasShutdown();
  printf("%d wrong\n", bad);
  return bad != 0;
}
