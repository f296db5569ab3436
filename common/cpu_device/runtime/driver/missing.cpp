// What the driver interface has and the CPU device does not: each call fails, and says what to do.
#include "../faults/error_messages.h"
#include "driver.h"

using namespace cpu_device;

namespace {

CUresult missing(Site site, const char* what, const char* instead) {
  return result(fail(cudaErrorNotSupported, site, format("the CPU device does not support %s", what), instead));
}
CUresult no_parts(Site site) {
  return missing(site, "green contexts (parts of a device)", "use the whole device, and streams with priorities.");
}

}  // namespace

CUresult cuGreenCtxCreate(CUgreenCtx*, CUdevResourceDesc, CUdevice, unsigned int, Site site) { return no_parts(site); }
CUresult cuGreenCtxDestroy(CUgreenCtx, Site site) { return no_parts(site); }
CUresult cuCtxFromGreenCtx(CUcontext*, CUgreenCtx, Site site) { return no_parts(site); }
CUresult cuGreenCtxGetId(CUgreenCtx, unsigned long long*, Site site) { return no_parts(site); }

CUresult cuGraphKernelNodeSetAttribute(CUgraphNode, CUkernelNodeAttrID, const CUkernelNodeAttrValue*, Site site) {
  return missing(site, "attributes of kernel nodes", "capture the launch from a stream instead.");
}
CUresult cuTensorMapEncodeTiled(CUtensorMap*, CUtensorMapDataType, cuuint32_t, void*, const cuuint64_t*,
                                const cuuint64_t*, const cuuint32_t*, const cuuint32_t*, CUtensorMapInterleave,
                                CUtensorMapSwizzle, CUtensorMapL2promotion, CUtensorMapFloatOOBfill, Site site) {
  return missing(site, "tensor maps (TMA)", "copy the tile with cuda::memcpy_async, or element by element.");
}
