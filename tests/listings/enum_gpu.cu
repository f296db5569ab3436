// cpu_device only: CUDA 13 has no clockRate, deviceOverlap, kernelExecTimeoutEnabled, computeMode
#include "../common/book.h"

int main( void ) {
    int             devices;
    cudaDeviceProp  prop;

    HANDLE_ERROR( cudaGetDeviceCount( &devices ) );
    for (int i=0; i<devices; i++) {
        HANDLE_ERROR( cudaGetDeviceProperties( &prop, i ) );

        printf( "General, device %d\n", i );
        printf( "Name: %s\n", prop.name );
        printf( "Compute capability: %d.%d\n", prop.major, prop.minor );
        printf( "Clock rate: %d\n", prop.clockRate );
        printf( "Copy overlap: %s\n", prop.deviceOverlap ? "Enabled" : "Disabled" );
        printf( "Kernel timeout: %s\n",
                prop.kernelExecTimeoutEnabled ? "Enabled" : "Disabled" );
        printf( "Compute mode: %d\n", prop.computeMode );

        printf( "Memory, device %d\n", i );
        printf( "Global: %zu\n", prop.totalGlobalMem );
        printf( "Constant: %zu\n", prop.totalConstMem );
        printf( "Max pitch: %zu\n", prop.memPitch );
        printf( "Texture alignment: %zu\n", prop.textureAlignment );

        printf( "Multiprocessors, device %d\n", i );
        printf( "Count: %d\n", prop.multiProcessorCount );
        printf( "Shared: %zu\n", prop.sharedMemPerBlock );
        printf( "Registers: %d\n", prop.regsPerBlock );
        printf( "Threads in a warp: %d\n", prop.warpSize );
        printf( "Max threads per block: %d\n", prop.maxThreadsPerBlock );
        printf( "Max block: (%d, %d, %d)\n", prop.maxThreadsDim[0],
                prop.maxThreadsDim[1], prop.maxThreadsDim[2] );
        printf( "Max grid: (%d, %d, %d)\n", prop.maxGridSize[0],
                prop.maxGridSize[1], prop.maxGridSize[2] );
    }
}
