# Makes the hooks of `nvcc --branches` cheap, in the assembly of g++ for x86-64.
#
# A basic block's hook (trace-pc) is written out where it is called, since the call, and what it must find out again each
# time, take several times as long. It is the one of ../runtime/observe/branches.cpp, which knows the offsets that stand
# here. Where the log has no room cpu_device_note_block() is called, behind all functions of the section, so that
# what runs always runs straight on.
#
# How deep the stack is is noted with the first block of a function that calls no other, and with all blocks
# of the rest: `calls_nobody` and `within` are those of the function and the block that come.
#
# A block's hook is passed over where the block before says it already: where nothing else can come after it, as a loop's
# head after the loop's last block. The section cpu_device_successors then has the address behind the block's hook,
# that of its end, and that behind the hook which is passed over; the replay adds what is missing. Accesses that are
# held back, to be joined with others of their block, are let go there. With CPU_DEVICE_ALL_BLOCKS, for tests, no hook
# is passed over.
#
# The hooks of -fsanitize=thread get other names: those of branches.cpp, which look at once for what a profiled run
# knows of the place. Each call has a word in the section cpu_device_quiet: the last address there of which nothing is
# noted, such as that of a parameter or of threadIdx.x. While the address is the same the call is passed over.
#
# The compiler keeps values in registers across the hooks (../include/cpu_device/kept_registers.h), for which
# it has seen empty functions. They go by other names here, so that the linker does not see them; and what
# reports an overflow is called by a function that leaves the registers as they were.
#
# A comparison's hook (trace-cmp) is left out where its block's says it already: where the one runs each time that the other
# does, with no other hook in between. That is so if the ways that part in between meet there again, as those
# around the report of an overflow do. The section cpu_device_comparisons then has the address behind the
# block's hook and the one where the comparison's was; a later one of the same block counts.

function print_block_hook(   depth) {
  depth = !within
  say("\tmovq\t%fs:_ZN10cpu_device5check4hereE@tpoff, %rax\n" \
    "\tmovq\t(%rax), %rdx\n" \
    "\tcmpq\t8(%rax), %rdx\n" \
    "\tjz\t.Lcpu_device_full" blocks "\n" \
    "\tleaq\t.Lcpu_device_block" blocks "(%rip), %rsi\n" \
    (depth ? "\tmovl\t120(%rax), %ecx\n" \
      "\tsubl\t%esp, %ecx\n" \
      "\tmovl\t%esi, (%rdx)\n" \
      "\tmovl\t%ecx, 4(%rdx)\n" : "\tmovq\t%rsi, (%rdx)\n") \
    "\taddq\t112(%rax), %rdx\n" \
    "\tmovq\t%rdx, (%rax)\n" \
    ".Lcpu_device_block" blocks ":\n" \
    "\t.subsection\t1\n" \
    ".Lcpu_device_full" blocks ":\n" \
    "\tleaq\t.Lcpu_device_block" blocks "(%rip), %rdi\n" \
    "\tcall\tcpu_device_note_block" (depth ? "" : "_within") "@PLT\n" \
    "\tjmp\t.Lcpu_device_block" blocks "\n" \
    "\t.subsection\t0")
  within = calls_nobody
}

# The block that runs ends here, and block `next_one` follows.
function print_end_of_block(next_one) {
  ends++
  say(".Lcpu_device_end" ends ":\n" \
    "\t.pushsection cpu_device_successors,\"a?\",@progbits\n" \
    "\t.long\t.Lcpu_device_block" blocks "-., .Lcpu_device_end" ends "-., .Lcpu_device_block" next_one "-.\n" \
    "\t.popsection")
  if (has_accesses)
    say("\tmovq\t%fs:_ZN10cpu_device5check4hereE@tpoff, %rax\n" \
      "\tmovq\t(%rax), %rdx\n" \
      "\tcmpq\t8(%rax), %rdx\n" \
      "\tjz\t.Lcpu_device_held" ends "\n" \
      ".Lcpu_device_ended" ends ":\n" \
      "\t.subsection\t1\n" \
      ".Lcpu_device_held" ends ":\n" \
      "\tcall\tcpu_device_end_block@PLT\n" \
      "\tjmp\t.Lcpu_device_ended" ends "\n" \
      "\t.subsection\t0")
}

function print_access(call) {
  accesses++
  has_accesses = 1
  say("\tcmpq\t%rdi, .Lcpu_device_quiet" accesses "(%rip)\n" \
    "\tjz\t.Lcpu_device_passed" accesses "\n" \
    "\tleaq\t.Lcpu_device_quiet" accesses "(%rip), %rdx\n" \
    call "\n" \
    ".Lcpu_device_passed" accesses ":\n" \
    "\t.pushsection cpu_device_quiet,\"aw\",@progbits\n" \
    "\t.balign\t8\n" \
    ".Lcpu_device_quiet" accesses ":\n" \
    "\t.quad\t-1\n" \
    "\t.popsection")
}

function print_comparison() {
  comparisons++
  say(".Lcpu_device_comparison" comparisons ":\n" \
    "\t.pushsection cpu_device_comparisons,\"a?\",@progbits\n" \
    "\t.long\t.Lcpu_device_block" blocks "-., .Lcpu_device_comparison" comparisons "-.\n" \
    "\t.popsection")
}

# Jumps that have been written may yet get another target.
function say(text) { out[++said] = text }

function begin_region() {
  straight = 1
  delete to_come
  delete jump
  ways = jumps = has_accesses = compares = 0
}

# A conditional jump: fine if it leads on in the text.
function part(label) {
  if (label in defined) straight = 0
  else if (to_come[label]++ == 0) ways++
  jump[++jumps] = said + 1
}

# A label: fine if all jumps to it stand in this region.
function meet(label) {
  defined[label] = 1
  if (!(label in named)) return
  if (to_come[label] != named[label]) straight = 0
  else ways--
}

# Whether the block that runs is this region, all of which has been seen; a comparison that is noted must stay behind
# the block that it is in.
function is_whole() { return straight && !compares && !all_blocks }

# Whether all ways of it lead to the label, or have met before.
function leads_only_to(label) { return is_whole() && (ways == 0 || (ways == 1 && label in to_come)) }

# At the label is a hook, and only the ways of this region come from here.
function pass_over_hook(label,   i) {
  for (i = 1; i <= jumps; i++) sub(label "$", ".Lcpu_device_end" (ends + 1), out[jump[i]])
  print_end_of_block(hook[label])
  say("\tjmp\t.Lcpu_device_block" hook[label])
}

# The name of one, and what follows it.
function is_empty_hook(name) {
  return name ~ /^(__tsan_(read|write)|__sanitizer_cov_trace_|__ubsan_handle_|_ZN10cpu_device7reachedEPh[:,])/
}

BEGIN { all_blocks = ENVIRON["CPU_DEVICE_ALL_BLOCKS"] != "" }

{ line[NR] = $0 }

# How many times each label is named, by jumps and in tables.
/\.L[0-9]/ {
  for (rest = $0; match(rest, /\.L[0-9]+/);) {
    label = substr(rest, RSTART, RLENGTH)
    rest = substr(rest, RSTART + RLENGTH)
    if (rest !~ /^:/) named[label]++
  }
}

# Functions that call others than hooks, by their numbers.
/^\t\.cfi_startproc/ { functions++ }
/^\tcall\t/ && $2 !~ /^(__tsan_|__sanitizer_cov_|__ubsan_handle_|_ZN10cpu_device7reachedEPh)/ { calls[functions] = 1 }

# The labels where nothing comes before a block's hook, and the number of that hook.
/^\.L[0-9]+:/ { waiting[++labels] = substr($1, 1, length($1) - 1) }
/^\tcall\t__sanitizer_cov_trace_pc(@PLT)?$/ {
  hooks++
  for (; labels > 0; labels--) hook[waiting[labels]] = hooks
}
!/^(\.L|\t\.(loc|file|cfi_)|[ \t]*(#|$))/ { labels = 0 }

END {
  functions = 0
  for (i = 1; i <= NR; i++) {
    split(line[i], word)
    first = word[1]
    if (first == "call") {
      if (word[2] ~ /^__sanitizer_cov_trace_pc(@PLT)?$/) {
        after_one = is_whole() && ways == 0
        if (after_one) print_end_of_block(blocks + 1)
        blocks++
        if (after_one) say(".Lcpu_device_block" blocks ":")
        else print_block_hook()
        begin_region()
        continue
      }
      if (word[2] ~ /^__sanitizer_cov_trace_(const_)?(cmp|switch)/) {
        if (straight && ways == 0) {
          print_comparison()
          continue
        }
        compares = 1
      } else if (word[2] ~ /^__tsan_(read|write)([0-9]+|_range)(@PLT)?$/) {
        sub(/__tsan_/, "cpu_device_noted_", line[i])
        print_access(line[i])
        continue
      } else if (word[2] ~ /^_ZN10cpu_device7reachedEPh(@PLT)?$/) {
        say("\tmovb\t$1, (%rdi)")
        continue
      } else if (word[2] ~ /^__tsan_/) {
        has_accesses = 1
      } else if (word[2] ~ /^__ubsan_handle_[a-z_]*(overflow|out_of_bounds)(@PLT)?$/) {
        sub(/__ubsan_handle_/, "cpu_device_kept_", line[i])
      } else if (word[2] !~ /^__ubsan_/) {
        straight = 0
      }
    } else if (is_empty_hook(word[2]) && first ~ /^\.(globl|weak|type|size)$/) {
      continue
    } else if (is_empty_hook(first)) {
      straight = 0
      line[i] = ".Lcpu_device_empty" line[i]
    } else if (first ~ /^\.L[0-9]+:/) {
      label = substr(first, 1, length(first) - 1)
      if (label in hook && leads_only_to(label) && to_come[label] != named[label]) pass_over_hook(label)
      meet(label)
    } else if (first ~ /^j/) {
      if (first == "jmp" && word[2] in hook && leads_only_to(word[2])) {
        pass_over_hook(word[2])
        straight = 0
        continue
      }
      if (first == "jmp" || word[2] !~ /^\.L[0-9]+$/) straight = 0
      else part(word[2])
    } else if (first == ".cfi_startproc") {
      calls_nobody = !(++functions in calls)
      straight = within = 0
    } else if (first ~ /^(ret|rep|ud2|notrack|\.section|\.text|#APP)/) {
      straight = 0
    }
    say(line[i])
  }
  for (i = 1; i <= said; i++) print out[i]
}
