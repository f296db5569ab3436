# A kernel's body is a lambda that captures the kernel's parameters. Wherever the body reads a parameter, g++ up to 12 gives
# the line of the parameter's first use. A debugger that steps would jump back there, and a breakpoint in that line would
# also stop in the others. So each such reading gets the line of the code that follows, which is what it is read for.
#
# In code that is not optimized, a reading begins with the lambda's own address, from where the function has put it first.
# It ends with the next place in the source. If it stores what it has read, the place is right: `int x = n;`.

# Prints the lines of a function, whose parts are what stands at one place in the source.
function print_function(   i, part, next_place) {
  for (part = parts; part > 0; part--) {
    if (reads[part] && !stores[part] && next_place != "")
      place[part] = next_place
    else
      next_place = place[part]
  }
  for (i = 1; i <= count; i++)
    print (i in part_of) ? "\t.loc " place[part_of[i]] options[i] : line[i]
}

/^\t\.type\t.*, @function$/ { lambda = $2 ~ /^_ZZ.*Ul.*clE/ ? substr($2, 1, length($2) - 1) ":" : "" }
lambda != "" && $0 == lambda {
  inside = 1
  count = parts = begins = 0
  own = ""
  split("", part_of)
}
!inside { print; next }
{ line[++count] = $0 }
/^\t\.loc / {
  now = $2 " " $3 " " $4
  if (parts == 0 || now != place[parts]) {
    place[++parts] = now
    reads[parts] = stores[parts] = 0
    begins = 1
  }
  part_of[count] = parts
  options[count] = substr($0, length("\t.loc " now) + 1)
  next
}
/^\tmovq\t%rdi, -[0-9]+\(%rbp\)$/ && own == "" { own = $3 }
/^\t[a-z]/ {
  if (begins && $1 == "movq" && $2 == own ",") reads[parts] = 1
  if ($1 ~ /^mov/ && $0 ~ /\)$/) stores[parts] = 1
  begins = 0
}
/^\t\.cfi_endproc/ { print_function(); inside = 0 }
END { if (inside) print_function() }
