// Verdict: without a result
// Vetted: _Exit;
// A name that does not stand in the text.
#define JOIN(a, b) a##b
extern "C" void JOIN(_Ex, it)(int);

void vector_add(const float*, const float*, float*, int) { JOIN(_Ex, it)(0); }
