// Verdict: everything: acceleration
// REGION 1
  const float x = other.x - here.x, y = other.y - here.y, z = other.z - here.z;
  const float inverse = rsqrtf(x * x + y * y + z * z + kSoftening);
  const float strength = other.w * inverse * inverse;
  acceleration->x += x * strength;
  acceleration->y += y * strength;
  acceleration->z += z * strength;
