// Verdict: everything: acceleration
// REGION 1
  const float x = here.x - other.x, y = here.y - other.y, z = here.z - other.z;
  const float inverse = rsqrtf(x * x + y * y + z * z + kSoftening);
  const float strength = other.w * inverse * inverse * inverse;
  acceleration->x += x * strength;
  acceleration->y += y * strength;
  acceleration->z += z * strength;
