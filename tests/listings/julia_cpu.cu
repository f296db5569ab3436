#include "../common/book.h"
#include "../common/cpu_bitmap.h"

#define DIM 300

struct Number {
    float   re, im;
    Number( float a, float b ) : re(a), im(b) {}
    float magnitude2( void ) { return re * re + im * im; }
    Number operator*( const Number& z ) {
        return Number( re*z.re - im*z.im, im*z.re + re*z.im );
    }
    Number operator+( const Number& z ) {
        return Number( re+z.re, im+z.im );
    }
};

int julia( int x, int y ) {
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

void kernel( unsigned char *pixel ) {
    for (int y=0; y<DIM; y++) {
        for (int x=0; x<DIM; x++) {
            int at = x + y * DIM;
            pixel[at*4 + 0] = 255 * julia( x, y );
            pixel[at*4 + 1] = 0;
            pixel[at*4 + 2] = 0;
            pixel[at*4 + 3] = 255;
        }
    }
}

int main( void ) {
    CPUBitmap bitmap( DIM, DIM );
    kernel( bitmap.get_ptr() );
    bitmap.display_and_exit();
}
