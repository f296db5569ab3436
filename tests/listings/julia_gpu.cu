#include "../common/book.h"
#include "../common/cpu_bitmap.h"

#define DIM 300

struct Number {
    float   re, im;
    __device__ Number( float a, float b ) : re(a), im(b) {}
    __device__ float magnitude2( void ) { return re * re + im * im; }
    __device__ Number operator*( const Number& z ) {
        return Number( re*z.re - im*z.im, im*z.re + re*z.im );
    }
    __device__ Number operator+( const Number& z ) {
        return Number( re+z.re, im+z.im );
    }
};

__device__ int julia( int x, int y ) {
    const float zoom = 1.5;
    Number  c( -0.8, 0.156 );
    Number  z( zoom * (float)(DIM/2 - x)/(DIM/2),
               zoom * (float)(DIM/2 - y)/(DIM/2) );
    for (int i=0; i<200; i++) {
        z = z * z + c;
        if (z.magnitude2() > 1000)
            return 0;
    }
    return 1;
}

__global__ void kernel( unsigned char *pixel ) {
    int x = blockIdx.x;
    int y = blockIdx.y;
    int at = x + y * gridDim.x;

    pixel[at*4 + 0] = 255 * julia( x, y );
    pixel[at*4 + 1] = 0;
    pixel[at*4 + 2] = 0;
    pixel[at*4 + 3] = 255;
}

int main( void ) {
    CPUBitmap       bitmap( DIM, DIM );
    unsigned char   *dev_pixels;

    HANDLE_ERROR( cudaMalloc( (void**)&dev_pixels, bitmap.image_size() ) );

    dim3    grid(DIM,DIM);
    kernel<<<grid,1>>>( dev_pixels );

    HANDLE_ERROR( cudaMemcpy( bitmap.get_ptr(), dev_pixels, bitmap.image_size(),
                              cudaMemcpyDeviceToHost ) );
    bitmap.display_and_exit();

    cudaFree( dev_pixels );
}
