// cpu_device only: texture references to two-dimensional memory, which CUDA 12 has removed.
#include "cuda.h"
#include "../common/book.h"
#include "../common/cpu_anim.h"

#define SIDE 48

texture<float,2>  texFirst;
texture<float,2>  texSecond;
texture<float,2>  texFixed;

struct State {
    unsigned char   *rgba;
    float           *first, *second, *fixed;
    CPUAnimBitmap   *shown;
    int             frames;
};

__global__ void keep_fixed( float *now ) {
    int     x = blockIdx.x * blockDim.x + threadIdx.x;
    int     y = blockIdx.y * blockDim.y + threadIdx.y;
    float   value = tex2D( texFixed, x, y );
    if (value != 0) now[y * SIDE + x] = value;
}

// Reads the one texture or the other, as the flag says: a texture cannot be a parameter.
__global__ void smooth( float *next, bool from_first ) {
    int     x = blockIdx.x * blockDim.x + threadIdx.x;
    int     y = blockIdx.y * blockDim.y + threadIdx.y;
    float   sum;
    if (from_first)
        sum = tex2D( texFirst, x, y ) + tex2D( texFirst, x-1, y ) + tex2D( texFirst, x+1, y );
    else
        sum = tex2D( texSecond, x, y ) + tex2D( texSecond, x-1, y ) + tex2D( texSecond, x+1, y );
    next[y * SIDE + x] = sum / 3;
}

void draw( State *s, int ) {
    dim3    tiles( SIDE/16, SIDE/16 ), tile( 16, 16 );
    volatile bool from_first = true;
    for (int k=0; k<10; k++) {
        keep_fixed<<<tiles,tile>>>( from_first ? s->first : s->second );
        smooth<<<tiles,tile>>>( from_first ? s->second : s->first, from_first );
        from_first = !from_first;
    }
    float_to_color<<<tiles,tile>>>( s->rgba, s->first );
    HANDLE_ERROR( cudaMemcpy( s->shown->get_ptr(), s->rgba, s->shown->image_size(),
                              cudaMemcpyDeviceToHost ) );
    s->frames++;
}

void finish( State *s ) {
    float   *plate = (float*)malloc( SIDE * SIDE * sizeof(float) );
    HANDLE_ERROR( cudaMemcpy( plate, s->first, SIDE * SIDE * sizeof(float),
                              cudaMemcpyDeviceToHost ) );
    // Heat has come along the row, and only along the row.
    printf( "%d frames, %d %d\n", s->frames, plate[10 * SIDE + 30] > 0.5f, plate[12 * SIDE + 30] > 0 );
    free( plate );
    HANDLE_ERROR( cudaUnbindTexture( texFirst ) );
    HANDLE_ERROR( cudaUnbindTexture( texSecond ) );
    HANDLE_ERROR( cudaUnbindTexture( texFixed ) );
    cudaFree( s->first );
    cudaFree( s->second );
    cudaFree( s->fixed );
    cudaFree( s->rgba );
}

int main( void ) {
    State   s;
    CPUAnimBitmap bitmap( SIDE, SIDE, &s );
    s.shown = &bitmap;
    s.frames = 0;
    size_t  bytes = SIDE * SIDE * sizeof(float);
    float   start[SIDE * SIDE] = {};
    start[10 * SIDE + 24] = 1;
    HANDLE_ERROR( cudaMalloc( (void**)&s.rgba, bitmap.image_size() ) );
    HANDLE_ERROR( cudaMalloc( (void**)&s.first, bytes ) );
    HANDLE_ERROR( cudaMalloc( (void**)&s.second, bytes ) );
    HANDLE_ERROR( cudaMalloc( (void**)&s.fixed, bytes ) );
    HANDLE_ERROR( cudaMemcpy( s.first, start, bytes, cudaMemcpyHostToDevice ) );
    HANDLE_ERROR( cudaMemcpy( s.fixed, start, bytes, cudaMemcpyHostToDevice ) );
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    HANDLE_ERROR( cudaBindTexture2D( NULL, texFirst, s.first, format, SIDE, SIDE,
                                     SIDE * sizeof(float) ) );
    HANDLE_ERROR( cudaBindTexture2D( NULL, texSecond, s.second, format, SIDE, SIDE,
                                     SIDE * sizeof(float) ) );
    HANDLE_ERROR( cudaBindTexture2D( NULL, texFixed, s.fixed, format, SIDE, SIDE,
                                     SIDE * sizeof(float) ) );
    bitmap.anim_and_exit( (void (*)(void*,int))draw, (void (*)(void*))finish );
}
