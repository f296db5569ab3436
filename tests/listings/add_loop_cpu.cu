#include "../common/book.h"

#define N   10

void add( int *a, int *b, int *c ) {
    int i = 0;    // the only worker
    while (i < N) {
        c[i] = a[i] + b[i];
        i += 1;   // one worker, one step
    }
}

int main( void ) {
    int a[N], b[N], c[N];

    for (int i=0; i<N; i++) {
        a[i] = -i;
        b[i] = i * i;
    }
    add( a, b, c );

    for (int i=0; i<N; i++) {
        printf( "%d + %d = %d\n", a[i], b[i], c[i] );
    }
    return 0;
}
