# Makes the hooks of `nvcc --branches` cheap, in the assembly of g++ for x86-64.
#
# A basic block's hook (trace-pc) is written out where it is called, since the call, and what it must find out again each
# time, take several times as long. It is the one of ../runtime/observe/branches.cpp, which knows the offsets that stand
# here. Where the log has no room cpu_device_note_block() is called, behind all functions of the section, so that
# what runs always runs straight on.
#
# The hooks of -fsanitize=thread get other names: those of branches.cpp, which look at once for what a profiled run
# knows of the place. Each call has a word in the section cpu_device_quiet: the last address there of which nothing is
# noted, such as that of a parameter or of threadIdx.x. While the address is the same the call is passed over.
#
# A comparison's hook (trace-cmp) is left out where its block's says it already: where the one runs each time that the other
# does, with no other hook in between. That is so if the ways that part in between meet there again, as those
# around the report of an overflow do. The section cpu_device_comparisons then has the address behind the
# block's hook and the one where the comparison's was; a later one of the same block counts.

function print_block_hook() {
  blocks++
  print "\tmovq\t%fs:_ZN10cpu_device5check4hereE@tpoff, %rax\n" \
    "\tmovq\t(%rax), %rdx\n" \
    "\tcmpq\t8(%rax), %rdx\n" \
    "\tjz\t.Lcpu_device_full" blocks "\n" \
    "\tmovl\t104(%rax), %ecx\n" \
    "\tleaq\t.Lcpu_device_block" blocks "(%rip), %rsi\n" \
    "\tsubl\t%esp, %ecx\n" \
    "\tmovl\t%esi, (%rdx)\n" \
    "\tmovl\t%ecx, 4(%rdx)\n" \
    "\taddq\t112(%rax), %rdx\n" \
    "\tmovq\t%rdx, (%rax)\n" \
    ".Lcpu_device_block" blocks ":\n" \
    "\t.subsection\t1\n" \
    ".Lcpu_device_full" blocks ":\n" \
    "\tleaq\t.Lcpu_device_block" blocks "(%rip), %rdi\n" \
    "\tcall\tcpu_device_note_block@PLT\n" \
    "\tjmp\t.Lcpu_device_block" blocks "\n" \
    "\t.subsection\t0"
}

function print_access(call) {
  accesses++
  print "\tcmpq\t%rdi, .Lcpu_device_quiet" accesses "(%rip)\n" \
    "\tjz\t.Lcpu_device_passed" accesses "\n" \
    "\tleaq\t.Lcpu_device_quiet" accesses "(%rip), %rdx\n" \
    call "\n" \
    ".Lcpu_device_passed" accesses ":\n" \
    "\t.pushsection cpu_device_quiet,\"aw\",@progbits\n" \
    "\t.balign\t8\n" \
    ".Lcpu_device_quiet" accesses ":\n" \
    "\t.quad\t-1\n" \
    "\t.popsection"
}

function print_comparison() {
  comparisons++
  print ".Lcpu_device_comparison" comparisons ":\n" \
    "\t.pushsection cpu_device_comparisons,\"a?\",@progbits\n" \
    "\t.long\t.Lcpu_device_block" blocks "-., .Lcpu_device_comparison" comparisons "-.\n" \
    "\t.popsection"
}

function begin_region() {
  straight = 1
  delete to_come
  ways = 0
}

# A conditional jump: fine if it leads on in the text.
function part(label) {
  if (label in defined) straight = 0
  else if (to_come[label]++ == 0) ways++
}

# A label: fine if all jumps to it stand in this region.
function meet(label) {
  defined[label] = 1
  if (!(label in named)) return
  if (to_come[label] != named[label]) straight = 0
  else ways--
}

{ line[NR] = $0 }

# How many times each label is named, by jumps and in tables.
/\.L[0-9]/ {
  for (rest = $0; match(rest, /\.L[0-9]+/);) {
    label = substr(rest, RSTART, RLENGTH)
    rest = substr(rest, RSTART + RLENGTH)
    if (rest !~ /^:/) named[label]++
  }
}

END {
  for (i = 1; i <= NR; i++) {
    split(line[i], word)
    first = word[1]
    if (first == "call") {
      if (word[2] ~ /^__sanitizer_cov_trace_pc(@PLT)?$/) {
        print_block_hook()
        begin_region()
        continue
      }
      if (word[2] ~ /^__sanitizer_cov_trace_(const_)?(cmp|switch)/) {
        if (straight && ways == 0) {
          print_comparison()
          continue
        }
      } else if (word[2] ~ /^__tsan_(read|write)([0-9]+|_range)(@PLT)?$/) {
        sub(/__tsan_/, "cpu_device_noted_", line[i])
        print_access(line[i])
        continue
      } else if (word[2] !~ /^(__tsan_|__ubsan_|_ZN10cpu_device7reachedEPh)/) {
        straight = 0
      }
    } else if (first ~ /^\.L[0-9]+:/) {
      meet(substr(first, 1, length(first) - 1))
    } else if (first ~ /^j/) {
      if (first == "jmp" || word[2] !~ /^\.L[0-9]+$/) straight = 0
      else part(word[2])
    } else if (first ~ /^(ret|rep|ud2|\.section|\.text|#APP)/) {
      straight = 0
    }
    print line[i]
  }
}
