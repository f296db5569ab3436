// GPUAnimBitmap as the book has it, without options.
#include "../common/book.h"
#include "../common/gpu_anim.h"

#define SIDE 64

struct State {
    int     frames;
};

__global__ void rings( uchar4 *rgba, int when ) {
    int     x = blockIdx.x * blockDim.x + threadIdx.x;
    int     y = blockIdx.y * blockDim.y + threadIdx.y;
    float   far = sqrt( (float)(x * x + y * y) );
    unsigned char   gray = (unsigned char)(127.5f + 127.5f * sin( far / 4 - when / 5.0f ));
    rgba[x + y * SIDE].x = gray;
    rgba[x + y * SIDE].y = gray;
    rgba[x + y * SIDE].z = 4 * x;
    rgba[x + y * SIDE].w = 255;
}

void next( uchar4 *rgba, State *state, int when ) {
    dim3    tiles( SIDE/8, SIDE/8 );
    dim3    tile( 8, 8 );
    rings<<<tiles,tile>>>( rgba, when );
    state->frames++;
}

void done( State *state ) {
    printf( "%d frames\n", state->frames );
}

void dragged( State *, int, int, int, int ) {}

int main( void ) {
    State   state;
    state.frames = 0;
    GPUAnimBitmap  bitmap( SIDE, SIDE, &state );
    bitmap.click_drag( (void (*)(void*,int,int,int,int))dragged );
    bitmap.anim_and_exit( (void (*)(uchar4*,void*,int))next, (void (*)(void*))done );
}
