// In the manner of programs that transform rows, columns or every other element: each combination of layouts, given or not, of
// strides and distances, in one and two dimensions, against sums. A layout of one side only is refused.
#include <cufft.h>

#include <cmath>
#include <complex>
#include <cstdio>
#include <cstdlib>
#include <vector>

typedef std::complex<double> Complex;

#define CHECK(call) \
  if ((call) != 0) fprintf(stderr, "line %d: %s failed\n", __LINE__, #call), exit(2)

struct Layout {
  bool given;
  int stride, gap;  // behind each transform
};

int wrong = 0;

// Where element (i, j) of transform b is.
size_t place(const Layout &layout, bool simple, int pitch, int rows, int columns, int b, int i, int j) {
  if (simple) return ((size_t)b * rows + i) * columns + j;
  return (size_t)b * (rows * pitch * layout.stride + layout.gap) + (size_t)layout.stride * (i * pitch + j);
}

void transform(int rank, int rows, int columns, Layout in, Layout out, int direction) {
  const int batch = 2, pitch = rank == 2 ? columns + 1 : columns, room = 2048;
  int sizes[] = {rows, columns}, embed[] = {rows, pitch};
  int *n = rank == 1 ? sizes + 1 : sizes, *embedded = rank == 1 ? embed + 1 : embed;
  const bool simple = !in.given;
  std::vector<cufftDoubleComplex> from(room), to(room, {7, 7});
  for (int i = 0; i < room; i++) from[i] = {(i * 37 % 101) / 50.0 - 1, (i * 53 % 97) / 48.0 - 1};
  cufftDoubleComplex *data, *result;
  CHECK(cudaMalloc(&data, room * sizeof *data));
  CHECK(cudaMalloc(&result, room * sizeof *data));
  CHECK(cudaMemcpy(data, from.data(), room * sizeof *data, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(result, to.data(), room * sizeof *data, cudaMemcpyHostToDevice));
  cufftHandle plan;
  const int distance = rows * pitch;
  const cufftResult made =
      cufftPlanMany(&plan, rank, n, in.given ? embedded : nullptr, in.stride, distance * in.stride + in.gap,
                    out.given ? embedded : nullptr, out.stride, distance * out.stride + out.gap, CUFFT_Z2Z, batch);
  if (in.given != out.given) {
    if (made != CUFFT_INVALID_VALUE) wrong++, fprintf(stderr, "a layout of one side only: %d\n", made);
    cudaFree(data), cudaFree(result);
    return;
  }
  CHECK(made);
  CHECK(cufftExecZ2Z(plan, data, result, direction));
  CHECK(cudaMemcpy(to.data(), result, room * sizeof *data, cudaMemcpyDeviceToHost));
  std::vector<bool> written(room);
  double largest = 0;
  for (int b = 0; b < batch; b++)
    for (int u = 0; u < rows; u++)
      for (int v = 0; v < columns; v++) {
        Complex sum = 0;
        for (int i = 0; i < rows; i++)
          for (int j = 0; j < columns; j++) {
            const cufftDoubleComplex x = from[place(in, simple, pitch, rows, columns, b, i, j)];
            sum += Complex(x.x, x.y) * std::polar(1.0, direction * 2 * M_PI * ((double)i * u / rows + (double)j * v / columns));
          }
        const size_t at = place(out, simple, pitch, rows, columns, b, u, v);
        written[at] = true;
        largest = std::fmax(largest, std::abs(sum - Complex(to[at].x, to[at].y)));
      }
  int others = 0;
  for (int i = 0; i < room; i++) others += !written[i] && (to[i].x != 7 || to[i].y != 7);
  if (!(largest < 1e-11 * rows * columns) || others > 0)
    wrong++, fprintf(stderr, "%d x %d, in %d stride %d gap %d, out %d stride %d gap %d, direction %d: off by %g, %d others written\n", rows,
                     columns, in.given, in.stride, in.gap, out.given, out.stride, out.gap, direction, largest, others);
  CHECK(cufftDestroy(plan));
  cudaFree(data), cudaFree(result);
}

int main() {
  const Layout layouts[] = {{false, 1, 0}, {false, 2, 3}, {true, 1, 0}, {true, 1, 3}, {true, 2, 0}, {true, 3, 5}};
  for (const Layout &in : layouts)
    for (const Layout &out : layouts)
      for (int direction : {CUFFT_FORWARD, CUFFT_INVERSE}) {
        transform(1, 1, 8, in, out, direction);
        transform(1, 1, 7, in, out, direction);
        transform(2, 3, 4, in, out, direction);
      }
  puts(wrong ? "wrong" : "right");
  return wrong != 0;
}
