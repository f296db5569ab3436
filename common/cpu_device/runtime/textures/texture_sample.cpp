// What reading a texture does beyond the inline paths of texture_sample.h: the arithmetic of a GPU,
// as seen on an H200 (tests/chapters/ch07_texture/texture_modes_test.cu).
#include <cmath>
#include <string>

#include "../../include/cpu_device/half.h"
#include "../check/check.h"
#include "../execution/engine.h"
#include "../faults/error_messages.h"

namespace cpu_device {

namespace {

const char* const kKinds[] = {"signed", "unsigned", "float"};

[[noreturn]] void abort_read(Site site, const std::string& what, const std::string& hint) {
  this_worker->abort_grid(cudaErrorInvalidTexture, site, what, hint);
}

std::string format_in_words(cudaChannelFormatKind kind, int bits, int channels) {
  return format("%d channel%s of %d bits, %s", channels, channels == 1 ? "" : "s", bits,
                kKinds[kind]);
}

// Ends the kernel if the texture is not there, or the kernel's type does not fit it. The number of
// channels need not fit: what is missing is filled up. Floats of 16 bits are read as float.
void check_format(const Texture* texture, int result_code, Site site) {
  if (texture == nullptr) no_texture(site);
  if (texture->self != texture)
    abort_read(site, "the kernel reads what is not a texture object",
               "pass the object that cudaCreateTextureObject() has set. Read a surface object with surf2Dread().");
  if (texture->destroyed)
    abort_read(site, "the kernel reads a texture object that was already destroyed",
               "call cudaDestroyTextureObject() only after its last use.");
  const auto kind = static_cast<cudaChannelFormatKind>(result_code >> 16);
  const int bits = result_code >> 8 & 0xff, channels = result_code & 0xff;
  if (texture->normalized_read) {
    if (kind != cudaChannelFormatKindFloat)
      abort_read(site,
                 "the texture is read as " + format_in_words(kind, bits, channels) +
                     ", but returns normalized floats",
                 "read it as float, float2 or float4, or create it with cudaReadModeElementType.");
  } else if (kind != texture->kind ||
             (kind != cudaChannelFormatKindFloat && bits != texture->bits)) {
    abort_read(site,
               "the texture is read as " + format_in_words(kind, bits, channels) +
                   ", but its elements are " +
                   format_in_words(texture->kind, texture->bits, texture->channels),
               "use the same type in tex2D<type>() as in cudaCreateChannelDesc<type>().");
  }
}

struct TypeInWords {
  int type;
  const char *function, *words;
};
constexpr TypeInWords kTypes[] = {
    {cudaTextureType1D, "tex1D", "one-dimensional texture"},
    {cudaTextureType2D, "tex2D", "two-dimensional texture"},
    {cudaTextureType3D, "tex3D", "three-dimensional texture"},
    {cudaTextureType1DLayered, "tex1DLayered", "layered one-dimensional texture"},
    {cudaTextureType2DLayered, "tex2DLayered", "layered two-dimensional texture"},
    {cudaTextureTypeCubemap, "texCubemap", "cube map"},
    {cudaTextureTypeCubemapLayered, "texCubemapLayered", "layered cube map"}};
const TypeInWords& in_words(int type) {
  for (const TypeInWords& one : kTypes)
    if (one.type == type) return one;
  return kTypes[0];
}

// Ends the kernel if the function does not fit the texture.
void check_type(const Texture& texture, int type, const char* function, const char* ending,
                Site site) {
  if (texture.linear_memory)
    abort_read(
        site, format("%s%s() does not work with a texture in linear memory", function, ending),
        "read it with tex1Dfetch(). To use coordinates, bind a cudaArray, or pitched memory in two dimensions.");
  // To the hardware an array of one dimension is the only row of one of two.
  const bool one_row = type == cudaTextureType1D && texture.type == cudaTextureType2D && texture.base.size[1] == 1;
  if (texture.type != type && !one_row)
    abort_read(site, format("%s%s() does not work with a %s", function, ending, in_words(texture.type).words),
               format("use %s%s().", in_words(texture.type).function, ending));
}

// ---- elements ----

// A texture, one of its levels, and the thread that reads it.
struct Reader {
  const Texture& texture;
  const TextureLevel& level;
  Site site;
};

bool gives_floats(const Texture& texture) {
  return texture.normalized_read || texture.kind == cudaChannelFormatKindFloat;
}

// The integer `bits` wide at the address.
int integer_at(const unsigned char* address, int bits, bool is_signed) {
  switch (bits) {
    case 8:
      return is_signed ? element_at<signed char>(address) : element_at<unsigned char>(address);
    case 16:
      return is_signed ? element_at<short>(address) : element_at<unsigned short>(address);
    default:
      return element_at<int>(address);
  }
}

// What an H200 makes of a byte in sRGB, in steps of 1/16384: the standard's curve, with 7 to 8
// bits.
constexpr short kLinearOfSrgb[256] = {
#include "texture_srgb.inc"
};

float normalized(const Texture& texture, const unsigned char* address, int channel) {
  const bool is_signed = texture.kind == cudaChannelFormatKindSigned;
  const int whole = integer_at(address, texture.bits, is_signed);
  if (texture.srgb && texture.bits == 8 && !is_signed && channel < 3)
    return static_cast<float>(kLinearOfSrgb[whole]) / 16384;
  const int range = (1 << (texture.bits - is_signed)) - 1;
  return std::max(static_cast<float>(whole) / static_cast<float>(range), -1.0f);
}

// Element (x, y, z), which must be inside. Missing channels are 0, and 1 for the fourth.
Texel texel_at(const Reader& reader, long long x, long long y, long long z) {
  const Texture& texture = reader.texture;
  const int bytes = texture.bits / 8;
  const unsigned char* address = reader.level.data + static_cast<size_t>(z) * reader.level.slice +
                                 static_cast<size_t>(y) * reader.level.pitch +
                                 static_cast<size_t>(x) * bytes * texture.channels;
  check::kernel_reads(address, static_cast<size_t>(bytes * texture.channels), reader.site);
  Texel texel = {};
  if (gives_floats(texture))
    texel.real[3] = 1;
  else
    texel.whole[3] = 1;
  for (int i = 0; i < texture.channels; i++, address += bytes) {
    if (texture.kind == cudaChannelFormatKindFloat)
      texel.real[i] = texture.bits == 16
                          ? Float16<10>::to_float(element_at<unsigned short>(address))
                          : element_at<float>(address);
    else if (texture.normalized_read)
      texel.real[i] = normalized(texture, address, i);
    else
      texel.whole[i] =
          integer_at(address, texture.bits, texture.kind == cudaChannelFormatKindSigned);
  }
  return texel;
}

// Integers take the bits of the border's floats, which is what a program puts there.
Texel border_of(const Texture& texture) {
  Texel border;
  memcpy(&border, texture.border, sizeof border);
  return border;
}

// The index that an address mode makes of index i in a dimension of n elements; -1 for the border.
long long address(long long i, int n, cudaTextureAddressMode mode) {
  if (i >= 0 && i < n) return i;
  switch (mode) {
    case cudaAddressModeWrap:
      return (i % n + n) % n;
    case cudaAddressModeMirror: {
      const long long in_pair = (i % (2LL * n) + 2LL * n) % (2LL * n);
      return in_pair < n ? in_pair : 2LL * n - 1 - in_pair;
    }
    case cudaAddressModeBorder:
      return -1;
    default:
      return i < 0 ? 0 : n - 1;
  }
}

// ---- one level: which elements, and how much of each ----

// A position in a level. Where there are layers or faces, z is one of them.
struct Position {
  int dimensions;  // in which it is filtered
  double at[3];    // in elements
  int layer;
};

// A kernel's coordinate in elements. NaN becomes 0, and what is far outside stays far outside.
double in_elements(float coordinate, int size, bool normalized) {
  constexpr double kFar = 1LL << 40;
  const double scaled = normalized ? static_cast<double>(coordinate) * size : coordinate;
  if (!(scaled == scaled)) return 0;
  return std::min(std::max(scaled, -kFar), kFar);
}

// Elements have their centers at .5. Positions between them are fixed-point numbers with 8 binary
// places.
long long fixed_position(double at) {
  const double places = (at - 0.5) * 256 + 0.5;
  const auto cut_off = static_cast<long long>(places);
  return cut_off - (static_cast<double>(cut_off) > places);  // as std::floor(), which may be a call
}

// Any element, also beyond the edge.
Texel texel_around(const Reader& reader, const long long index[3], const Position& position) {
  const Texture& texture = reader.texture;
  long long inside[3] = {0, 0, position.layer};
  for (int d = 0; d < position.dimensions; d++) {
    inside[d] = address(index[d], reader.level.size[d], texture.address[d]);
    if (inside[d] < 0) return border_of(texture);
  }
  return texel_at(reader, inside[0], inside[1], inside[2]);
}

Texel weighted(const Texel& a, float share_of_a, const Texel& b, float share_of_b) {
  Texel sum;
  for (int i = 0; i < 4; i++) sum.real[i] = share_of_a * a.real[i] + share_of_b * b.real[i];
  return sum;
}

// The elements around a position, each `get`s its share.
template <typename Get>
Texel filtered(const Position& position, const Get& get) {
  long long index[3] = {0, 0, 0};
  float weight[3] = {0, 0, 0};  // of the next element
  for (int d = 0; d < position.dimensions; d++) {
    const long long fixed = fixed_position(position.at[d]);
    index[d] = fixed >> 8;
    weight[d] = static_cast<float>(fixed & 255) / 256;
  }
  Texel sum = {};
  for (int corner = 0; corner < 1 << position.dimensions; corner++) {
    long long neighbor[3];
    float share = 1;
    for (int d = 0; d < 3; d++) {
      const int next = corner >> d & 1;
      neighbor[d] = index[d] + next;
      share *= next ? weight[d] : 1 - weight[d];
    }
    if (share == 0) continue;  // or an infinite neighbor would make NaN of an exact hit
    sum = weighted(sum, 1, get(neighbor), share);
  }
  return sum;
}

Texel read_position(const Reader& reader, const Position& position) {
  const auto get = [&](const long long index[3]) { return texel_around(reader, index, position); };
  if (reader.texture.linear_filter) return filtered(position, get);
  long long index[3] = {0, 0, 0};
  for (int d = 0; d < position.dimensions; d++)
    index[d] = static_cast<long long>(std::floor(position.at[d]));
  return get(index);
}

// What filtered() and texel_around() do for a 2-D array of floats with one level, the most frequent case, without their loops.
Texel filtered_floats(const Texture& texture, const TexturePlace& place) {
  const TextureLevel& level = *texture.levels;
  const float coordinates[2] = {place.x, place.y};
  long long inside[2][2];  // in x and y, of the two elements
  float share[2][2];
  for (int d = 0; d < 2; d++) {
    const long long fixed = fixed_position(in_elements(coordinates[d], level.size[d], texture.normalized_coordinates));
    for (int next = 0; next < 2; next++) inside[d][next] = address((fixed >> 8) + next, level.size[d], texture.address[d]);
    share[d][1] = static_cast<float>(fixed & 255) / 256;
    share[d][0] = 1 - share[d][1];
  }
  Texel sum = {};
  for (int corner = 0; corner < 4; corner++) {
    const long long x = inside[0][corner & 1], y = inside[1][corner >> 1];
    const float part = share[0][corner & 1] * share[1][corner >> 1];
    if (part == 0) continue;
    const unsigned char* element = x < 0 || y < 0 ? reinterpret_cast<const unsigned char*>(texture.border)
                                                  : level.data + static_cast<size_t>(y) * level.pitch +
                                                        static_cast<size_t>(x) * sizeof(float) * texture.channels;
    for (int i = 0; i < texture.channels; i++) sum.real[i] += part * element_at<float>(element + i * sizeof(float));
  }
  return sum;
}

// ---- cube maps ----

// Where a direction meets the cube: the face (+x, -x, +y, -y, +z, -z), and the place on it, from -1
// to 1.
struct OnCube {
  int face;
  double s, t;
};
OnCube on_cube(double x, double y, double z) {
  if (std::isinf(x) || std::isinf(y) || std::isinf(z)) x = y = z = 0;
  x = std::isnan(x) ? 0 : x;
  y = std::isnan(y) ? 0 : y;
  z = std::isnan(z) ? 0 : z;
  const double ax = std::fabs(x), ay = std::fabs(y), az = std::fabs(z);
  if (ax == 0 && ay == 0 && az == 0) return {4, 0, 0};
  if (az >= ax && az >= ay) return {z < 0 ? 5 : 4, (z < 0 ? -x : x) / az, -y / az};
  if (ay >= ax) return {y < 0 ? 3 : 2, x / ay, (y < 0 ? -z : z) / ay};
  return {x < 0 ? 1 : 0, (x < 0 ? z : -z) / ax, -y / ax};
}
// The direction of a place in the plane of a face.
void direction_of(const OnCube& place, double direction[3]) {
  const double s = place.s, t = place.t;
  const double all[6][3] = {{1, -t, -s}, {-1, -t, s}, {s, 1, t},
                            {s, -1, -t}, {s, -t, 1},  {-s, -t, -1}};
  for (int d = 0; d < 3; d++) direction[d] = all[place.face][d];
}

// The element that lies behind an edge of a face, on the face next to it.
Texel texel_behind_edge(const Reader& reader, int face, long long x, long long y, int first_layer) {
  const int n = reader.level.size[0];
  const auto in_plane = [n](long long i) { return (2 * static_cast<double>(i) + 1) / n - 1; };
  double direction[3];
  direction_of({face, in_plane(x), in_plane(y)}, direction);
  const OnCube there = on_cube(direction[0], direction[1], direction[2]);
  const auto index = [n](double place) {
    return std::min<long long>(static_cast<long long>((place + 1) / 2 * n), n - 1);
  };
  return texel_at(reader, index(there.s), index(there.t), first_layer + there.face);
}

// Three faces meet in a corner, so one of the four elements is missing there: the mean of the
// others.
Texel texel_of_cube(const Reader& reader, int face, long long x, long long y, int first_layer) {
  const long long n = reader.level.size[0];
  const auto inside = [n](long long i) { return std::min(std::max(i, 0LL), n - 1); };
  const bool x_out = inside(x) != x, y_out = inside(y) != y;
  if (!x_out && !y_out) return texel_at(reader, x, y, first_layer + face);
  if (x_out != y_out) return texel_behind_edge(reader, face, x, y, first_layer);
  const Texel own = texel_at(reader, inside(x), inside(y), first_layer + face);
  const Texel beside = texel_behind_edge(reader, face, x, inside(y), first_layer);
  const Texel above = texel_behind_edge(reader, face, inside(x), y, first_layer);
  return weighted(weighted(own, 1, beside, 1), 1.0f / 3, above, 1.0f / 3);
}

Texel read_cube(const Reader& reader, const TexturePlace& place, int first_layer) {
  const OnCube at = on_cube(place.x, place.y, place.z);
  const int n = reader.level.size[0];
  Position position{2, {(at.s + 1) / 2 * n, (at.t + 1) / 2 * n, 0}, first_layer + at.face};
  if (reader.texture.linear_filter && reader.texture.seamless)
    return filtered(position, [&](const long long index[3]) {
      return texel_of_cube(reader, at.face, index[0], index[1], first_layer);
    });
  if (!reader.texture.linear_filter)  // an edge belongs to its face, whatever the address mode
    for (int d = 0; d < 2; d++) position.at[d] = std::min<double>(position.at[d], n - 1);
  return read_position(reader, position);
}

// ---- levels ----

// The layer that a kernel gets: one too large is the last, and so is a negative one.
int layer_of(const Texture& texture, int layer) {
  return static_cast<int>(
      std::min(static_cast<unsigned>(layer), static_cast<unsigned>(texture.layers - 1)));
}

Texel read_level(const Texture& texture, int level, const TextureRead& read, Site site) {
  const Reader reader{texture, texture.levels[level], site};
  const TexturePlace& place = read.place;
  if (read.type == cudaTextureTypeCubemap) return read_cube(reader, place, 0);
  const int layer = texture.layers > 0 ? layer_of(texture, place.layer) : 0;
  if (read.type == cudaTextureTypeCubemapLayered) return read_cube(reader, place, 6 * layer);
  Position position{read.type & 0xf, {}, layer};
  const float coordinates[3] = {place.x, place.y, place.z};
  for (int d = 0; d < position.dimensions; d++)
    position.at[d] =
        in_elements(coordinates[d], reader.level.size[d], texture.normalized_coordinates);
  // A GPU filters a 1-D array as the only row of a 2-D one, at y = 0: halfway to the row before it.
  // It matters only if addressMode[1] makes a border of that row.
  if (read.type == cudaTextureType1D && texture.linear_filter &&
      texture.address[1] == cudaAddressModeBorder)
    position.dimensions = 2;
  return read_position(reader, position);
}

// A level in steps of 1/256, cut off.
int fixed_level(float level) {
  if (std::isnan(level)) return 0;
  return static_cast<int>(std::min(std::max(level, -1000.0f), 1000.0f) * 256);
}

// The length of a vector as a GPU estimates it.
float length(TextureChange v) {
  v = {std::fabs(v.x), std::fabs(v.y), std::fabs(v.z)};
  if (v.x < v.y) std::swap(v.x, v.y);
  if (v.y < v.z) std::swap(v.y, v.z);
  if (v.x < v.y) std::swap(v.x, v.y);
  return v.x + v.y * 11 / 32 + v.z / 4;
}

// Where a direction is in the plane of a face, onto which its neighbors are unfolded.
void unfolded(int face, const double direction[3], double at[2]) {
  const int axis = face / 2, other = on_cube(direction[0], direction[1], direction[2]).face / 2;
  const double ahead = face % 2 == 0 ? direction[axis] : -direction[axis];
  const double length = std::fabs(direction[other]);
  for (int i = 0; i < 3; i++) {
    if (i == axis) continue;
    *at++ = i == other ? std::copysign(2 - ahead / length, direction[i]) : direction[i] / length;
  }
}

// How far the place on a cube's face moves, in elements, if the direction changes.
TextureChange on_face(const TexturePlace& place, const TextureChange& change, int size) {
  const double from[3] = {place.x, place.y, place.z};
  const double to[3] = {from[0] + change.x, from[1] + change.y, from[2] + change.z};
  const int face = on_cube(from[0], from[1], from[2]).face;
  double here[2], there[2];
  unfolded(face, from, here);
  unfolded(face, to, there);
  const double scale = size / 2.0;
  return {static_cast<float>((there[0] - here[0]) * scale),
          static_cast<float>((there[1] - here[1]) * scale), 0};
}

bool is_cube(int type) {
  return type == cudaTextureTypeCubemap || type == cudaTextureTypeCubemapLayered;
}

// The level whose elements are as large as a pixel: log2 of the longest diameter of what a pixel
// becomes in the texture, estimated from four of its diameters.
float level_of_gradient(const Texture& texture, const TextureRead& read) {
  const int* size = texture.base.size;
  const auto in_texture = [&](const TextureChange& change) {
    if (is_cube(texture.type)) return on_face(read.place, change, size[0]);
    if (!texture.normalized_coordinates) return change;
    return TextureChange{change.x * static_cast<float>(size[0]),
                         change.y * static_cast<float>(size[1]),
                         change.z * static_cast<float>(size[2])};
  };
  const TextureChange right = in_texture(read.right), down = in_texture(read.down);
  const float diagonal = std::max(length({right.x + down.x, right.y + down.y, right.z + down.z}),
                                  length({right.x - down.x, right.y - down.y, right.z - down.z}));
  return std::log2(std::max({length(right), length(down), diagonal * 11 / 16}));
}

// The level that a read needs, in steps of 1/256, between the first and the last.
int level_of(const Texture& texture, const TextureRead& read) {
  int level = 0;
  if (read.how != TextureRead::kPlain) {
    const float asked =
        read.how == TextureRead::kLevel ? read.level : level_of_gradient(texture, read);
    level = fixed_level(asked) + fixed_level(texture.level_bias);
  }
  level = std::min(level, fixed_level(texture.highest_level));
  level = std::max(level, fixed_level(texture.lowest_level));
  return std::min(std::max(level, 0), (texture.level_count - 1) * 256);
}

}  // namespace

void no_texture(Site site) {
  abort_read(site, "the kernel reads a texture that does not exist",
             "before the launch, create the texture object, or bind the texture reference.");
}

Texel fetch_slowly(const Texture* texture, int i, int result_code, Site site) {
  check_format(texture, result_code, site);
  if (texture->type != cudaTextureType1D)
    abort_read(site, format("tex1Dfetch() does not work with a %s", in_words(texture->type).words),
               format("it reads linear memory (cudaResourceTypeLinear). Use %s() here.",
                      in_words(texture->type).function));
  if (static_cast<unsigned>(i) >= static_cast<unsigned>(texture->base.size[0])) return Texel{};
  return texel_at({*texture, texture->base, site}, i, 0, 0);
}

Texel sample_slowly(const Texture* texture, const TextureRead& read, int result_code, Site site) {
  if (texture != nullptr && texture->filtered_2d == result_code && read.type == cudaTextureType2D && read.how == TextureRead::kPlain && !check::on)
    return filtered_floats(*texture, read.place);
  check_format(texture, result_code, site);
  constexpr const char* kEndings[] = {"", "Lod", "Grad"};
  check_type(*texture, read.type, in_words(read.type).function, kEndings[read.how], site);
  if (read.how == TextureRead::kGradient && texture->anisotropic && texture->level_count > 1)
    abort_read(site, "the CPU device does not support anisotropic filtering",
               "set cudaTextureDesc::maxAnisotropy to 0 or 1.");
  if (texture->level_count == 1) return read_level(*texture, 0, read, site);
  const int level = level_of(*texture, read);
  if (!texture->linear_levels || !gives_floats(*texture))
    return read_level(*texture, (level + 128) >> 8, read, site);
  const Texel first = read_level(*texture, level >> 8, read, site);
  const float weight = static_cast<float>(level & 255) / 256;
  if (weight == 0) return first;
  return weighted(first, 1 - weight, read_level(*texture, (level >> 8) + 1, read, site), weight);
}

Texel gather_slowly(const Texture* texture, float x, float y, int channel, int result_code,
                    Site site) {
  check_format(texture, result_code, site);
  check_type(*texture, cudaTextureType2D, "tex2D", "gather", site);
  if (channel < 0 || channel > 3)
    abort_read(site, format("tex2Dgather(): channel %d does not exist", channel), "use channel 0 to 3.");
  const Reader reader{*texture, texture->base, site};
  const float coordinates[2] = {x, y};
  Position position{2, {}, 0};
  long long first[2];
  for (int d = 0; d < 2; d++) {
    position.at[d] =
        in_elements(coordinates[d], texture->base.size[d], texture->normalized_coordinates);
    first[d] = fixed_position(position.at[d]) >> 8;
  }
  constexpr int kOrder[4][2] = {{0, 1}, {1, 1}, {1, 0}, {0, 0}};
  Texel four = {};
  for (int i = 0; i < 4; i++) {
    const long long index[3] = {first[0] + kOrder[i][0], first[1] + kOrder[i][1], 0};
    const Texel texel = texel_around(reader, index, position);
    memcpy(&four.whole[i], &texel.whole[channel], sizeof(int));
  }
  return four;
}

}  // namespace cpu_device
