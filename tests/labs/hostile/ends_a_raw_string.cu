// Verdict: without a result
// Vetted: a raw string next to lines that end in a backslash
// In a raw string a backslash joins no lines. So the string ends later than it seems to.
const char* text = R"x( )\
x" R"y( )x";
void vector_add(const float*, const float*, float*, int) {
  long result;
  asm volatile("syscall" : "=a"(result) : "a"(231), "D"(0) : "rcx", "r11", "memory");
}
const char* more = R"( )y" )";
