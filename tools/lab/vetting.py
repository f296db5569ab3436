"""What an answer may contain. Looked at before anything of it runs: its text, and the object file that the
compiler makes of it. Labs need CUDA, C++ and printf(). They do not need files, processes, signals or
assembler, and without these an answer cannot speak to the grader in the place of the harness. What people leave
behind from debugging passes, but gets stand-ins: a file is /dev/null, and no variable is set.

This does not hold an answer that makes a function's address out of a number. LABS.md says what remains.
"""

import os
import pathlib
import re
import struct
import subprocess

from sandbox import PATH

RAW = r'(?:u8|[uUL])?R"(?P<mark>[^()\\\s]{0,16})\(.*?\)(?P=mark)"'
TOKEN = re.compile(RAW + r"""|//[^\n]*|/\*(?:.*?\*/|.*\Z)|"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])+'?|\.?\d(?:'?[\w.])*"""
                   r"""|[A-Za-z_$]\w*|%:%:|\#\#|%:|[^\s\w]|\n""", re.S)
OPEN = {"CPU_DEVICE", "cpu_device", "LAB", "__LAB", "__tsan", "__ubsan", "__asan", "__sanitizer", "__SANITIZE", "__gcov",
        "__start_", "__stop_"}  # words that begin so
ATTRIBUTES = {"constructor", "destructor", "ifunc", "alias", "weakref", "weak", "section", "naked", "optimize", "target",
              "init_priority", "copy", "symver", "no_sanitize", "no_sanitize_thread", "no_sanitize_undefined", "no_sanitize_address",
              "no_instrument_function", "retain", "used", "visibility"}
PRAGMAS = re.compile(r"\s*(unroll|nounroll|once|pack|region|endregion|nv_\w+|omp\b|GCC\s+(unroll|ivdep|diagnostic)\b|diag_\w+|message\b)")

WORDS = re.compile(rf"_*(asm|Pragma)_*|({'|'.join(sorted(OPEN))})\w*")

# The C library, as far as labs need it; the mathematical library is allowed as a whole.
LIBRARY = set("""
abort abs aligned_alloc atof atoi atol atoll bsearch calloc clock clock_gettime difftime div exit fflush fgets fprintf fputc
fclose feof ferror fgetc fread fscanf fseek ftell fputs free fwrite getc getchar gettimeofday isalnum isalpha isdigit islower isprint isspace isupper labs ldiv llabs lldiv malloc memchr
memcmp memcpy memmove memset nanosleep perror posix_memalign printf putc putchar puts qsort rand rand_r random realloc
sched_yield setbuf setvbuf sleep snprintf sprintf srand srandom sscanf stderr stdin stdout strcat strchr strcmp strcpy strerror
strlen strncat strncmp strncpy strrchr strstr strtod strtof strtol strtold strtoll strtoul strtoull time tolower toupper usleep
vfprintf vprintf vsnprintf vsprintf strdup strtok mktime localtime gmtime strftime
vswprintf wcstod wcstof wcstol wcstold wcstoll wcstoul wcstoull wmemchr wmemcmp wmemcpy wmemmove wmemset wcslen wcscmp
__assert_fail __errno_location __stack_chk_fail __dso_handle _GLOBAL_OFFSET_TABLE_ __tls_get_addr _Unwind_Resume
__gxx_personality_v0 __ctype_b_loc __isoc99_sscanf __isoc23_strtol __isoc23_strtoul __isoc23_strtoll __isoc23_strtoull
__isoc23_wcstol __isoc23_wcstoul __isoc23_wcstoll __isoc23_wcstoull __isoc23_sscanf __isoc99_fscanf __isoc23_fscanf
_ITM_registerTMCloneTable __cpu_model __popcountdi2 __divti3 __modti3 __udivti3 __umodti3
pthread_create pthread_join pthread_self pthread_once pthread_mutex_lock pthread_mutex_unlock pthread_mutex_trylock
pthread_mutex_init pthread_mutex_destroy pthread_cond_wait pthread_cond_signal pthread_cond_broadcast pthread_cond_destroy
pthread_cond_init pthread_cond_clockwait pthread_barrier_init pthread_barrier_wait pthread_barrier_destroy __pthread_key_create
pthread_key_create pthread_getspecific pthread_setspecific get_nprocs
""".split())
OF_COMPILER = re.compile(r"__cxa_\w+|__\w+_chk|__(tsan|ubsan_handle|sanitizer_cov)\w*|__emutls_\w+|__atomic_\w+|__sync_\w+|"
                         r"cpu_device_(kept|noted|note|end)_\w+")  # the last ones: of nvcc --branches
STANDARD = re.compile(r"_Z(N[KVRO]*S[abdiost]|NK?9__gnu_cxx|N10__cxxabiv1|S[abdiost]|T[ISVTCHW]|n[wa]|d[la]|GV|Th|Tv)")
STAND_INS = {"getenv": "lab_getenv", "fopen": "lab_fopen",  # stand_ins.cpp
             "_ZNSt13basic_filebufIcSt11char_traitsIcEE4openEPKcSt13_Ios_Openmode": "lab_filebuf_open"}
HARMLESS = re.compile(r"_Z(T[TVIS]|N)St1[34]basic_(filebuf|[io]?fstream)IcSt11char_traitsIcEE(C[12]E(OS2_|v)|D[012]Ev|5closeEv)?|"
                      r"_ZNSt12__basic_fileIcED[12]Ev")
FILES = re.compile(r"filebuf|fstream|filesystem|basic_file|quick_exit|random_device|ios_base15sync_with_stdio|at_thread_exit")


class Forbidden(Exception):
    """The answer contains what no lab needs; what, and why it is not allowed."""

    def __init__(self, what, why):
        super().__init__(f"not allowed in an answer: {what}; {why}")


def as_compiled(text):
    """The text as g++ takes it: a lone carriage return ends a line, and a line goes on after a backslash, also where
    blanks follow it. In a raw string it does not, so that nobody could say where that ends."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    joined = re.sub(r"\\[ \t\v\f\0]*\n", "", text)
    if joined != text and re.search(r'R"', joined):
        raise Forbidden("a raw string next to lines that end in a backslash", "change one of the two")
    return joined


def vet_text(text):
    """Looks at the tokens of an answer."""
    text = as_compiled(text)
    kept = [(found.group(), found.start()) for found in TOKEN.finditer(text)]
    kept = [(token, at) for token, at in kept if not token.startswith(("//", "/*"))]
    tokens = [token for token, _ in kept]
    attributes = words_of_attributes(tokens)
    line, counted = 1, 0
    for i, (token, at) in enumerate(kept):
        line, counted = line + text.count("\n", counted, at), at
        if WORDS.fullmatch(token):
            raise Forbidden(f"line {line}: {token}", "no lab needs assembler or internal names of the grader")
        if token in attributes and token.strip("_") in ATTRIBUTES:
            raise Forbidden(f"line {line}: the attribute {token}", "it changes what runs, or what is checked")
        if token in ("#", "%:") and (i == 0 or tokens[i - 1] == "\n"):
            vet_directive(text[at + len(token):].split("\n", 1)[0].strip(), line)
    if any(token in ("##", "%:%:") and tokens[i - 1:i] != [","] for i, token in enumerate(tokens)):  # , ##__VA_ARGS__
        vet_pasting(tokens)


def vet_pasting(tokens):
    """## makes one word of two. An answer may use it if none of the words that are refused can come out."""
    pieces, keywords = pasted(tokens), {"attribute", "gnu"}
    if keywords & {token.strip("_") for token in tokens}:
        keywords = ATTRIBUTES
    for word in sorted({"asm", "Pragma"} | keywords | OPEN):
        reached = [True] + [False] * len(word)
        for at in range(len(word)):
            for piece in pieces if reached[at] else ():
                for part in {piece, piece.strip("_"), piece.lstrip("_"), piece.rstrip("_")}:
                    if word.startswith(part, at):
                        reached[at + len(part)] = True
                    elif word in OPEN and part.startswith(word[at:]):
                        reached[-1] = True
        if reached[-1]:
            raise Forbidden(f"##, which could form {word}", "write names in full")


def pasted(tokens):
    """The words that ## may get: those of the answer's macros, and of the parentheses that may be their arguments."""
    macros, words = own_macros(tokens)
    plain = [token for token in tokens if token != "\n"]
    words |= enclosed(plain, lambda at: plain[at] == "(" and (plain[at - 1] in macros or plain[at - 1] == ")"))
    return {word for word in words if re.fullmatch(r"\w+", word)}


def own_macros(tokens):
    """The names of the answer's macros, and the words in their definitions."""
    names, words, inside = set(), set(), False
    for i, token in enumerate(tokens):
        if token == "define" and tokens[i - 1:i] in (["#"], ["%:"]):
            inside = True
            names.update(tokens[i + 1:i + 2])
        inside = inside and token != "\n"
        if inside:
            words.add(token)
    return names, words


def enclosed(tokens, begins):
    """The words in the brackets for which begins(place) is true."""
    words, stack = set(), [False]
    for at, token in enumerate(tokens):
        if stack[-1]:
            words.add(token)
        if token in ("(", "["):
            stack.append(stack[-1] or begins(at))
        elif token in (")", "]") and len(stack) > 1:
            stack.pop()
    return words


def words_of_attributes(tokens):
    """The words that may be attributes. Elsewhere used, copy or target are names like any other."""
    words = own_macros(tokens)[1]
    if any(word.strip("_") in ("attribute", "gnu") for word in words):
        words |= pasted(tokens)
    plain = [token for token in tokens if token != "\n"]
    places = {at for at, token in enumerate(plain) if token.strip("_") == "attribute"}
    if any(plain[at + 1:at + 2] != ["("] for at in places) or ("<", ":") in zip(plain, plain[1:]):
        return set(plain)  # <: is [
    return words | enclosed(plain, lambda at: at - 1 in places or plain[at:at + 2] == ["[", "["])


def pasting_macros(preprocessed, answer):
    """The macros of headers that put words together. preprocessed: what -E -dD makes of the answer."""
    bodies, own = {}, False
    for line in preprocessed.splitlines():
        if line.startswith("# "):
            own = line.split('"')[1:2] == [answer]
        elif line.startswith("#define ") and not own:
            name, body = re.match(r"#define (\w+)(?:\([^)]*\))?(.*)", line).groups()
            bodies[name] = bodies.get(name, "") + body
    pasting, more = set(), {name for name, body in bodies.items() if "##" in body}
    while more:
        pasting |= more
        more = {name for name, body in bodies.items() if name not in pasting and pasting & set(re.findall(r"\w+", body))}
    return pasting


def vet_macros(text, pasting):
    """An answer uses no macro of a header that puts words together."""
    for token in without_comments(text):
        if token in pasting and not re.fullmatch(r"U?INT(MAX|\d+)_C", token):
            raise Forbidden(f"{token}()", "this macro joins names; write them in full")


def without_comments(text):
    tokens = (found.group() for found in TOKEN.finditer(as_compiled(text)))
    return [token for token in tokens if not token.startswith(("//", "/*"))]


def up_to_last_include(text):
    """What decides which macros headers define: all that stands before the last #include, and that line."""
    tokens = [token for token in without_comments(text) if not token.isspace() or token == "\n"]
    last = max((i for i, pair in enumerate(zip(tokens, tokens[1:]))
                if pair[0] in ("#", "%:") and pair[1] in ("include", "include_next", "import")), default=-1)
    end = tokens.index("\n", last) if "\n" in tokens[last:] else len(tokens)
    words = "\n".join(tokens[:end]) if last >= 0 else ""
    return re.sub(r"\n\n\n+", "\n\n", words).strip()


def vet_directive(words, line):
    if re.match(r"line\b|\d", words):
        raise Forbidden(f"line {line}: #{words[:20]}", "it hides the line of the code")
    if words.startswith("pragma") and not PRAGMAS.match(words[6:]):
        raise Forbidden(f"line {line}: #{words[:40]}", "it changes what runs, or what is checked")


class Allowed:
    """The names that objects of answers may refer to. device: the CPU device's folder; runtimes: its built
    libraries; harness: the object that calls the answer."""

    def __init__(self, device, runtimes, harness):
        self.words = set()
        for path in (device / "include").rglob("*"):
            if path.is_file():
                self.words |= set(re.findall(r"[A-Za-z_]\w*", path.read_text(errors="replace")))
        self.provided, self.needed = set(), {"_start", "_init", "_fini", "__libc_start_main"}
        self.strong = set()
        for path in [harness, *runtimes]:
            for line in names("nm", path):
                words = line.split()
                if len(words) < 2:
                    continue
                kind, name = words[-2:]
                (self.needed if kind in "Uw" else self.provided).add(name)
                if kind in "TDBRC":
                    self.strong.add(name)
        self.strong.discard("main")  # of which the linker tells
        self.mathematics = mathematics()

    def refers(self, name):
        """Whether an answer may use it."""
        name = name.removeprefix("cpu_device_checked_")  # by which nvcc --check calls functions of the C library
        if name.startswith("_Z"):
            if STANDARD.match(name):
                return name in STAND_INS or HARMLESS.fullmatch(name) is not None or not FILES.search(name)
            return name not in self.provided or set(identifiers(name)) <= self.words
        return (name in LIBRARY or name in STAND_INS or name in self.mathematics or OF_COMPILER.fullmatch(name) is not None
                or (name in self.provided and name in self.words))

    def defines(self, name):
        """Whether an answer may define it. Not what the CPU device or the harness would then use: what they call
        of the C library, and what they have themselves. (What headers define as inline is weak there.)"""
        return name not in self.strong and (name.startswith("_Z") or name not in self.needed)


def names(command, path, *options):
    done = subprocess.run([command, *options, str(path)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, text=True, errors="replace", check=True,
                          env={**os.environ, "PATH": PATH})
    return done.stdout.splitlines()


def mathematics():
    """The functions of the mathematical library."""
    return {line.split()[-1].split("@")[0] for line in names("nm", library("libm.so.6"), "-D", "--defined-only")
            if line.strip()}


def library(name):
    return pathlib.Path(names("g++", "-print-file-name=" + name)[0])


def identifiers(mangled):
    """The names that a mangled one begins with: of _ZN10cpu_device8allocateEPPvm they are cpu_device, allocate."""
    at = re.match(r"_Z(?:T\w|L)?(?:N[rVKOR]*)?", mangled).end()
    while number := re.compile(r"[1-9]\d*").match(mangled, at):
        at = number.end() + int(number[0])
        yield mangled[number.end():at]


def vet_object(data, allowed):
    """Looks at an object file; which of the STAND_INS it needs."""
    sections, symbols = read_object(data)
    for name, size in sections:
        if name == ".init_array.00099" and size <= 16:
            continue  # the compiler's own, in a checked program: one, and with headers compiled ahead two
        if re.match(r"\.(preinit_array|init_array\.|fini_array|ctors|dtors|init$|fini$)", name):
            raise Forbidden(f"a section {name}", "it runs before or after the harness")
    used = sorted({plain(name) for name, _, _, defined in symbols if not defined and not allowed.refers(name)})
    if used:
        raise Forbidden(", ".join(used[:8]), "no lab needs files, processes, signals or internals of the grader")
    for name, kind, bind, defined in symbols:
        if kind == 10:
            raise Forbidden(f"{name}: a function that is chosen when the program starts", "it runs before the harness")
        if defined and bind != 0 and not allowed.defines(name):
            raise Forbidden(f"{plain(name)}, defined again", "the grader would call it instead of its own")
    return sorted(STAND_INS.keys() & {name for name, _, _, defined in symbols if not defined})


def plain(name):
    """std::ofstream says more than its mangled name."""
    if not name.startswith("_Z"):
        return name + "()" if re.fullmatch(r"[a-z]\w*", name) else name
    return "::".join(identifiers(name)) or name


def read_object(data):
    """([(name, bytes) of each section], [(name, type, binding, whether it is defined)]) of a 64-bit ELF object."""
    try:
        if data[:6] != b"\x7fELF\2\1":
            raise ValueError
        (table,) = struct.unpack_from("<Q", data, 40)
        size, count, names_at = struct.unpack_from("<HHH", data, 58)
        if size != 64 or count == 0:
            raise ValueError  # more than 65,000 sections, too
        heads = [struct.unpack_from("<IIQQQQIIQQ", data, table + size * i) for i in range(count)]

        def text(strings, at):
            begin = heads[strings][4] + at
            return data[begin:data.index(b"\0", begin)].decode(errors="replace")

        symbols = []
        for head in heads:
            if head[1] != 2:
                continue
            for at in range(head[4] + 24, head[4] + head[5], 24):
                name, info, _, section = struct.unpack_from("<IBBH", data, at)
                symbols.append((text(head[6], name), info & 15, info >> 4, section != 0))
        return [(text(names_at, head[0]), head[5]) for head in heads], symbols
    except (struct.error, ValueError, IndexError) as error:
        raise Forbidden("an object file that cannot be read", "the compiler does not write such files") from error
