// cuFFT: plans, and their transforms as operations of streams.
#include <map>

#include "../../include/cufft.h"
#include "../device/host_lock.h"
#include "../faults/error_messages.h"
#include "fourier.h"
#include "library.h"


using namespace cpu_device;

namespace {

using Complex = std::complex<double>;

// Where the elements of one side of a transform lie.
struct Layout {
  bool given = false;  // else one after the other
  size_t embed[3] = {1, 1, 1}, stride = 1, dist = 0;
};

struct Plan {
  bool made = false;
  cufftType type = CUFFT_C2C;
  int rank = 0;
  size_t n[3] = {1, 1, 1};  // the last is the one whose elements are neighbors; 1 in front if unused
  size_t batch = 1;
  Layout in, out;
  cudaStream_t stream = nullptr;
  std::shared_ptr<const Fourier> along[3];

  size_t size() const { return n[0] * n[1] * n[2]; }
  size_t half() const { return n[2] / 2 + 1; }  // elements of a row of which the rest follows
};

std::map<cufftHandle, Plan>& plans() {
  static auto* all = new std::map<cufftHandle, Plan>;
  return *all;
}
Plan* find_plan(cufftHandle handle) {
  const Guard guard(host_lock());
  const auto found = plans().find(handle);
  return found == plans().end() ? nullptr : &found->second;
}

// One side of a transform when it runs: `columns` elements in each row.
struct Side {
  Layout layout;
  size_t columns;

  size_t at(size_t batch, size_t x, size_t y, size_t z) const {
    return batch * layout.dist +
           ((x * layout.embed[1] + y) * layout.embed[2] + z) * layout.stride;
  }
  size_t extent(const Plan& plan) const {
    return at(plan.batch - 1, plan.n[0] - 1, plan.n[1] - 1, columns - 1) + 1;
  }
};

// `pitch`: from one row to the next where no layout is given.
Side side_of(const Plan& plan, const Layout& given, size_t columns, size_t pitch) {
  Side side{given, columns};
  if (!given.given) {
    side.layout.embed[1] = plan.n[1];
    side.layout.embed[2] = pitch;
    side.layout.dist = plan.n[0] * plan.n[1] * pitch;
  }
  return side;
}

// All of the lines along one direction.
void along(const Plan& plan, int direction, std::vector<Complex>* values) {
  const size_t n = plan.n[direction];
  if (n == 1) return;
  size_t stride = 1;
  for (int d = 2; d > direction; d--) stride *= plan.n[d];
  std::vector<Complex> line(n);
  for (size_t first = 0; first < plan.size(); first++) {
    if (first / stride % n != 0) continue;
    plan.along[direction]->transform(values->data() + first, stride, line.data());
    for (size_t i = 0; i < n; i++) (*values)[first + i * stride] = line[i];
  }
}

// Calls function(x, y, z, index) for the first `columns` of each row.
template <typename Function>
void for_elements(const Plan& plan, size_t columns, Function function) {
  for (size_t x = 0; x < plan.n[0]; x++)
    for (size_t y = 0; y < plan.n[1]; y++)
      for (size_t z = 0; z < columns; z++) function(x, y, z, (x * plan.n[1] + y) * plan.n[2] + z);
}

// T: float or double; Element: a real number or a struct of two.
template <typename Element>
constexpr bool is_complex = sizeof(Element) != sizeof(float) && !std::is_same<Element, double>::value;
template <typename Element>
Complex load(const Element& element) {
  if constexpr (is_complex<Element>)
    return {element.x, element.y};
  else
    return element;
}
template <typename Element>
void store(const Complex& value, Element* element) {
  if constexpr (is_complex<Element>) {
    element->x = static_cast<decltype(element->x)>(value.real());
    element->y = static_cast<decltype(element->y)>(value.imag());
  } else {
    *element = static_cast<Element>(value.real());
  }
}

template <typename In, typename Out>
void transform(const Plan& plan, const Side& from, const Side& to, const In* in, Out* out, bool inverse) {
  std::vector<Complex> values(plan.size());
  for (size_t batch = 0; batch < plan.batch; batch++) {
    for_elements(plan, from.columns, [&](size_t x, size_t y, size_t z, size_t i) {
      values[i] = load(in[from.at(batch, x, y, z)]);
    });
    // The other half of what becomes real: the conjugate of the element opposite to it.
    if (from.columns < plan.n[2])
      for_elements(plan, plan.n[2], [&](size_t x, size_t y, size_t z, size_t i) {
        if (z < from.columns) return;
        const size_t opposite =
            ((plan.n[0] - x) % plan.n[0] * plan.n[1] + (plan.n[1] - y) % plan.n[1]) * plan.n[2] +
            plan.n[2] - z;
        values[i] = std::conj(values[opposite]);
      });
    if (inverse)
      for (Complex& value : values) value = std::conj(value);
    for (int direction = 0; direction < 3; direction++) along(plan, direction, &values);
    if (inverse)
      for (Complex& value : values) value = std::conj(value);
    for_elements(plan, to.columns, [&](size_t x, size_t y, size_t z, size_t i) {
      store(values[i], &out[to.at(batch, x, y, z)]);
    });
  }
}

template <typename In, typename Out>
cufftResult execute(cufftHandle handle, const char* function, cufftType type, In* in, Out* out,
                    bool inverse, Site site) {
  const Plan* plan = find_plan(handle);
  if (plan == nullptr || !plan->made) return CUFFT_INVALID_PLAN;
  if (plan->type != type) {
    explain(site, format("%s: the plan was created for another type of transform", function),
            "use the same type in cufftPlan...() as in the name of cufftExec...().", "wrong-pointer");
    return CUFFT_INVALID_TYPE;
  }
  // A real array that is transformed in its own place has room for the complex result in each row.
  const bool in_place = static_cast<const void*>(in) == static_cast<const void*>(out);
  const size_t real_pitch = in_place ? 2 * plan->half() : plan->n[2];
  const bool real_in = !is_complex<In>, real_out = !is_complex<Out>;
  const size_t from_columns = real_out ? plan->half() : plan->n[2];
  const size_t to_columns = real_in ? plan->half() : plan->n[2];
  const Side from = side_of(*plan, plan->in, from_columns, real_in ? real_pitch : from_columns);
  const Side to = side_of(*plan, plan->out, to_columns, real_out ? real_pitch : to_columns);
  const size_t read = from.extent(*plan), written = to.extent(*plan);
  const cudaError_t error = run_in_stream(
      plan->stream, function,
      {{"the input", in, sizeof(In), read, 1, read, true, false},
       {"the output", out, sizeof(Out), written, 1, written, false, true}},
      false, site, [=, plan = *plan] { transform(plan, from, to, in, out, inverse); });
  return error == cudaSuccess             ? CUFFT_SUCCESS
         : error == cudaErrorInvalidValue ? CUFFT_INVALID_VALUE
                                          : CUFFT_EXEC_FAILED;
}

Layout layout_of(const int* embed, int stride, int dist, int rank) {
  Layout layout;
  if (embed == nullptr) return layout;
  layout.given = true;
  for (int d = 0; d < rank; d++) layout.embed[3 - rank + d] = static_cast<size_t>(embed[d]);
  layout.stride = static_cast<size_t>(stride);
  layout.dist = static_cast<size_t>(dist);
  return layout;
}

}  // namespace

// ---- plans ----

cufftResult cufftCreate(cufftHandle* handle) {
  const Guard guard(host_lock());
  static cufftHandle next = 0;
  *handle = ++next;
  plans()[*handle];
  return CUFFT_SUCCESS;
}
cufftResult cufftDestroy(cufftHandle handle) {
  const Guard guard(host_lock());
  return plans().erase(handle) == 1 ? CUFFT_SUCCESS : CUFFT_INVALID_PLAN;
}
cufftResult cufftSetStream(cufftHandle handle, cudaStream_t stream) {
  Plan* plan = find_plan(handle);
  if (plan == nullptr) return CUFFT_INVALID_PLAN;
  plan->stream = stream;
  return CUFFT_SUCCESS;
}
cufftResult cufftGetVersion(int* version) {
  *version = CUFFT_VERSION;
  return CUFFT_SUCCESS;
}

cufftResult cufftMakePlanMany(cufftHandle handle, int rank, int* n, int* in_embed, int in_stride,
                              int in_dist, int* out_embed, int out_stride, int out_dist,
                              cufftType type, int batch, size_t* work_bytes) {
  Plan* plan = find_plan(handle);
  if (plan == nullptr) return CUFFT_INVALID_PLAN;
  if (rank < 1 || rank > 3 || batch < 1 || n == nullptr) return CUFFT_INVALID_SIZE;
  for (int d = 0; d < rank; d++)
    if (n[d] < 1) return CUFFT_INVALID_SIZE;
  if ((in_embed == nullptr) != (out_embed == nullptr)) return CUFFT_INVALID_VALUE;  // as an H200 says
  const cudaStream_t stream = plan->stream;
  *plan = {};
  plan->stream = stream;
  plan->made = true;
  plan->type = type;
  plan->rank = rank;
  plan->batch = static_cast<size_t>(batch);
  for (int d = 0; d < rank; d++) plan->n[3 - rank + d] = static_cast<size_t>(n[d]);
  for (int d = 0; d < 3; d++) plan->along[d] = std::make_shared<Fourier>(plan->n[d]);
  if (in_embed != nullptr) {
    plan->in = layout_of(in_embed, in_stride, in_dist, rank);
    plan->out = layout_of(out_embed, out_stride, out_dist, rank);
  }
  if (work_bytes != nullptr) *work_bytes = 0;
  return CUFFT_SUCCESS;
}
cufftResult cufftMakePlan1d(cufftHandle plan, int nx, cufftType type, int batch, size_t* work_bytes) {
  return cufftMakePlanMany(plan, 1, &nx, nullptr, 1, 0, nullptr, 1, 0, type, batch, work_bytes);
}
cufftResult cufftMakePlan2d(cufftHandle plan, int nx, int ny, cufftType type, size_t* work_bytes) {
  int n[] = {nx, ny};
  return cufftMakePlanMany(plan, 2, n, nullptr, 1, 0, nullptr, 1, 0, type, 1, work_bytes);
}
cufftResult cufftMakePlan3d(cufftHandle plan, int nx, int ny, int nz, cufftType type,
                            size_t* work_bytes) {
  int n[] = {nx, ny, nz};
  return cufftMakePlanMany(plan, 3, n, nullptr, 1, 0, nullptr, 1, 0, type, 1, work_bytes);
}
cufftResult cufftPlanMany(cufftHandle* plan, int rank, int* n, int* in_embed, int in_stride, int in_dist,
                          int* out_embed, int out_stride, int out_dist, cufftType type, int batch) {
  cufftCreate(plan);
  const cufftResult result = cufftMakePlanMany(*plan, rank, n, in_embed, in_stride, in_dist, out_embed,
                                               out_stride, out_dist, type, batch, nullptr);
  if (result != CUFFT_SUCCESS) cufftDestroy(*plan);
  return result;
}
cufftResult cufftPlan1d(cufftHandle* plan, int nx, cufftType type, int batch) {
  return cufftPlanMany(plan, 1, &nx, nullptr, 1, 0, nullptr, 1, 0, type, batch);
}
cufftResult cufftPlan2d(cufftHandle* plan, int nx, int ny, cufftType type) {
  int n[] = {nx, ny};
  return cufftPlanMany(plan, 2, n, nullptr, 1, 0, nullptr, 1, 0, type, 1);
}
cufftResult cufftPlan3d(cufftHandle* plan, int nx, int ny, int nz, cufftType type) {
  int n[] = {nx, ny, nz};
  return cufftPlanMany(plan, 3, n, nullptr, 1, 0, nullptr, 1, 0, type, 1);
}

// ---- transforms ----

cufftResult cufftExecC2C(cufftHandle plan, cufftComplex* in, cufftComplex* out, int direction,
                         Site site) {
  return execute(plan, __func__, CUFFT_C2C, in, out, direction == CUFFT_INVERSE, site);
}
cufftResult cufftExecZ2Z(cufftHandle plan, cufftDoubleComplex* in, cufftDoubleComplex* out,
                         int direction, Site site) {
  return execute(plan, __func__, CUFFT_Z2Z, in, out, direction == CUFFT_INVERSE, site);
}
cufftResult cufftExecR2C(cufftHandle plan, cufftReal* in, cufftComplex* out, Site site) {
  return execute(plan, __func__, CUFFT_R2C, in, out, false, site);
}
cufftResult cufftExecD2Z(cufftHandle plan, cufftDoubleReal* in, cufftDoubleComplex* out, Site site) {
  return execute(plan, __func__, CUFFT_D2Z, in, out, false, site);
}
cufftResult cufftExecC2R(cufftHandle plan, cufftComplex* in, cufftReal* out, Site site) {
  return execute(plan, __func__, CUFFT_C2R, in, out, true, site);
}
cufftResult cufftExecZ2D(cufftHandle plan, cufftDoubleComplex* in, cufftDoubleReal* out, Site site) {
  return execute(plan, __func__, CUFFT_Z2D, in, out, true, site);
}
